package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// SlabRows is the rows of one slab: a filler per table, nil for those without
// events.
type SlabRows []Filler

// FillRows turns the gathered events into rows, in batches that take provides and the caller owns.
// Tables that are not selected get none.
func (g *Gathered) FillRows(ctx *Context, take func(TableID) Filler) SlabRows {
	tables := int(firstPayload) + len(ctx.Catalog.Tables)
	if n := min(BlockRows, len(g.Entries)); len(g.block.rows) < n {
		g.block.rows = make([]row, n)
	}
	if g.block.byTable == nil {
		g.block.byTable = make([][]*row, tables)
	}
	if g.Tally == nil {
		g.Tally = make(index.Tally, len(ctx.Catalog.Kinds)+1)
	}
	g.block.expect(ctx, g)
	s := slabFiller{ctx: ctx, gathered: g, take: take, rows: make(SlabRows, tables)}
	for from := 0; from < len(g.Entries) && ctx.demand.rows; from += BlockRows {
		entries := g.Entries[from:min(from+BlockRows, len(g.Entries))]
		g.block.load(g, ctx, entries)
		s.fill(&g.block)
		countRows(g.Tally, ctx, g.block.rows[:len(entries)])
	}
	if ctx.stacks {
		g.fillStacks(&s)
	}
	return s.rows
}

// TakePayloadProblems returns the problems of the payloads of the rows, by table.
func (g *Gathered) TakePayloadProblems(rows SlabRows) (list PayloadProblems) {
	for id, filler := range rows {
		if payloads, ok := filler.(*payloadRows); ok {
			list = append(list, payloads.takeProblems()...)
		}
		if id < len(g.block.payloadProblems) {
			list = append(list, g.block.payloadProblems[id].takeProblems()...)
		}
	}
	return list
}

// BlockRows is the number of events that go through the tables at a time: few enough that their
// bytes stay in the processor's cache, enough that each column gets a run.
const BlockRows = 512

// block is some events of a slab, and the tables they go to.
type block struct {
	rows            []row
	columns         blockColumns
	byTable         [][]*row  // by TableID
	touched         []TableID // those that have rows
	expects         []int32   // rows in the whole slab, by TableID
	texts           describer
	fits            fits.Fitter
	payloadProblems []PayloadProblems // by TableID, of payloads that are fitted without rows
	sum             byte              // of bytes read, so that reading them is not optimized away
	kinds           []blockKind       // by catalog.Kind.Number; the last is of a kind that is not listed
}

// blockKind is what load needs to know of a kind of event.
type blockKind struct {
	of    *catalog.Kind // nil if not looked up yet
	needs needs
	sizes *decode.PointerSizes // nil if the header's size is right
}

// kind returns what is known of a row's kind.
func (b *block) kind(ctx *Context, r *row) *blockKind {
	if b.kinds == nil {
		b.kinds = make([]blockKind, len(ctx.Catalog.Kinds)+1)
	}
	k := &b.kinds[r.Number]
	if k.of != r.Kind {
		*k = blockKind{of: r.Kind, needs: ctx.needsOf(r.Family, r.Kind)}
		if ctx.wantsPointers(k.needs) {
			k.sizes = b.fits.PointerSizes(r.Kind)
		}
	}
	return k
}

// touch reads a byte of each cache line of the events, so that the processor loads many lines at a
// time. Without it, load waits for the header of each event in turn.
func (b *block) touch(g *Gathered, entries []entry) {
	sum := byte(0)
	for i := range entries {
		raw := g.bytes(&entries[i])
		for raw = raw[:min(touched, len(raw))]; len(raw) > 0; raw = raw[min(cacheLine, len(raw)):] {
			sum += raw[0]
		}
	}
	b.sum = sum
}

const (
	cacheLine = 64      // bytes, in most processors
	touched   = 1 << 10 // bytes of an event: those of a block stay in the processor's cache
)

// load fills the block with events.
func (b *block) load(g *Gathered, ctx *Context, entries []entry) {
	for _, id := range b.touched {
		b.byTable[id] = b.byTable[id][:0]
	}
	b.touched = b.touched[:0]
	b.texts.reset()
	b.columns.reset()
	b.touch(g, entries)
	for i := range entries {
		e := &entries[i]
		s := &g.segments[e.segment]
		r := &b.rows[i]
		ctx.file.Event(&r.Event, g.bytes(e), e.header)
		e.setTime(&r.Event)
		r.ref = s.buffer<<32 | int64(e.pos)
		r.place = uint16(i)
		r.complete(ctx, &g.finder, e.found(), &b.columns.items)
		if r.Varies {
			r.Kind = b.fits.Choose(r.Kind.OfEvent(&r.Event), r.pointerSize, r.payload)
		}
		kind := b.kind(ctx, r)
		r.location.spans, r.isResized = nil, false
		if sizes := kind.sizes; sizes != nil && !sizes.IsPlain(int(r.pointerSize), r.payload) {
			size, spans := sizes.Of(int(r.pointerSize), r.payload)
			r.isResized, r.pointerSize = int32(size) != r.pointerSize, int32(size)
			if spans != nil {
				r.location = b.texts.keep(spans, decode.Fit{Used: len(r.payload)})
			}
		}
		r.resolveOwner(g.resolver, e.running, kind.needs&needsOwner != 0)
		b.columns.read(ctx, r, s.processor)
		b.texts.describe(ctx, r, kind.needs)
		if ctx.Tables[EventsTable] != nil {
			b.put(EventsTable, r)
		}
		if r.Literal.Table != nil {
			b.put(payloadTable(r.Literal.Table), r)
		}
		b.put(TableID(r.Family), r)
	}
}

// expect counts the rows that tables will have. An event may turn out to have the layout of another
// build, and so another table: the counts only reserve memory.
func (b *block) expect(ctx *Context, g *Gathered) {
	b.expects = append(b.expects[:0], make([]int32, len(b.byTable))...)
	copy(b.expects, g.families[:])
	b.expects[EventsTable] = int32(len(g.Entries))
	for place, n := range g.kinds {
		if t := ctx.Catalog.Kinds[place].Literal.Table; n > 0 && t != nil {
			b.expects[payloadTable(t)] += n
		}
	}
}

func (b *block) put(id TableID, r *row) {
	if len(b.byTable[id]) == 0 {
		b.touched = append(b.touched, id)
	}
	b.byTable[id] = append(b.byTable[id], r)
}

// complete sets what all tables need from the event. found is the finder's result for it. Extended
// items that few events share go to items, if they are selected.
func (r *row) complete(ctx *Context, finder *catalog.Finder, found catalog.Found, items *extendedItems) {
	if r.pointerSize = int32(r.PointerSize()); r.pointerSize == 0 {
		r.pointerSize = ctx.pointerSize
	}
	switch r.items = found.Items; {
	case r.items > 0:
		r.payload = r.Raw[decode.EventHeaderSize+len(finder.Items(r.items)):]
	case ctx.items && r.Family == decode.FamilyEvent:
		walk := r.Header().Items()
		items.add(int(r.place), &walk)
		r.payload = r.Raw[walk.End():]
	default:
		r.payload = r.Payload()
	}
	r.decoded, r.reading, r.rest = false, decode.Whole, 0
	if found.Place >= 0 {
		r.key, r.Kind = *ctx.Catalog.Key(int(found.Place)), &ctx.Catalog.Kinds[found.Place]
		return
	}
	finder.KeyOf(&r.Event, &r.key)
	r.Kind = ctx.Catalog.Of(&r.key)
}

// resolveOwner sets process and thread, if wanted.
func (r *row) resolveOwner(resolver *attribution.Resolver, running uint32, wanted bool) {
	r.process = -1
	if !wanted {
		r.owner.Clear()
		return
	}
	resolver.OwnerSized(&r.Event, r.Literal.Event, r.Version, int(r.pointerSize), running, &r.owner)
	if r.owner.Process != attribution.NoID {
		r.process = int32(resolver.Process(r.owner.Process, r.Time))
	}
}

// slabFiller puts the events of a slab into the tables they belong to.
type slabFiller struct {
	ctx      *Context
	gathered *Gathered
	take     func(TableID) Filler
	rows     SlabRows
}

// fill fills the rows of payloads that have a layout, and then those of headers, which keep the
// payloads that were not decoded.
func (s *slabFiller) fill(b *block) {
	for _, id := range b.touched {
		if id < firstPayload {
			continue
		}
		if s.ctx.Tables[id] != nil {
			s.append(b, id)
		}
		if s.ctx.needs[id]&needsPayload == 0 {
			b.fit(s.ctx, id)
		}
	}
	for _, id := range b.touched {
		if id < firstPayload && s.ctx.Tables[id] != nil {
			s.append(b, id)
		}
	}
}

// fit checks the payloads of a table as payloadRows does, without making rows.
func (b *block) fit(ctx *Context, id TableID) {
	for _, r := range b.byTable[id] {
		if !ctx.wantsFit(&r.key) {
			continue
		}
		if b.payloadProblems == nil {
			b.payloadProblems = make([]PayloadProblems, len(ctx.Tables))
		}
		if r.IsOther {
			b.payloadProblems[id].noteOther(r, 1)
		}
		if r.isResized {
			b.payloadProblems[id].noteResized(r, 1)
		}
		var fit decode.Fit
		if r.location.spans != nil {
			fit = b.fits.Located(r.Kind, r.pointerSize, r.payload, r.location.spans, r.location.fit)
		} else {
			fit = b.fits.Fit(r.Kind, r.pointerSize, r.payload)
		}
		b.payloadProblems[id].judge(r, &fit)
		b.payloadProblems[id].noteTime(r, b.fits.NoDate(r.Kind, r.pointerSize, r.payload))
	}
}

// append appends the rows of a block to a table. After the first block the batch reserves room for
// the following ones, so that it does not grow many times.
func (s *slabFiller) append(b *block, id TableID) {
	filler := s.table(id)
	isFirst := filler.Batch().Rows == 0
	filler.fill(&b.columns, b.byTable[id])
	if isFirst {
		filler.Batch().Expect(int(b.expects[id]))
	}
}

// table returns the filler of a table.
func (s *slabFiller) table(id TableID) Filler {
	if s.rows[id] == nil {
		s.rows[id] = s.take(id)
		s.rows[id].start().reset()
		if p, ok := s.rows[id].(*payloadRows); ok && p.code != nil {
			p.code.reset(s.gathered.framesOf(s.ctx), &p.batch.Texts)
		}
	}
	return s.rows[id]
}
