package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/distinct"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/schema"
)

// PayloadMode says which raw payloads are kept.
type PayloadMode uint8

// The payload modes.
const (
	PayloadUndecoded PayloadMode = iota // of events that were not decoded
	PayloadAll
	PayloadNone
)

var payloadModes = [...]string{PayloadUndecoded: "undecoded", PayloadAll: "all", PayloadNone: "none"}

func (m PayloadMode) String() string { return payloadModes[m] }

// Context is what filling rows needs to know about the trace.
type Context struct {
	file        *decode.File
	clock       decode.Clock
	names       *index.Names
	Catalog     *catalog.Catalog
	payload     PayloadMode
	fields      bool // of all events
	form        FieldsForm
	pointerSize int32
	private     bool // headers have a ProcessorTime
	counters    []index.CounterConfig
	owners      *attribution.Tables
	start       int64 // of the session, in ns
	steps       *index.ClockSteps
	mask        *redact.Mask       // replaces names; nil keeps them
	eventNames  []index.EventNames // by catalog.Kind.Number, of listed kinds; only for the table of all events
	kinds       []int32            // by catalog.Kind.Number, of listed kinds: the row in event_types
	Symbols     *symbols.Trace     // of native code; nil if there are none
	Seen        *distinct.Set      // the stacks of finished slabs; nil if each slab keeps all of its own
	demand
}

// row is an event that is being added to a table.
//
// The values that most columns need come first, so that they are adjacent in memory.
type row struct {
	place         uint16 // in the block
	items         uint16 // the number of its extended items, if they are not in the block's; see catalog.Found
	ref           int64
	owner         attribution.Owner
	process       int32 // the owner's, in attribution.Tables.Processes; -1 is none
	pointerSize   int32 // in the payload; the trace's if the header does not state it
	isResized     bool  // the header states another size of pointers
	*catalog.Kind       // of the event
	decoded       bool  // its fields are in columns, and so are the bytes they leave over: the payload is not kept as a whole
	reading       decode.Reading
	rest          int32         // bytes of the payload that are in no field's column
	stop          *schema.Field // the first field that does not fit, if the payload is not whole

	payload []byte
	decode.Event
	key     catalog.Key
	fields  []byte // in the context's form, if wanted
	message []byte // if the schema has one

	location location // of the payload's fields, if a text or the size of pointers needed it
}

// Filler fills batches of one table, a block of rows at a time and, within a block, column by
// column. There is one per family of headers, and one for the payloads of all kinds of event.
type Filler interface {
	Batch() *columns.Batch // the batch being filled; it belongs to the filler

	start() *batchBuilder
	fill(b *blockColumns, rows []*row)
}

// TableID numbers the tables of events: those of headers by their family, those of stacks, that of
// all events, then those of payloads in the order of the catalog.
type TableID int

// EventsTable is the table of all events; see [schema.EventsTable].
const EventsTable = stackTable + 1

const (
	stackEventTable = TableID(decode.Families)
	stackTable      = stackEventTable + 1
	firstPayload    = EventsTable + 1
)

func payloadTable(t *schema.EventTable) TableID { return firstPayload + TableID(t.Number) }

// familyFills fill the tables of headers, in the order of the columns there.
var familyFills = [decode.Families][][]columnFill{
	decode.FamilySystem:     {eventFills, headerFills, headerIDFills, hookFills, systemTimeFills, counterFills, headerSizeFills, fieldsFills},
	decode.FamilyPerfInfo:   {eventFills, headerFills, hookFills, counterFills, headerSizeFills, fieldsFills},
	decode.FamilyEventTrace: {eventFills, headerFills, headerIDFills, classFills, timeFills, headerSizeFills, fieldsFills},
	decode.FamilyInstance:   {eventFills, headerFills, headerIDFills, classFills, timeFills, instanceFills, headerSizeFills, fieldsFills},
	decode.FamilyEvent:      {eventFills, headerFills, descriptorFills, headerOnlyFills, timeFills, relatedFills, itemFills, eventSizeFills, fieldsFills},
	decode.FamilyMessage:    {eventFills, headerFills, wppFills, hasTimeFills, messageFills, headerSizeFills, fieldsFills},
	decode.FamilyOther:      {eventFills, headerFills, otherFills, hasTimeFills},
}

var eventsTableFills = [][]columnFill{allEventsFills, eventFills, headerFills, summaryFills, fieldsFills, messageFills}

// fillsOf returns the fills of a table of headers, or of the table of all events.
func fillsOf(id TableID) [][]columnFill {
	if id == EventsTable {
		return eventsTableFills
	}
	if id < stackEventTable {
		return familyFills[id]
	}
	return nil
}

// NewFiller returns a filler for a wanted table, with a batch of its own.
func NewFiller(id TableID, ctx *Context) Filler {
	switch {
	case id == stackEventTable || id == stackTable:
		return newStackRows(id, ctx)
	case id >= firstPayload:
		return newPayloadRows(ctx.Catalog.Tables[id-firstPayload], ctx)
	}
	return newHeaderRows(ctx.Tables[id], ctx, fillsOf(id))
}

// contextOf returns the context for filling rows of a trace.
func contextOf(x *index.Index, payload PayloadMode, d demand) *Context {
	h := x.File.Header()
	pointerSize := int32(8)
	if h.PointerSize == 4 {
		pointerSize = 4
	}
	return &Context{
		file: x.File, clock: x.Clock, names: x.Names(), Catalog: x.Catalog, payload: payload, pointerSize: pointerSize, private: h.Private(),
		counters: x.Session.Counters, owners: x.Tables(), kinds: x.EventKinds(), start: x.StartNS(), steps: x.ClockSteps, demand: d, mask: x.Mask,
	}
}
