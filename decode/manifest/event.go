package manifest

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// readEvents reads the events of a provider.
func (p *provider) readEvents(list []*element) {
	type key struct {
		id      uint16
		version uint8
	}
	seen := make(map[key]bool, len(list))
	for _, e := range list {
		ev, ok := p.event(e)
		if !ok {
			continue
		}
		k := key{ev.ID, ev.Version}
		if seen[k] {
			p.fail(e.pos, "event %d version %d of %s is defined twice", k.id, k.version, quote(p.Name))
			continue
		}
		seen[k] = true
		if p.events++; p.events > maxEvents {
			p.fail(e.pos, "more than %d events: the others are ignored", maxEvents)
			return
		}
		p.Events = append(p.Events, ev)
	}
}

func (p *provider) event(e *element) (Event, bool) {
	id, err := number(e.get("value"), 16)
	if err != nil {
		p.fail(e.pos, "event of %s: invalid value %s", quote(p.Name), quote(e.get("value")))
		return Event{}, false
	}
	version := uint64(0)
	if text := e.get("version"); text != "" {
		if version, err = number(text, 8); err != nil {
			p.fail(e.pos, "event %d of %s: invalid version %s", id, quote(p.Name), quote(text))
			return Event{}, false
		}
	}
	t, ok := p.templateOf(e, id)
	if !ok {
		return Event{}, false
	}
	level := p.find(e, "level", 8, p.levels, predefinedLevels)
	channel := p.find(e, "channel", 8, p.channels, predefinedChannels)
	if channel.value == 0 { // no channel, whatever its name
		channel.label = ""
	}
	task, opcode := p.taskAndOpcode(e)
	s := &schema.Schema{
		Event:       schema.Event{Class: p.Name, GUID: p.GUID, Certainty: schema.Documented, Fields: t.fields},
		Source:      p.source,
		ID:          uint16(id),
		Version:     uint8(version),
		Channel:     uint8(channel.value),
		Level:       uint8(level.value),
		Opcode:      uint8(opcode.value),
		Task:        uint16(task.value),
		ChannelName: channel.label,
		LevelName:   level.label,
		OpcodeName:  opcode.label,
		TaskName:    task.label,
	}
	s.Keyword, s.Keywords = p.keywordsOf(e)
	if s.TaskName == "" { // the opcode alone would not distinguish events
		if s.Name = strings.TrimSpace(e.get("name")); s.Name == "" {
			s.Name = strings.TrimSpace(e.get("symbol"))
		}
	}
	return Event{Schema: s, MessageText: p.eventMessage(e), inserts: t.inserts}, true
}

// eventMessage returns the message of an event, or "" if the messages of all events
// exceed the limit: many events can share a long message.
func (p *provider) eventMessage(e *element) string {
	text := p.message(e)
	if p.messages += len(text); p.messages > maxShared*len(p.text) {
		p.fail(e.pos, "event %s of %s: its message is ignored: the messages of all events have more than %d bytes", quote(e.get("value")), quote(p.Name), maxShared*len(p.text))
		return ""
	}
	return text
}

// taskAndOpcode finds the task and the opcode of an event. The opcodes of the task take precedence.
func (p *provider) taskAndOpcode(e *element) (task, opcode named) {
	task = p.find(e, "task", 16, p.tasks, predefinedTasks)
	if task == predefinedTasks.byValue[0] { // no task, under a name
		task.label = ""
	}
	tables := []*table{p.opcodes, predefinedOpcodes}
	if own := p.ownOpcodes[strings.TrimSpace(e.get("task"))]; own != nil {
		tables = slices.Insert(tables, 0, own)
	}
	return task, p.find(e, "opcode", 8, tables...)
}

// templateOf returns the template of an event: the one it names or, as some tools
// write it, the one it contains.
func (p *provider) templateOf(e *element, id uint64) (template, bool) {
	te := (*element)(nil)
	if name, ok := e.lookup("template"); ok && name != "" {
		if te = p.elements[name]; te == nil {
			p.fail(e.pos, "event %d of %s: template %s is not defined", id, quote(p.Name), quote(name))
			return template{}, false
		}
	} else if inner := e.childrenOf("template"); len(inner) > 0 {
		te = inner[0]
	} else {
		return template{}, true
	}
	t, ok := p.templates[te]
	if !ok {
		t = p.template(te)
		p.templates[te] = t
	}
	return t, true
}
