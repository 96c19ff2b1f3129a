package index

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// EventNames are the numbers in the header of a kind of event, such as level and task,
// and their names. An unknown name is "".
type EventNames struct {
	HasLevel, HasDescriptor                      bool // if false, the numbers mean nothing
	decode.EventDescriptor                            // of the first event
	LevelName, OpcodeName, TaskName, ChannelName string
	KeywordNames                                 []string
	Function, Source                             string // of messages
	Decoder, KnownFrom, PayloadTable             string
}

// EventNames returns the names of a kind of event.
func (x *Index) EventNames(t *catalog.EventType) EventNames {
	n := EventNames{EventDescriptor: t.Descriptor, HasDescriptor: t.Family == decode.FamilyEvent}
	n.HasLevel = n.HasDescriptor || t.Family == decode.FamilyEventTrace || t.Family == decode.FamilyInstance
	k := x.Catalog.Of(&t.Key)
	if k.Literal.Event != nil {
		n.Decoder, n.KnownFrom = k.Source.String(), string(cmp.Or(k.From, catalog.FromProgram))
	}
	if k.Literal.Table != nil {
		n.PayloadTable = k.Literal.Table.Table.Name
	}
	if s := k.Schema; s != nil {
		n.LevelName, n.OpcodeName, n.TaskName, n.ChannelName, n.KeywordNames = s.LevelName, s.OpcodeName, s.TaskName, s.ChannelName, s.Keywords
		if t.Family == decode.FamilyEvent && t.Meta == 0 && (s.Version != uint8(t.Version) || s.Source == schema.FromCatalog) {
			n.ofVersion(s)
		}
		n.Function, n.Source = s.Function, SourceOf(s)
		if s.Source == schema.FromTMF {
			n.Level, n.HasLevel = s.Level, true
		}
	}
	if n.HasLevel {
		n.LevelName = cmp.Or(n.LevelName, schema.LevelName(n.Level))
	}
	if n.HasDescriptor {
		n.OpcodeName = cmp.Or(n.OpcodeName, schema.OpcodeName(n.Opcode))
		n.ChannelName = cmp.Or(n.ChannelName, schema.ChannelName(n.Channel))
		if n.KeywordNames == nil {
			n.KeywordNames = schema.KeywordNames(n.Keyword)
		}
	}
	return n
}

// ofVersion drops the names of numbers that differ from the schema's: then the schema is of an
// older version than the events, or of another build of Windows.
func (n *EventNames) ofVersion(s *schema.Schema) {
	if n.Level != s.Level {
		n.LevelName = ""
	}
	if n.Opcode != s.Opcode {
		n.OpcodeName = ""
	}
	if n.Task != s.Task {
		n.TaskName = ""
	}
	if n.Channel != s.Channel {
		n.ChannelName = ""
	}
	if (n.Keyword^s.Keyword)&^channelKeywords != 0 {
		n.KeywordNames = nil
	}
}

// channelKeywords are the bits of a keyword that say which channels the event is in.
const channelKeywords = 0xff << 56

// SourceOf returns file and line of a message's source.
func SourceOf(s *schema.Schema) string {
	if s.SourceLine == 0 {
		return s.SourceFile
	}
	return s.SourceFile + ":" + strconv.Itoa(s.SourceLine)
}

// SortedTypes returns the kinds of event by table, provider, id and version.
func (x *Index) SortedTypes() []catalog.EventType {
	list := make([]catalog.EventType, len(x.Types))
	for i, row := range x.EventKinds() {
		list[row] = x.Types[i]
	}
	return list
}

// EventKinds returns the index in SortedTypes of each element of Types.
func (x *Index) EventKinds() []int32 {
	order := make([]int32, len(x.Types))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		a, b := &x.Types[i], &x.Types[j]
		idA, hasA := a.Provider()
		idB, hasB := b.Provider()
		return cmp.Or(
			cmp.Compare(schema.HeaderTables()[a.Family].Name, schema.HeaderTables()[b.Family].Name),
			boolCompare(hasA, hasB),
			idA.Compare(idB),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Version, b.Version),
			cmp.Compare(x.Catalog.Of(&a.Key).Name(), x.Catalog.Of(&b.Key).Name()))
	})
	kinds := make([]int32, len(order))
	for row, i := range order {
		kinds[i] = int32(row)
	}
	return kinds
}
