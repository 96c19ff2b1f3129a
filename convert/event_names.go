package convert

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// eventNames are what a kind of event is called, beside its name: numbers of
// its header, and the names of these. A name that is not known is "".
type eventNames struct {
	hasLevel, hasDescriptor      bool // else the numbers mean nothing
	decode.EventDescriptor            // of the first event
	level, opcode, task, channel string
	keywords                     []string
	function, source             string // of messages
	decoder, payloadTable        string
}

// eventNames returns what a kind of event is called.
func (x *Index) eventNames(t *catalog.EventType) eventNames {
	n := eventNames{EventDescriptor: t.Descriptor, hasDescriptor: t.Family == decode.FamilyEvent}
	n.hasLevel = n.hasDescriptor || t.Family == decode.FamilyEventTrace || t.Family == decode.FamilyInstance
	k := x.catalog.Of(&t.Key)
	if k.Literal.Event != nil {
		n.decoder = k.Source.String()
	}
	if k.Literal.Table != nil {
		n.payloadTable = k.Literal.Table.Table.Name
	}
	if s := k.Schema; s != nil {
		n.level, n.opcode, n.task, n.channel, n.keywords = s.LevelName, s.OpcodeName, s.TaskName, s.ChannelName, s.Keywords
		if t.Family == decode.FamilyEvent && s.Version != uint8(t.Version) && t.Meta == 0 {
			n.ofVersion(s)
		}
		n.function, n.source = s.Function, sourceOf(s)
		if s.Source == schema.FromTMF {
			n.Level, n.hasLevel = s.Level, true
		}
	}
	if n.hasLevel {
		n.level = cmp.Or(n.level, schema.LevelName(n.Level))
	}
	if n.hasDescriptor {
		n.opcode = cmp.Or(n.opcode, schema.OpcodeName(n.Opcode))
	}
	return n
}

// ofVersion keeps the names of those numbers alone that are the events' own:
// the schema is that of an older version.
func (n *eventNames) ofVersion(s *schema.Schema) {
	if n.Level != s.Level {
		n.level = ""
	}
	if n.Opcode != s.Opcode {
		n.opcode = ""
	}
	if n.Task != s.Task {
		n.task = ""
	}
	if n.Channel != s.Channel {
		n.channel = ""
	}
	if n.Keyword != s.Keyword {
		n.keywords = nil
	}
}

// sourceOf returns file and line of a message's source.
func sourceOf(s *schema.Schema) string {
	if s.SourceLine == 0 {
		return s.SourceFile
	}
	return s.SourceFile + ":" + strconv.Itoa(s.SourceLine)
}

// sortedTypes returns the kinds of event by table, provider, id and version.
func (x *Index) sortedTypes() []catalog.EventType {
	list := slices.Clone(x.Types)
	slices.SortStableFunc(list, func(a, b catalog.EventType) int {
		idA, hasA := a.Provider()
		idB, hasB := b.Provider()
		return cmp.Or(
			cmp.Compare(schema.HeaderTables()[a.Family].Name, schema.HeaderTables()[b.Family].Name),
			boolCompare(hasA, hasB),
			idA.Compare(idB),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Version, b.Version),
			cmp.Compare(x.catalog.Of(&a.Key).Name(), x.catalog.Of(&b.Key).Name()))
	})
	return list
}
