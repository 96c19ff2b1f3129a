package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/tdh"
	"github.com/etl2parquet/etl2parquet/schema"
)

// KnownFrom says where a description is, as event_types does; "" is this program.
type KnownFrom string

// Where descriptions are.
const (
	FromEvent   KnownFrom = "event" // in the event itself
	FromTrace   KnownFrom = "trace" // in a manifest or record of the trace
	FromProgram KnownFrom = "built-in"
)

// fromSiblings returns where the descriptions in traces of the same session are, by the names of their files.
func fromSiblings(names []string) KnownFrom {
	if len(names) == 1 {
		return KnownFrom("sibling " + names[0])
	}
	return "sibling"
}

// FromInput returns where the description in another input of the run is, by the name of its file.
func FromInput(name string) KnownFrom { return KnownFrom("input " + name) }

// FromFile returns where the description in a file of the user is, by its name.
func FromFile(name string) KnownFrom { return KnownFrom("file " + name) }

// form is a description of an event, and the descriptions for payloads that do not fit it.
type form struct {
	*schema.Schema
	from   KnownFrom
	builds []int // of Windows, with this form; nil if it is not from a catalogue of builds
	// others have another layout and count as much: of other builds of Windows, in the order in which
	// they are tried, of older programs, or of other manifests.
	others    []*form
	shared    *form            // of the fields that all of these begin with; see Kind.Shared
	weaker    *form            // for payloads that fit none of these, or nil
	processes map[uint32]*form // for the events of processes that sent a manifest; nil if it makes no difference
	isOther   bool             // see Kind.IsOther
	label     string           // only payloads whose first text this is have the form; "": any
}

// candidates are descriptions of an event that count alike, as one form with others, and the processes that
// sent each.
type candidates struct {
	form
	sent     [][]uint32 // of the form and its others; nil if no process sent them
	isPacked bool       // of a catalogue
}

// candidatesOf returns the descriptions of an event, in the order in which they count for the events of a
// process that sent none. They are for payloads of events with the key of.
func (s *Sources) candidatesOf(key, of schemaKey) []*candidates {
	var list []*candidates
	add := func(from KnownFrom, one *schema.Schema) {
		if one != nil {
			list = append(list, candidate(of, one, from))
		}
	}
	if found := s.ofUser(key); found != nil {
		for _, f := range s.files.of[key.provider] {
			s.used[f] = true
		}
		add(s.fromOf[found], found)
	}
	addTrace := func(d *traceDescriptions, from KnownFrom) {
		if c := sentOf(d.manifests[key], of, from); c != nil {
			list = append(list, c)
		}
		add(from, d.records[key])
	}
	addTrace(s.own, FromTrace)
	addTrace(s.siblings, s.sibling)
	if found := s.catalogs.find(formKey{schemaKey: key}); found != nil {
		c := &candidates{form: *correct(of, found), isPacked: true}
		c.from = s.catalogs.knownFrom(formKey{schemaKey: key})
		list = append(list, c)
	}
	if list == nil && key.id != manifest.EventID {
		of := s.ofInputs(key.provider)
		if addTrace(of, ""); list != nil {
			s.described[key.provider] = of
		}
	}
	return list
}

// candidate returns a description of events with a key as the only one of its rank.
func candidate(key schemaKey, s *schema.Schema, from KnownFrom) *candidates {
	c := &candidates{form: *correct(key, &form{Schema: s})}
	c.from = from
	return c
}

// sentOf returns an event's descriptions in manifests. Those that are equal become one.
func sentOf(manifests []sent, key schemaKey, from KnownFrom) *candidates {
	var c *candidates
	for _, one := range manifests {
		next := candidate(key, one.Schema, cmp.Or(one.from, from))
		if c == nil {
			c = next
			c.sent = [][]uint32{one.processes}
			continue
		}
		i := slices.IndexFunc(c.all()[:len(c.sent)], func(had *form) bool { return describesAlike(had.Schema, next.Schema) })
		if i >= 0 {
			c.sent[i] = append(slices.Clip(c.sent[i]), one.processes...)
			continue
		}
		c.others, c.sent = slices.Insert(c.others, len(c.sent)-1, &next.form), append(c.sent, one.processes)
	}
	return c
}

// all returns a form and its others.
func (f *form) all() []*form { return append([]*form{f}, f.others...) }

// describesAlike reports whether two descriptions give an event one name, and fields of the same names and
// types.
func describesAlike(a, b *schema.Schema) bool {
	return a.DisplayName() == b.DisplayName() && locatedAlike(a.Fields, b.Fields)
}

// join joins the descriptions of an event. It returns nil if there are none.
//
//  1. Each takes what it lacks from the others.
//  2. They are chained, without those that read payloads like an earlier one.
//  3. Processes that sent a description which differs from the first one get chains that begin with theirs.
func join(list []*candidates) *form {
	if len(list) == 0 {
		return nil
	}
	if len(list) > 1 {
		complete(list)
	}
	joined := chained(list)
	sentBy := make(map[uint32][]*form)
	for _, c := range list {
		for n, f := range c.all()[:len(c.sent)] {
			for _, process := range c.sent[n] {
				if had := sentBy[process]; had == nil || had[0].from == c.from {
					sentBy[process] = append(had, f)
				}
			}
		}
	}
	chains := make(map[string]*form) // by the descriptions that processes sent
	for process, forms := range sentBy {
		sent := fmt.Sprint(forms) // their addresses
		chain, known := chains[sent]
		if !known {
			chain = chained(slices.Insert(slices.Clone(list), 0, groupOf(forms)))
			chains[sent] = chain
		}
		if chain.shared != nil || joined.shared != nil || !describesAlike(chain.Schema, joined.Schema) {
			if joined.processes == nil {
				joined.processes = make(map[uint32]*form)
			}
			joined.processes[process] = chain
		}
	}
	return joined
}

// groupOf returns the forms that a process sent as candidates.
func groupOf(forms []*form) *candidates {
	c := &candidates{form: *forms[0], sent: make([][]uint32, len(forms))}
	c.others = forms[1:]
	return c
}

// chained chains candidates, without the forms that read payloads like an earlier one.
func chained(list []*candidates) *form {
	var first, last *form
	var earlier []*form
	for _, c := range list {
		var kept []*form
		for _, f := range c.all() {
			if !slices.ContainsFunc(earlier, func(e *form) bool { return locatedAlike(e.Fields, f.Fields) }) {
				kept = append(kept, f)
			}
		}
		if len(kept) == 0 {
			continue
		}
		earlier = append(earlier, kept...)
		own := *kept[0]
		own.others, own.shared = kept[1:], c.shared
		switch {
		case len(kept) == 1:
			own.shared = nil
		case len(c.sent) > 1:
			own.shared = agreed(kept)
		}
		if last == nil {
			first = &own
		} else {
			last.weaker = &own
		}
		last = &own
	}
	return first
}

// agreed returns the form of what forms agree on: their first fields and, if it is one, their name.
func agreed(forms []*form) *form {
	longest, n := forms[0], len(forms[0].Fields)
	own := *longest.Schema
	for _, f := range forms[1:] {
		n = min(n, len(f.Fields))
		for n > 0 && !locatedAlike(f.Fields[:n], forms[0].Fields[:n]) {
			n--
		}
		if len(f.Fields) > len(longest.Fields) {
			longest = f
		}
		if f.DisplayName() != forms[0].DisplayName() {
			own.Name, own.TaskName, own.OpcodeName = "", "", ""
		}
	}
	own.Message = nil
	if n < len(longest.Fields) { // no field after these is read
		own.Fields = slices.Clone(longest.Fields[:n+1])
		own.Fields[n].Unstated = schema.LayoutUnstated
	}
	return &form{Schema: &own, from: forms[0].from}
}

// complete gives each description what it lacks and the others have. One of a catalogue lacks nothing.
func complete(list []*candidates) {
	whole := make([]*schema.Schema, 0, len(list))
	for _, c := range list {
		for _, f := range c.all() {
			whole = append(whole, f.Schema)
		}
	}
	for _, c := range list {
		if c.isPacked {
			continue
		}
		c.Schema = completed(c.Schema, whole)
		c.others = slices.Clone(c.others)
		for i, f := range c.others {
			own := *f
			own.Schema = completed(f.Schema, whole)
			c.others[i] = &own
		}
	}
}

// completed returns a description with what it lacks and others have: a name in words, the names of its level,
// channel and keywords, and its text; and, of fields whose names and types agree, out-types, names of values
// and counts.
func completed(s *schema.Schema, others []*schema.Schema) *schema.Schema {
	own := *s
	for _, other := range others {
		if other == s {
			continue
		}
		if id := strconv.Itoa(int(own.ID)); own.DisplayName() == id && other.DisplayName() != id {
			own.Name, own.TaskName, own.OpcodeName = other.Name, other.TaskName, other.OpcodeName
		}
		own.LevelName, own.ChannelName, own.Doc = cmp.Or(own.LevelName, other.LevelName), cmp.Or(own.ChannelName, other.ChannelName), cmp.Or(own.Doc, other.Doc)
		if own.Keywords == nil && own.Keyword == other.Keyword {
			own.Keywords = other.Keywords
		}
		own.Fields = completedFields(own.Fields, other.Fields)
	}
	for _, other := range others {
		if own.Message == nil && locatedAlike(own.Fields, other.Fields) {
			own.Message = other.Message
		}
	}
	return &own
}

// completedFields returns fields with what they lack and others have.
func completedFields(fields, others []schema.Field) []schema.Field {
	completed := slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		at := slices.IndexFunc(others, func(o schema.Field) bool { return o.Name == f.Name })
		if at < 0 || f.InType != others[at].InType || f.Unstated != others[at].Unstated {
			continue
		}
		completed[i] = completedField(f, &others[at], fields[:i])
	}
	return completed
}

// completedField returns a field with what it lacks and another of the same name and type has. before are the
// fields before it.
func completedField(f, other *schema.Field, before []schema.Field) schema.Field {
	own := *f
	isArray, isCounted := f.IsArray(), slices.ContainsFunc(before, func(b schema.Field) bool { return b.Name == other.CountField })
	switch {
	case f.Struct != nil && other.Struct != nil:
		own.Struct = completedFields(f.Struct, other.Struct)
		return own
	case f.Struct != nil || other.Struct != nil || f.Length != other.Length || f.LengthField != other.LengthField || f.LengthPrefix != other.LengthPrefix:
		return own
	case f.ValueNames() == nil && tdh.IsDefault(f):
		own = *other
		own.Name, own.Original, own.Count, own.CountField, own.CountPrefix = f.Name, f.Original, f.Count, f.CountField, f.CountPrefix
	case f.ValueNames() == nil && f.Kind == other.Kind, f.Map != nil && other.Map != nil && other.Map.Extends(f.Map):
		own.Map, own.Values = other.Map, other.Values
	}
	if !isArray && other.IsArray() && (other.CountField == "" || isCounted) {
		own.Count, own.CountField, own.CountPrefix = other.Count, other.CountField, other.CountPrefix
	}
	return own
}

// maxText bounds a description in a message.
const maxText = 300

// text returns a description as a text, for messages.
func (f *form) text() string {
	var fields []string
	for i := range f.Fields {
		in, _ := f.Fields[i].SourceTypes()
		fields = append(fields, f.Fields[i].OriginalName()+" "+strings.TrimPrefix(in, "win:"))
	}
	return definition.Cut(f.DisplayName()+"("+strings.Join(fields, ", ")+")", maxText)
}

// processesText returns the processes that sent a manifest, for messages.
func processesText(ids []uint32, from KnownFrom) string {
	const most = 3
	if len(ids) == 0 {
		return " of " + string(from)
	}
	text := " of process "
	for i, id := range ids[:min(len(ids), most)] {
		if i > 0 {
			text += ", "
		}
		text += strconv.FormatUint(uint64(id), 10)
	}
	if len(ids) > most {
		text += fmt.Sprintf(" and %d more", len(ids)-most)
	}
	if from != FromTrace {
		text += " in another trace"
	}
	return text
}
