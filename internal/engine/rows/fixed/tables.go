package fixed

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

type bufferFill = columnFill[*bufferRow]

// bufferRow is a buffer of the file.
type bufferRow struct {
	number  int
	info    *decode.BufferInfo
	summary *index.BufferSummary
}

var bufferFills = []bufferFill{
	{"buffer", func(c *cell, b *bufferRow) { c.int(int64(b.number)) }},
	{"file_offset", func(c *cell, b *bufferRow) { c.int(b.info.Offset) }},
	{"buffer_size", func(c *cell, b *bufferRow) { c.int(int64(b.info.Size)) }},
	{"saved_offset", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.SavedOffset)) }},
	{"data_end", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.Offset)) }},
	{"uncompressed_size", func(c *cell, b *bufferRow) { c.int(b.info.UncompressedSize()) }},
	{"time_stamp", func(c *cell, b *bufferRow) { c.int(b.info.Header.TimeStamp) }},
	{"sequence_number", func(c *cell, b *bufferRow) { c.int(b.info.Header.SequenceNumber) }},
	{"processor", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.Processor)) }},
	{"logger_id", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.LoggerID)) }},
	{"state", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.State)) }},
	{"buffer_flag", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.BufferFlag)) }},
	{"buffer_flag_text", func(c *cell, b *bufferRow) { c.texts(session.BufferFlagNames(uint16(b.info.Header.BufferFlag))) }},
	{"buffer_type", func(c *cell, b *bufferRow) { c.int(int64(b.info.Header.BufferType)) }},
	{"buffer_type_text", func(c *cell, b *bufferRow) { c.text(session.BufferTypeName(b.info.Header.BufferType)) }},
	{"events", func(c *cell, b *bufferRow) { c.int(int64(b.summary.Events)) }},
	{"first_event_ns", func(c *cell, b *bufferRow) { c.nano(b.summary.First, b.summary.HasEvents()) }},
	{"last_event_ns", func(c *cell, b *bufferRow) { c.nano(b.summary.Last, b.summary.HasEvents()) }},
	{"damaged", func(c *cell, b *bufferRow) { c.bool(b.summary.Damaged) }},
}

// Buffers makes rows of the table buffers.
func Buffers(x *index.Index, from, to int) *columns.Batch {
	rows := make([]bufferRow, to-from)
	for i := range rows {
		rows[i] = bufferRow{from + i, x.File.BufferInfo(from + i), &x.Buffers[from+i]}
	}
	return fillTable(x, schema.Buffers, bufferFills, pointers(rows))
}

type providerFill = columnFill[*index.Provider]

var providerFills = slices.Concat([]providerFill{
	{"provider_id", func(c *cell, p *index.Provider) { c.textUnless(p.ID.String(), !p.HasID) }},
	{"provider_name", func(c *cell, p *index.Provider) { c.known(p.Name) }},
	{"provider_group", func(c *cell, p *index.Provider) { c.guid(p.Group) }},
	{"name_source", func(c *cell, p *index.Provider) { c.known(p.NameSource) }},
	{"event_types", func(c *cell, p *index.Provider) { c.int(p.EventTypes) }},
	{"events", func(c *cell, p *index.Provider) { c.int(p.Events) }},
	{"events_not_decoded", func(c *cell, p *index.Provider) { c.int(p.Raw) }},
	{"first_event", func(c *cell, p *index.Provider) { c.time(p.First, true) }},
	{"last_event", func(c *cell, p *index.Provider) { c.time(p.Last, true) }},
}, payloadFills(func(p *index.Provider) *facts.Payloads { return &p.Payloads }))

// Providers makes the rows of the table providers.
func Providers(x *index.Index) *columns.Batch {
	return fillTable(x, schema.Providers, providerFills, pointers(x.Providers()))
}

type typeFill = columnFill[*typeRow]

// typeRow is a kind of event.
type typeRow struct {
	catalog.EventType
	provider     schema.GUID
	hasProvider  bool
	providerName string
	hasName      bool
	kind         *catalog.Kind
	names        index.EventNames
	template     string // of its message
	payloads     facts.Payloads
}

// maxTemplates bounds the templates of all messages, in bytes: a few bytes of a message can expand
// to a long name.
const maxTemplates = 16 << 20

var typeFills = slices.Concat([]typeFill{
	{schema.KindColumn, func(c *cell, _ *typeRow) { c.int(int64(c.row)) }},
	{"header_table", func(c *cell, t *typeRow) { c.text(schema.HeaderTables()[t.Family].Name) }},
	{"header_type_name", func(c *cell, t *typeRow) { c.text(t.Header.String()) }},
	{"provider_id", func(c *cell, t *typeRow) { c.textUnless(t.provider.String(), !t.hasProvider) }},
	{"provider_name", func(c *cell, t *typeRow) { c.textUnless(t.providerName, !t.hasName) }},
	{"event_name", func(c *cell, t *typeRow) { c.text(t.kind.Name()) }},
	{"event_id", func(c *cell, t *typeRow) { c.int(int64(t.ID)) }},
	{"hook_symbol", func(c *cell, t *typeRow) {
		if t.Family == decode.FamilySystem || t.Family == decode.FamilyPerfInfo {
			c.known(strings.Join(schema.SymbolsOf(uint16(t.ID)), "|"))
		}
	}},
	{"event_version", func(c *cell, t *typeRow) { c.int(int64(t.Version)) }},
	{"level", func(c *cell, t *typeRow) { c.intIf(int64(t.names.Level), t.names.HasLevel) }},
	{"level_name", func(c *cell, t *typeRow) { c.known(t.names.LevelName) }},
	{"opcode", func(c *cell, t *typeRow) { c.intIf(int64(t.names.Opcode), t.names.HasDescriptor) }},
	{"opcode_name", func(c *cell, t *typeRow) { c.known(t.names.OpcodeName) }},
	{"task", func(c *cell, t *typeRow) { c.intIf(int64(t.names.Task), t.names.HasDescriptor) }},
	{"task_name", func(c *cell, t *typeRow) { c.known(t.names.TaskName) }},
	{"channel", func(c *cell, t *typeRow) { c.intIf(int64(t.names.Channel), t.names.HasDescriptor) }},
	{"channel_name", func(c *cell, t *typeRow) { c.known(t.names.ChannelName) }},
	{"keyword", func(c *cell, t *typeRow) { c.intIf(int64(t.names.Keyword), t.names.HasDescriptor) }}, // by its bits
	{"keyword_names", func(c *cell, t *typeRow) {
		if t.names.KeywordNames != nil {
			c.texts(t.names.KeywordNames)
		}
	}},
	{"event_tags", func(c *cell, t *typeRow) {
		if s := t.kind.Schema; s != nil {
			c.intIf(int64(s.Tags), s.Tags != 0)
		}
	}},
	{"function_name", func(c *cell, t *typeRow) { c.known(t.names.Function) }},
	{"source", func(c *cell, t *typeRow) { c.known(t.names.Source) }},
	{"message_template", func(c *cell, t *typeRow) { c.known(t.template) }},
	{"events", func(c *cell, t *typeRow) { c.int(t.Events) }},
	{"first_event", func(c *cell, t *typeRow) { c.time(t.First, true) }},
	{"last_event", func(c *cell, t *typeRow) { c.time(t.Last, true) }},
	{"decoder", func(c *cell, t *typeRow) { c.known(t.names.Decoder) }},
	{"known_from", func(c *cell, t *typeRow) { c.known(t.names.KnownFrom) }},
	{"layout_builds", func(c *cell, t *typeRow) {
		if t.kind.Builds != nil {
			c.ints(t.kind.Builds)
		}
	}},
	{"payload_table", func(c *cell, t *typeRow) { c.known(t.names.PayloadTable) }},
	{"field_list", func(c *cell, t *typeRow) {
		if t.kind.Listed {
			newFieldLists(c.batch, c.column).add(c.row, t.kind)
		}
	}},
}, payloadFills(func(t *typeRow) *facts.Payloads { return &t.payloads }))

// EventTypes makes the rows of the table event_types.
func EventTypes(x *index.Index) *columns.Batch {
	names := x.Names()
	types := x.SortedTypes()
	rows, left := make([]typeRow, len(types)), maxTemplates
	for i := range types {
		t := &rows[i]
		*t = typeRow{EventType: types[i], kind: x.Catalog.Of(&types[i].Key), names: x.EventNames(&types[i]), payloads: x.PayloadsOf(&types[i]).Payloads}
		if t.provider, t.hasProvider = t.Provider(); t.hasProvider {
			t.providerName, t.hasName = names.Provider(t.provider)
		}
		if s := t.kind.Schema; s != nil {
			t.template = s.Message.Template(s.Fields, left)
			left -= len(t.template)
		}
	}
	return fillTable(x, schema.EventTypes, typeFills, pointers(rows))
}

type compactFill = columnFill[*index.CompactSwitch]

var compactFills = []compactFill{
	{"batch_ref", func(c *cell, s *index.CompactSwitch) { c.int(s.BatchRef) }},
	{"position", func(c *cell, s *index.CompactSwitch) { c.int(int64(s.Position)) }},
	{"timestamp", func(c *cell, s *index.CompactSwitch) { c.time(s.Time, true) }},
	{"time_ns", func(c *cell, s *index.CompactSwitch) { c.nano(s.Time, true) }},
	{"processor", func(c *cell, s *index.CompactSwitch) { c.int(int64(s.Processor)) }},
	{"old_thread_id", func(c *cell, s *index.CompactSwitch) { c.int(int64(s.OldThread)) }},
	{"old_thread_priority", func(c *cell, s *index.CompactSwitch) { c.intIf(int64(s.OldPriority), !s.IsIdle) }},
	{"old_thread_state_wr", func(c *cell, s *index.CompactSwitch) { c.intIf(int64(s.OldStateWr), !s.IsIdle) }},
	{"new_thread_id", func(c *cell, s *index.CompactSwitch) { c.intIf(int64(s.NewThread), s.HasNew) }},
	{"new_thread_wait_time", func(c *cell, s *index.CompactSwitch) { c.intIf(int64(s.NewWaitTime), s.HasWaitTime) }},
}

// CompactSwitches makes rows of the table compact_switches. The error is from reading the file.
func CompactSwitches(x *index.Index, from, to int) (*columns.Batch, error) {
	rows := make([]index.CompactSwitch, 0, to-from)
	err := x.ReadCompactSwitches(int64(from), int64(to), func(s *index.CompactSwitch) { rows = append(rows, *s) })
	if err != nil {
		return nil, err
	}
	return fillTable(x, schema.CompactSwitches, compactFills, pointers(rows)), nil
}

type problemFill = columnFill[facts.Problem]

var problemFills = []problemFill{
	{"severity", func(c *cell, p facts.Problem) { c.text(string(p.Severity)) }},
	{"code", func(c *cell, p facts.Problem) { c.text(p.Code) }},
	{"count", func(c *cell, p facts.Problem) { c.int(p.Count) }},
	{"buffer", func(c *cell, p facts.Problem) { c.place(p.Buffer) }},
	{"file_offset", func(c *cell, p facts.Problem) { c.place(p.FileOffset) }},
	{"position", func(c *cell, p facts.Problem) { c.place(p.Position) }},
	{"field", func(c *cell, p facts.Problem) { c.known(p.Field) }},
	{"message", func(c *cell, p facts.Problem) { c.text(p.Message) }},
}

// Problems makes the rows of the table problems.
func Problems(x *index.Index) *columns.Batch {
	return fillTable(x, schema.Problems, problemFills, x.Problems.All())
}
