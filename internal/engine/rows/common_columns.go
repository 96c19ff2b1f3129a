package rows

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// eventFills fill the columns that all tables of events begin with, except those that the tables of
// payloads fill in their own way.
var eventFills = []columnFill{
	{name: "event_ref", wide: func(b *blockColumns) *[BlockRows]int64 { return &b.ref }},
	{name: "timestamp", times: func(b *blockColumns) *[BlockRows]int64 { return &b.micros }},
	{name: "time_ns", times: func(b *blockColumns) *[BlockRows]int64 { return &b.ns }},
	{name: schema.ClockColumn, times: (*blockColumns).clock},
	{name: schema.SecondsColumn, fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		clock := f.block.clock()
		for i, place := range f.places {
			if ns := clock[place]; ns != noTime {
				c.At(first + i).Float64(float64(ns-f.ctx.start) / 1e9)
			}
		}
	}},
	{name: "processor", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.processor }},
	{name: "process_id", needs: needsOwner, ids: func(b *blockColumns) *blockIDs { return &b.process }},
	{name: "thread_id", needs: needsOwner, ids: func(b *blockColumns) *blockIDs { return &b.thread }},
	{name: "id_source", needs: needsOwner, codes: func(f *batchBuilder, v []int64, _ []*row) {
		for i, place := range f.places {
			v[i] = f.sourceCode(f.block.source[place])
		}
	}},
	{name: "process_name", needs: needsOwner, codes: func(f *batchBuilder, v []int64, _ []*row) {
		for i, place := range f.places {
			v[i] = f.processCode(f.block.owner[place])
		}
	}},
	{name: "header_type", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.headerType }},
	{name: "pointer_size", needs: needsPointers, narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.pointerSize }},
	{name: schema.KindColumn, fill: func(f *batchBuilder, c *columns.Column, first int, _ []*row) { f.pickKinds(c, first, f.block) }},
	{name: "payload_size", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.payloadSize }},
}

// headerFills fill the other common columns of tables of headers, from the headers.
var headerFills = []columnFill{
	{name: "provider_id", needs: needsKindTexts, codes: fillProviders},
	{name: "provider_name", needs: needsKindTexts, codes: func(f *batchBuilder, v []int64, _ []*row) {
		for i, t := range f.shared {
			v[i] = t.name
		}
	}},
	{name: "event_name", needs: needsKindTexts, codes: func(f *batchBuilder, v []int64, _ []*row) {
		for i, t := range f.shared {
			v[i] = t.event
		}
	}},
	{name: schema.PayloadColumn, needs: needsFit, fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		if f.ctx.payload == PayloadNone {
			return
		}
		for i, r := range rows {
			if r.Family != decode.FamilyOther && (!r.decoded || f.ctx.payload == PayloadAll) {
				c.At(first + i).Blob(r.payload)
			}
		}
	}},
}

func fillProviders(f *batchBuilder, v []int64, _ []*row) {
	for i, t := range f.shared {
		v[i] = t.provider
	}
}

// headerSizeFills fill the size of headers without extended items.
var headerSizeFills = []columnFill{
	{name: "header_size", narrow: func(b *blockColumns) *[BlockRows]int32 { return &b.headerSize }},
}

// eventSizeFills fill the sizes of an EVENT_HEADER and of its extended items.
var eventSizeFills = []columnFill{
	{name: "header_size", small: func(_ *batchBuilder, v []int32, _ []*row) {
		for i := range v {
			v[i] = decode.EventHeaderSize
		}
	}},
	{name: "items_size", small: func(f *batchBuilder, v []int32, _ []*row) {
		for i, place := range f.places {
			v[i] = f.block.headerSize[place] - decode.EventHeaderSize
		}
	}},
}

var headerIDFills = []columnFill{
	{name: "header_process_id", needs: needsOwner, ids: func(b *blockColumns) *blockIDs { return &b.headerProcess }},
	{name: "header_thread_id", needs: needsOwner, ids: func(b *blockColumns) *blockIDs { return &b.headerThread }},
}

var fieldsFills = []columnFill{
	// The fields of an event with a table of its own may be known only because the table of all
	// events always has them.
	{name: schema.FieldsColumn, needs: needsFields, fill: func(f *batchBuilder, c *columns.Column, first int, rows []*row) {
		all := f.ctx.fields || f.batch.Table.Name == schema.EventsName
		for i, r := range rows {
			if r.fields != nil && (all || r.Literal.Table == nil) {
				c.At(first + i).Blob(r.fields)
			}
		}
	}},
}

var messageFills = []columnFill{
	{name: schema.MessageColumn, needs: needsMessage, fill: func(_ *batchBuilder, c *columns.Column, first int, rows []*row) {
		for i, r := range rows {
			if r.message != nil {
				c.At(first + i).Blob(r.message)
			}
		}
	}},
}

// allEventsFills fill the columns that only the table of all events has.
var allEventsFills = []columnFill{
	{name: "header_table", fill: func(f *batchBuilder, c *columns.Column, _ int, rows []*row) {
		family, code := decode.Families, uint32(0)
		for i, v := 0, columns.More(&c.Codes, len(rows)); i < len(v); i++ {
			if r := rows[i]; int(r.Family) != family {
				family, code = int(r.Family), f.batch.Texts.Text(schema.HeaderTables()[r.Family].Name)
			}
			v[i] = code
		}
	}},
}

// idOf returns the id of a process or thread, or columns.None.
func idOf(id uint32) int64 {
	if id == attribution.NoID {
		return columns.None
	}
	return int64(id)
}

// sourceCode returns the code of the name of the ids' source, or None.
func (f *batchBuilder) sourceCode(source attribution.IDSource) int64 {
	if source == attribution.FromNowhere {
		return columns.None
	}
	code := &f.sources[source]
	if *code == 0 {
		*code = int64(f.batch.Texts.Text(source.String())) + 1
	}
	return *code - 1
}

// processCode caches the code of a process's name.
type processCode struct {
	process int32 // the process plus 1: 0 means no process
	code    int64
}

const processCodes = 64

// processCode returns the code of a process's name, or None.
func (f *batchBuilder) processCode(process int32) int64 {
	if process < 0 {
		return columns.None
	}
	at := &f.processes[process%processCodes]
	if at.process != process+1 {
		*at = processCode{process + 1, columns.None}
		if name := f.ctx.owners.Processes[process].Name; name != "" {
			at.code = int64(f.batch.Texts.Text(name))
		}
	}
	return at.code
}

// kindTexts holds the codes, in a batch, of texts that all events of a kind share, or None.
type kindTexts struct {
	kind                            *catalog.Kind // nil if not looked up yet
	provider, name, event, metadata int64
}

// findKindTexts finds the texts of the kinds of a block's rows.
func (f *batchBuilder) findKindTexts(rows []*row) {
	if f.kindTexts == nil {
		f.kindTexts = make([]kindTexts, len(f.ctx.Catalog.Kinds)+1) // the last is for kinds that are not listed
	}
	f.shared = slices.Grow(f.shared[:0], len(rows))
	for _, r := range rows {
		t := &f.kindTexts[r.Number]
		if t.kind != r.Kind {
			if r.Number == len(f.kindTexts)-1 { // all of these kinds share the slot
				t = new(kindTexts)
			}
			*t = f.textsOf(r)
		}
		f.shared = append(f.shared, t)
	}
}

// textsOf finds the texts of an event's kind.
func (f *batchBuilder) textsOf(r *row) kindTexts {
	t := kindTexts{r.Kind, columns.None, columns.None, columns.None, columns.None}
	switch {
	case r.Family == decode.FamilySystem || r.Family == decode.FamilyPerfInfo:
		class := f.class(uint16(r.key.ID))
		t.provider, t.name = class.id, class.name
	case r.key.HasGUID:
		id := f.batch.Texts.GUID(r.key.GUID)
		t.provider, t.name = int64(id), f.nameOf(r.key.GUID, id)
	}
	t.event = int64(f.batch.Texts.Text(r.Name()))
	return t
}

// nameOf returns the code of a provider's name, or None if it has none. In nameCodes, 0 means "not
// looked up yet"; other values are the code plus 1.
func (f *batchBuilder) nameOf(id schema.GUID, code uint32) int64 {
	for len(f.nameCodes) <= int(code) {
		f.nameCodes = append(f.nameCodes, 0)
	}
	if f.nameCodes[code] == 0 {
		f.nameCodes[code] = -1
		if name, ok := f.ctx.names.Provider(id); ok {
			f.nameCodes[code] = int64(f.batch.Texts.Text(name)) + 1
		}
	}
	if f.nameCodes[code] < 0 {
		return columns.None
	}
	return f.nameCodes[code] - 1
}

// eventName is the code of an event's name.
type eventName struct {
	event *schema.Event // whose name it is
	code  int64
}
