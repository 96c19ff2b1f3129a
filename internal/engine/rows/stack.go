package rows

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/distinct"
	"github.com/etl2parquet/etl2parquet/schema"
)

// stackRow is a stack that is being added to the tables. It consists of parts in their order.
type stackRow struct {
	parts        []stackPart
	frames       int
	kernelFrames int32
	ns           int64 // or noTime
	process      uint32
	processAt    int32  // in attribution.Tables.Processes, or -1
	id           uint64 // if a table needs it

	hasEvent  bool // and, if the table of events is wanted:
	ref       int64
	processor int32
	key       catalog.Key
}

// stackRows fills one of the tables of stacks, from parts of stacks instead of events.
type stackRows struct {
	batchBuilder
	fills []boundStackFill

	addresses []uint64 // of all parts of the slab
	ids       []uint64 // of the batch's rows
	*stackBlock
}

// stackBlock is the stacks of a block that are not yet in the columns. Its memory is large, and goes
// from one slab to the next: the fillers, of which there are many, wait with their rows.
type stackBlock struct {
	rows   []stackRow
	frames []resolvedFrame // of the rows
	codes  frameCodes
}

// boundStackFill is a fill bound to the column of a batch.
type boundStackFill struct {
	*stackFill
	column *columns.Column
}

func newStackRows(id TableID, ctx *Context) *stackRows {
	s := &stackRows{batchBuilder: newBatchBuilder(ctx.Tables[id], ctx)}
	fills := stackFills
	if id == stackEventTable {
		fills = stackEventFills
	}
	for i := range s.batch.Columns {
		c := &s.batch.Columns[i]
		at := slices.IndexFunc(fills, func(fill stackFill) bool { return fill.name == c.Spec.Name })
		if at < 0 {
			panic(fmt.Sprintf("table %s: nothing fills %s", s.batch.Table.Name, c.Spec.Name))
		}
		s.fills = append(s.fills, boundStackFill{&fills[at], c})
	}
	return s
}

// fill is a no-op: see fillStacks.
func (s *stackRows) fill(*blockColumns, []*row) {}

// add adds a stack with its frames, if the table needs them.
func (s *stackRows) add(r *stackRow, f []resolvedFrame) {
	s.frames, s.ids = append(s.frames, f...), append(s.ids, r.id)
	if s.rows = append(s.rows, *r); len(s.rows) == BlockRows {
		s.flush()
	}
}

func (s *stackRows) addressesOf(p *stackPart) []uint64 { return s.addresses[p.from : p.from+p.frames] }

// flush appends the rows of the stacks added so far.
func (s *stackRows) flush() {
	first := s.batch.Rows
	for i := range s.fills {
		s.fills[i].fill(s, s.fills[i].column, first, s.rows)
	}
	s.batch.Rows += len(s.rows)
	s.rows, s.frames = s.rows[:0], s.frames[:0]
}

// nameOfEvent returns the code of an event's name, usually that of the last call. The class of an
// event without a description is its provider.
func (s *stackRows) nameOfEvent(key *catalog.Key) uint32 {
	kind := s.ctx.Catalog.Of(key)
	if e := kind.Literal.Event; e != nil {
		if s.lastName.event != e {
			s.lastName = eventName{e, int64(s.batch.Texts.Text(e.Class + "/" + e.Name))}
		}
		return uint32(s.lastName.code)
	}
	name := kind.Name()
	if id, ok := key.Provider(); ok {
		provider, _ := s.ctx.names.Provider(id)
		name = cmp.Or(provider, id.String()) + "/" + name
	}
	return s.batch.Texts.Text(name)
}

// stackTables makes the rows of both tables of stacks of a slab. It belongs to one
// worker.
type stackTables struct {
	slab      *slabFiller
	needsIDs  bool
	frames    *frameResolver
	resolver  *attribution.Resolver
	addresses []uint64
	ids       distinct.IDs    // of the slab
	located   []resolvedFrame // of one stack
	ofEvents  []stackOfEvent  // of the slab's events, if the table of all events has the stacks
	blocks    [2]stackBlock   // of the tables of events and of distinct stacks
}

// stackOfEvent is the stack of one of the slab's entries.
type stackOfEvent struct {
	entry int32
	id    uint64
}

// fillStacks makes the rows of the stacks of the slab.
func (g *Gathered) fillStacks(s *slabFiller) {
	p := &g.Stacks
	if len(p.parts) == 0 {
		return
	}
	g.match(s.ctx)
	t := &g.stackTables
	t.reset(g, s)
	for from := 0; from < len(p.parts); {
		to := from + 1
		for to < len(p.parts) && p.parts[to].sameStack(&p.parts[from]) {
			to++
		}
		if p.parts[from].entry != noEntry || p.complete {
			p.count(p.parts[from:to])
			if t.wanted(stackEventTable) || t.wanted(stackTable) || s.ctx.wantsStackOfEvent() {
				t.add(g, p.parts[from:to])
			}
		}
		from = to
	}
	t.fillEvents()
	for _, id := range []TableID{stackEventTable, stackTable} {
		if filler, ok := s.rows[id].(*stackRows); ok {
			filler.flush()
			filler.stackBlock = nil
		}
	}
}

// fillEvents fills the column of stacks in the table of all events, which has a row for each entry
// of the slab, in their order.
func (t *stackTables) fillEvents() {
	if len(t.ofEvents) == 0 {
		return
	}
	slices.SortFunc(t.ofEvents, func(a, b stackOfEvent) int { return cmp.Compare(a.entry, b.entry) })
	c := t.slab.rows[EventsTable].Batch().Column(schema.StackIDColumn)
	for _, of := range t.ofEvents {
		c.At(int(of.entry)).Int64(int64(of.id))
	}
}

// count counts the missing parts of a stack.
func (p *stackParts) count(stack []stackPart) {
	if stack[0].entry == noEntry {
		p.unmatched++
	}
	for i := range stack {
		if !stack[i].resolved {
			p.missing++
		}
	}
}

func (p *stackPart) sameStack(other *stackPart) bool {
	return p.event == other.event && p.entry == other.entry && p.unmatchedThread() == other.unmatchedThread()
}

// reset prepares for the stacks of a slab.
func (t *stackTables) reset(g *Gathered, s *slabFiller) {
	t.slab, t.resolver, t.addresses = s, g.resolver, g.Stacks.frames
	t.frames = g.framesOf(s.ctx)
	events := s.ctx.Tables[stackEventTable]
	t.needsIDs = t.wanted(stackTable) || events != nil && events.Column("stack_id") >= 0
	t.needsIDs = t.needsIDs || s.ctx.wantsStackOfEvent()
	t.ids.Clear()
	t.ofEvents = t.ofEvents[:0]
}

func (t *stackTables) wanted(id TableID) bool { return t.slab.ctx.Tables[id] != nil }

// add adds a stack: as a row of the table of events, and of the table of distinct stacks unless the
// slab or an earlier one has it.
func (t *stackTables) add(g *Gathered, parts []stackPart) {
	ctx := t.slab.ctx
	r := stackRow{parts: parts, ns: t.timeOf(g, &parts[0]), process: parts[0].process, processAt: -1}
	if thread := parts[0].thread; r.process == attribution.NoID && thread != attribution.NoID {
		r.process = t.resolver.ProcessOf(thread, parts[0].event)
	}
	if r.process != attribution.NoID {
		r.processAt = int32(t.resolver.Process(r.process, parts[0].event))
	}
	if t.needsIDs {
		t.identify(&r)
	}
	if entry := parts[0].entry; entry != noEntry && ctx.wantsStackOfEvent() {
		t.ofEvents = append(t.ofEvents, stackOfEvent{entry, r.id})
	}
	if t.wanted(stackEventTable) {
		if entry := parts[0].entry; entry != noEntry {
			var ev decode.Event
			ev, r.ref, r.processor = g.event(ctx, int(entry))
			ctx.Catalog.KeyOf(&ev, &r.key)
			r.hasEvent = true
		}
		t.table(stackEventTable).add(&r, nil)
	}
	if t.wanted(stackTable) && t.ids.Add(r.id) && (ctx.Seen == nil || !ctx.Seen.Known(r.id)) {
		t.table(stackTable).add(&r, t.located)
	}
}

// timeOf returns the time of a stack's event, or noTime.
func (t *stackTables) timeOf(g *Gathered, p *stackPart) int64 {
	if ns, ok := t.slab.ctx.clock.Time(p.event); ok && (p.entry == noEntry || g.Entries[p.entry].stamp != badStamp) {
		return ns
	}
	return noTime
}

// identify finds the frames of a stack, and its id: a hash of its row in the table of distinct
// stacks.
func (t *stackTables) identify(r *stackRow) {
	t.located = t.located[:0]
	name := ""
	if r.processAt >= 0 {
		name = t.slab.ctx.owners.Processes[r.processAt].Name
	}
	hash := stableHash(0).word(uint64(r.process)).text(name)
	for i := range r.parts {
		p := &r.parts[i]
		for _, address := range t.addresses[p.from : p.from+p.frames] {
			if attribution.IsKernelAddress(address, int(p.pointerSize)) {
				r.kernelFrames++
			}
			t.located = append(t.located, t.frames.at(r.process, address, p.event, int(p.pointerSize)))
			f := &t.located[len(t.located)-1]
			hash = hash.word(address).word(address - f.start).word(t.frames.hash(f))
		}
	}
	r.frames = len(t.located)
	r.id = hash.word(uint64(r.frames)).word(uint64(r.kernelFrames)).sum()
}

// table returns the filler of one of the tables, ready for the slab.
func (t *stackTables) table(id TableID) *stackRows {
	isNew := t.slab.rows[id] == nil
	filler := t.slab.table(id).(*stackRows)
	if !isNew {
		return filler
	}
	filler.stackBlock = &t.blocks[id-stackEventTable]
	if id == stackTable {
		filler.codes.reset(t.frames, &filler.batch.Texts)
	}
	filler.addresses, filler.ids = t.addresses, filler.ids[:0]
	return filler
}

// DropSeen removes the stacks that earlier slabs have, adds the others to seen, and returns the
// amount of memory that is no longer in use.
func (r SlabRows) DropSeen(seen *distinct.Set) (bytes int64, err error) {
	s, ok := r[stackTable].(*stackRows)
	if !ok {
		return 0, nil
	}
	keep, repeated := make([]bool, len(s.ids)), false
	for i, id := range s.ids {
		if keep[i], err = seen.Add(id); err != nil {
			return 0, err
		}
		repeated = repeated || !keep[i]
	}
	if repeated {
		bytes = s.batch.Memory()
		s.batch.Keep(keep)
		bytes -= s.batch.Memory()
	}
	return bytes, nil
}
