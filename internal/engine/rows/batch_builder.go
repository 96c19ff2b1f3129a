package rows

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/activity"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// columnFill says how a column is filled from rows. Its name, type and meaning are in schema.
// Exactly one of the functions is set; it is called once for a block of rows, and only if the
// column is wanted.
type columnFill struct {
	name  string
	needs needs

	wide   func(b *blockColumns) *[BlockRows]int64 // a value per event of the block
	times  func(b *blockColumns) *[BlockRows]int64 // a value per event of the block, or noTime
	narrow func(b *blockColumns) *[BlockRows]int32 // a value per event of the block
	ids    func(b *blockColumns) *blockIDs
	ints   func(f *batchBuilder, v []int64, rows []*row) // a value per row
	small  func(f *batchBuilder, v []int32, rows []*row) // a value per row
	codes  func(f *batchBuilder, v []int64, rows []*row) // of texts, columns.None for null
	fill   func(f *batchBuilder, c *columns.Column, first int, rows []*row)
}

// needs is the set of values that must be known about a row, in addition to the event itself,
// before a column is filled.
type needs uint16

const (
	needsOwner     needs = 1 << iota // the event's process and thread
	needsFit                         // whether the payload fits its layout, unless all payloads are kept
	needsFields                      // the payload as JSON
	needsMessage                     // the message of the event
	needsPayload                     // the fields of the payload
	needsCounters                    // the counters in headers of kernel events
	needsItems                       // the extended items
	needsKindTexts                   // the texts that events of a kind share
	needsRuns                        // which adjacent rows share provider and name
	needsPointers                    // the size of pointers in the payload
	needsStack                       // the event's call stack
)

// append appends the values of rows to a column; first is the number of the first
// row in the batch.
func (b *columnFill) append(f *batchBuilder, c *columns.Column, first int, rows []*row) {
	n := len(rows)
	switch {
	case b.wide != nil:
		pick(columns.More(&c.Ints, n), b.wide(f.block), f.places)
	case b.times != nil:
		f.pickTimes(c, first, b.times(f.block))
	case b.narrow != nil:
		pick(columns.More(&c.Small, n), b.narrow(f.block), f.places)
	case b.ids != nil:
		f.pickIDs(c, first, b.ids(f.block))
	case b.ints != nil:
		b.ints(f, columns.More(&c.Ints, n), rows)
	case b.small != nil:
		b.small(f, columns.More(&c.Small, n), rows)
	case b.codes != nil:
		values := f.room(n)
		b.codes(f, values, rows)
		c.CodesAt(first, values)
	default:
		b.fill(f, c, first, rows)
	}
}

// findFill returns how a column is filled, or nil if none of the lists has it.
func findFill(lists [][]columnFill, name string) *columnFill {
	for _, list := range lists {
		for i := range list {
			if list[i].name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// boundFill is a fill bound to the column of a batch.
type boundFill struct {
	*columnFill
	column *columns.Column
}

// batchBuilder is the state that the fills of a batch share: codes of texts that are looked up once, and
// values that are read once for several columns.
type batchBuilder struct {
	batch *columns.Batch
	ctx   *Context
	needs needs
	fills []boundFill

	block  *blockColumns
	places []uint16        // of the rows, in the block
	rowAt  *[BlockRows]int // by place in the block: the row, if the block has items

	values    []int64                      // of a block
	sources   [attribution.IDSources]int64 // codes of their names plus 1: 0 means not looked up yet
	processes [processCodes]processCode
	nameCodes []int64 // by the code of a provider's GUID: the code of its name; see nameOf
	lastName  eventName
	classes   *[hookImage + 1]classCodes // of kernel events, by group
	logged    map[*schema.Schema]logSite // where programs log messages
	names     counterNames
	counted   []countedRow
	text      []byte       // of one item
	kindTexts []kindTexts  // in tables of headers, by catalog.Kind.Number
	shared    []*kindTexts // of a block
	lists     []listCodes  // by catalog.Found.Items
	runs      []eventRun   // of a block
	path      []byte       // memory for the path of an activity
}

func newBatchBuilder(t *schema.Table, ctx *Context) batchBuilder {
	return batchBuilder{batch: columns.NewBatch(t), ctx: ctx, names: newCounterNames(ctx.counters), path: make([]byte, 0, activity.MaxPath)}
}

// bind makes fill fill a column of the batch.
func (f *batchBuilder) bind(fill *columnFill, c *columns.Column) {
	f.needs |= fill.needs
	f.fills = append(f.fills, boundFill{fill, c})
}

// Batch returns the batch that is being filled.
func (f *batchBuilder) Batch() *columns.Batch { return f.batch }

// reset prepares an empty batch for rows.
func (f *batchBuilder) reset() {
	f.batch.Reset()
	clear(f.sources[:])
	clear(f.processes[:])
	f.nameCodes = f.nameCodes[:0]
	f.lastName.event = nil
	clear(f.kindTexts)
	if f.classes != nil {
		clear(f.classes[:])
	}
	clear(f.logged)
	clear(f.lists)
	f.names.reset()
}

func (f *batchBuilder) start() *batchBuilder { return f }

func (f *batchBuilder) fill(b *blockColumns, rows []*row) { f.append(b, rows) }

// append appends rows, except for the columns of the payload's fields, and returns the number of
// the first.
func (f *batchBuilder) append(b *blockColumns, rows []*row) (first int) {
	first = f.batch.Rows
	f.batch.Rows += len(rows)
	f.block, f.places = b, slices.Grow(f.places[:0], len(rows))
	for _, r := range rows {
		f.places = append(f.places, r.place)
	}
	if f.needs&needsCounters != 0 {
		f.count(first, rows)
	}
	if f.needs&needsRuns != 0 {
		f.findRuns(first, rows)
	}
	if f.needs&needsKindTexts != 0 {
		f.findKindTexts(rows)
	}
	if f.needs&needsItems != 0 {
		f.findItems(first)
	}
	for i := range f.fills {
		f.fills[i].append(f, f.fills[i].column, first, rows)
	}
	return first
}

// room returns memory for n values, valid until the next call.
func (f *batchBuilder) room(n int) []int64 {
	f.values = slices.Grow(f.values[:0], n)[:n]
	return f.values
}

// newHeaderRows returns a filler for a table of headers, or for the table of all events.
func newHeaderRows(t *schema.Table, ctx *Context, fills [][]columnFill) *batchBuilder {
	f := newBatchBuilder(t, ctx)
	for i := range t.Columns {
		fill := findFill(fills, t.Columns[i].Name)
		if fill == nil {
			panic(fmt.Sprintf("table %s: nothing fills %s", t.Name, t.Columns[i].Name))
		}
		f.bind(fill, &f.batch.Columns[i])
	}
	return &f
}

// needsOf returns what the rows of a table need. full is the table with all of its columns.
func needsOf(id TableID, wanted, full *schema.Table) (n needs) {
	if id >= firstPayload && wanted == full {
		if n = needsOwner | needsPayload; full.Column(schema.MessageColumn) >= 0 {
			n |= needsMessage
		}
		if full.HasDescriptor() {
			n |= needsItems
		}
		return n
	}
	for i := range wanted.Columns {
		n |= needsOfColumn(id, wanted, wanted.Columns[i].Name)
	}
	return n
}

func needsOfColumn(id TableID, t *schema.Table, name string) needs {
	if id < firstPayload {
		if fill := findFill(fillsOf(id), name); fill != nil {
			return fill.needs
		}
		return 0
	}
	switch fill := payloadFill(t, name); {
	case name == schema.MessageColumn:
		return needsMessage | needsPayload // or a field has that name
	case fill != nil:
		return fill.needs
	case name == schema.FileNameColumn && t.NamesFile(), t.Columns[t.Column(name)].LocatesCode:
		return needsOwner | needsPayload
	}
	return needsPayload
}

// wantsPointers reports whether anything that events with these needs want depends on the size of
// pointers in their payloads.
func (ctx *Context) wantsPointers(n needs) bool {
	return n&(needsPointers|needsOwner|needsPayload|needsFit|needsFields|needsMessage) != 0 || ctx.allFields || ctx.CountsPayloads()
}

// wantsFit reports whether anything that a kind of event wants depends on how its payloads fit
// their layouts.
func (ctx *Context) wantsFit(k *catalog.Key) bool {
	return ctx.CountsPayloads() || ctx.keepsUndecoded(k)
}

// keepsUndecoded reports whether the payloads of events of a kind are kept if they are not decoded.
func (ctx *Context) keepsUndecoded(k *catalog.Key) bool {
	return ctx.payload == PayloadUndecoded && ctx.families[k.Family]&needsFit != 0
}
