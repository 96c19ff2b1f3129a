package logs

import (
	"encoding/base64"
	"regexp"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/valuetext"
	"github.com/etl2parquet/etl2parquet/schema"
)

// ECSColumns returns the columns of the table of all events that documents of ECS are made of.
func ECSColumns(t *schema.Table) ([]string, error) {
	if t.Name != schema.EventsName {
		return nil, errNotEvents
	}
	return columnsOf(t, []part{
		timeNS, processName, processID, threadID, eventID, eventVersion, level, levelName, taskName, opcodeName, keyword, channel,
		providerName, providerID, eventName, activityID, relatedActivityID, fields, message, payload,
	}), nil
}

// ECSMaker makes a document of each row of the table of all events, on a line, with names of the
// Elastic Common Schema (https://www.elastic.co/docs/reference/ecs) and, for what only Windows has,
// those that Elastic's collectors use
// (https://www.elastic.co/docs/reference/beats/filebeat/exported-fields-winlog).
//
// Several goroutines may use a maker at once.
type ECSMaker struct {
	layout     *layout
	resourceOf func(trace string) Resource
	keep       *regexp.Regexp
}

// NewECSMaker returns a maker for batches of a table with the columns of ECSColumns. keep, unless it
// is nil, matches the documents that are kept.
func NewECSMaker(t *schema.Table, shown []string, resourceOf func(trace string) Resource, keep *regexp.Regexp) *ECSMaker {
	return &ECSMaker{newLayout(t, shown), resourceOf, keep}
}

// Append appends the documents of the rows of a batch that are kept, and the end of each.
func (m *ECSMaker) Append(dst []byte, ends []int, b *columns.Batch) ([]byte, []int) {
	e := m.layout.begin(b)
	var times valuetext.Times
	resources := make(map[string][]byte)
	for row := range b.Rows {
		e.read(row)
		name := e.texts[traceName]
		resource, ok := resources[string(name)]
		if !ok {
			resource = appendHost(nil, m.resourceOf(string(name)))
			resources[string(name)] = resource
		}
		start := len(dst)
		if dst = append(dst, '{'); e.has[timeNS] {
			dst = append(times.Nanos(append(dst, `"@timestamp":"`...), e.numbers[timeNS]), '"', ',')
		}
		dst = append(append(appendDocument(dst, e), resource...), "}\n"...)
		if m.keep != nil && !m.keep.Match(dst[start:len(dst)-1]) {
			dst = dst[:start]
			continue
		}
		ends = append(ends, len(dst))
	}
	return dst, ends
}

// appendHost appends the members for what recorded the trace.
func appendHost(dst []byte, r Resource) []byte {
	dst = append(dst, `,"host":{"os":{"type":"windows"}`...)
	if r.Host != "" {
		dst = texts.AppendJSON(append(dst, `,"name":`...), []byte(r.Host))
	}
	dst = append(dst, '}')
	if r.Path != "" {
		dst = append(texts.AppendJSON(append(dst, `,"log":{"file":{"path":`...), []byte(r.Path)), "}}"...)
	}
	return dst
}

// member is a member of an object in a document: a part of the event.
type member struct {
	part part
	name string
}

// documentObjects are the objects in a document that hold parts of an event.
var documentObjects = []struct {
	name    string
	members []member
}{
	{"event", []member{{providerName, "provider"}, {eventID, "code"}, {eventName, "action"}}},
	{"process", []member{{processID, "pid"}, {processName, "name"}}},
	{"winlog", []member{
		{providerID, "provider_guid"}, {eventVersion, "version"}, {taskName, "task"}, {opcodeName, "opcode"}, {keyword, "keywords_raw"},
		{activityID, "activity_id"}, {relatedActivityID, "related_activity_id"}, {payload, "payload"}, {fields, "event_data"},
	}},
}

// ecsLevels are the levels in log.level.
var ecsLevels = [...]string{1: "critical", 2: "error", 3: "warning", 4: "information", 5: "verbose"}

// appendDocument appends the members for an event.
func appendDocument(dst []byte, e *event) []byte {
	dst = append(dst, `"ecs":{"version":"8.11.0"}`...)
	if e.has[message] {
		dst = texts.AppendJSON(append(dst, `,"message":`...), e.texts[message])
	}
	if n := e.numbers[level]; e.has[level] && n > 0 && n < int64(len(ecsLevels)) {
		dst = append(append(append(dst, `,"log.level":"`...), ecsLevels[n]...), '"')
	}
	for i := range documentObjects {
		o := &documentObjects[i]
		dst = append(append(append(dst, `,"`...), o.name...), `":{`...)
		start := len(dst)
		for _, m := range o.members {
			if e.has[m.part] {
				dst = appendMember(dst, start, e, m)
			}
		}
		if o.name == "process" && e.has[threadID] {
			dst = appendName(dst, start, "thread")
			dst = append(strconv.AppendInt(append(dst, `{"id":`...), e.numbers[threadID], 10), '}')
		}
		dst = append(dst, '}')
	}
	return dst
}

// appendName begins a member of an object whose members begin at start.
func appendName(dst []byte, start int, name string) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	return append(append(append(dst, '"'), name...), `":`...)
}

func appendMember(dst []byte, start int, e *event, m member) []byte {
	dst = appendName(dst, start, m.name)
	switch {
	case m.part == fields:
		return append(dst, e.texts[fields]...)
	case m.part == payload:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), e.texts[payload]), '"')
	case m.part == keyword:
		return append(strconv.AppendUint(append(dst, `"0x`...), uint64(e.numbers[keyword]), 16), '"')
	case m.part == eventID:
		return append(strconv.AppendInt(append(dst, '"'), e.numbers[eventID], 10), '"')
	case m.part < firstText:
		return strconv.AppendInt(dst, e.numbers[m.part], 10)
	}
	return texts.AppendJSON(dst, e.texts[m.part])
}
