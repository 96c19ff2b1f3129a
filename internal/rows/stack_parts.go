package rows

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/index"
)

// stackPart is a part of the stack of an event of a slab.
type stackPart struct {
	event   decode.Ticks // time of the event
	time    decode.Ticks // of the record
	ref     int64        // of the record
	owner   int64        // the event's event_ref, or byTime or nobody
	process uint32
	thread  uint32
	from    int // of its frames, in stackParts.frames
	frames  int
	entry   int32 // of the event, once found, or noEntry

	processor   uint16
	pointerSize uint8
	source      stackSource
	kernel      bool // it begins in the kernel
	resolved    bool // the frames are known
}

// stackSource is what has a part of a stack.
type stackSource uint8

const (
	fromStackWalk stackSource = iota
	fromStackKey
	fromItem
	fromCLRWalk
)

var stackSourceNames = [...]string{fromStackWalk: "stack_walk", fromStackKey: "stack_key", fromItem: "item", fromCLRWalk: "clr_stack_walk"}

// Not every part names its event.
const (
	byTime = -1 // it is one of its time
	nobody = -2 // the trace does not have it
)

// noEntry stands for an event that is not there; it sorts behind those that are.
const noEntry = 1<<31 - 1

// stackParts are the parts of the stacks of a slab's events. They may be in
// any buffer: those of the slab, as they are read anyway, and those that the
// index says refer to the slab's time.
type stackParts struct {
	wanted    bool
	complete  bool // every event of the slab's time is in the slab
	stacks    *attribution.Stacks
	slab      Slab
	parts     []stackPart
	frames    []uint64
	omitted   int64 // parts beyond what there is memory for
	unmatched int64
	missing   int64 // keys that stand for nothing
	err       error // the first of looking keys up
	buffers   []int32
	buffer    decode.Buffer
	walks     attribution.WalkFinder // of the buffer that is read
	lastWalk  attribution.Walk
	found     []candidate
	reached   int // the entry from which on events are looked for: parts are matched in time order

	mostParts, mostFrames int
	borders               map[decode.Ticks][]candidate // of times that the slab has only in part
	rivals                []rival                      // events of the slab's time that are not needed, in order
	crowded               bool                         // there are more rivals than there is memory for
}

// candidate is an event that a part of a stack may belong to.
type candidate struct {
	ref       int64
	owner     attribution.Owner
	entry     int32 // in the slab, or elsewhere
	processor int32
	kernel    bool    // an event of the kernel's own
	stack     bool    // it has a part of a stack itself
	taken     [2]bool // it has a part of the process, and of the kernel
}

// elsewhere stands for an event of another slab.
const elsewhere = -1

func (p *stackParts) begin(x *index.Index, plan *Plan, s Slab, complete bool) {
	p.mostParts, p.mostFrames = max(int(plan.Bytes/bytesPerPart), 1<<10), max(int(plan.Bytes/bytesPerFrame), 1<<13)
	p.stacks, p.slab, p.complete = &x.Tables().Stacks, s, complete
	p.wanted = plan.stacks
	p.parts, p.frames = p.parts[:0], p.frames[:0]
	p.omitted, p.unmatched, p.missing = 0, 0, 0
	clear(p.borders)
	p.rivals, p.crowded = p.rivals[:0], false
}

// owns reports whether the slab has the first events of a time.
func (p *stackParts) owns(t decode.Ticks) bool {
	key := SlabKey{t, 0}
	return key.compare(p.slab.From) >= 0 && key.compare(p.slab.To) < 0
}

// has reports whether the slab has any events of a time: it may begin between
// events of the same time.
func (p *stackParts) has(t decode.Ticks) bool {
	return p.owns(t) || t == p.slab.From.Time && p.slab.From.rank > 0
}

// How many bytes planned for a slab allow for a part of a stack, and a frame. A
// slab with more is cut; one that cannot be cut has up to twice as many.
const (
	bytesPerPart  = 64
	bytesPerFrame = 32
)

// note keeps an event of any buffer if it has a part of a stack of the slab.
func (p *stackParts) note(ev *decode.Event, hook uint16, b *decode.Buffer) {
	if ev.Family == decode.FamilyEvent {
		ref := eventRef(b, ev)
		if p.walks.Find(ev, ref, &p.lastWalk) {
			p.noteWalk(&p.lastWalk, ev, b)
		}
		p.noteItems(ev, ref, b)
		return
	}
	if !attribution.IsStack(hook) {
		return
	}
	if s, ok := attribution.ParseStack(ev, hook); ok {
		p.add(&s, fromStackWalk, byTime, ev, b)
	}
}

// noteWalk keeps a stack walk of the CLR.
func (p *stackParts) noteWalk(w *attribution.Walk, ev *decode.Event, b *decode.Buffer) {
	owner := p.stacks.Resolve(w, b.Index)
	if owner == attribution.NoEvent {
		owner = nobody
	}
	p.add(&w.StackPart, fromCLRWalk, owner, ev, b)
}

// noteItems keeps an extended item that has the rest of the stack of another
// event.
func (p *stackParts) noteItems(ev *decode.Event, ref int64, b *decode.Buffer) {
	if ev.Header().Flags()&decode.EventFlagExtended == 0 {
		return
	}
	for items := ev.Header().Items(); items.Next(); {
		said, match, ok := attribution.ParseStackItem(ev, items.Type, items.Data)
		if !ok {
			continue
		}
		owner := ref
		if match != 0 {
			if first, ok := p.stacks.First(match); ok {
				said.Event, owner = first.Time, first.Ref
			}
		}
		p.add(&said, fromItem, owner, ev, b)
	}
}

// add keeps a part of a stack of the slab, and finds its frames.
func (p *stackParts) add(said *attribution.StackPart, source stackSource, owner int64, ev *decode.Event, b *decode.Buffer) {
	switch {
	case !p.has(said.Event):
		return
	case len(p.parts) >= 2*p.mostParts || len(p.frames) >= 2*p.mostFrames:
		p.omitted++
		return
	case said.HasKey:
		source = fromStackKey
	}
	part := stackPart{
		event: said.Event, time: ev.Time, ref: eventRef(b, ev), owner: owner, process: said.Process, thread: said.Thread, entry: noEntry,
		from: len(p.frames), processor: b.Header.Processor, pointerSize: uint8(said.PointerSize), source: source, resolved: true,
	}
	if part.source == fromStackKey {
		var err error
		if p.frames, part.resolved, err = p.stacks.Frames(said.Key, ev.Time, p.frames); err != nil && p.err == nil {
			p.err = err
		}
	} else {
		p.frames = attribution.AppendFrames(p.frames, said.Frames, said.PointerSize)
	}
	part.frames = len(p.frames) - part.from
	if part.frames > 0 {
		part.kernel = attribution.IsKernelAddress(p.frames[part.from], int(part.pointerSize))
	} else if hook := hookOf(ev); hook != 0 {
		part.kernel = attribution.IsKernelStack(hook)
	}
	p.parts = append(p.parts, part)
}

// addStacks reads the buffers that are not of the slab and have parts of its
// stacks.
func (g *Gathered) addStacks(x *index.Index, plan *Plan, needed *Filter) error {
	p := &g.Stacks
	if !p.wanted {
		return nil
	}
	p.buffers = p.stacks.Buffers(p.slab.From.Time, p.slab.To.Time, p.buffers[:0])
	for _, i := range p.buffers {
		if slices.ContainsFunc(g.buffers, func(b planBuffer) bool { return b.index == i }) {
			continue
		}
		if err := p.read(x, int(i)); err != nil {
			return err
		}
	}
	for _, key := range []SlabKey{p.slab.From, p.slab.To} {
		if key.rank > 0 && key != LastKey && p.borders[key.Time] == nil {
			if err := g.addBorder(x, plan, key.Time); err != nil {
				return err
			}
		}
	}
	if needed != nil {
		if err := g.addRivals(x, plan, needed); err != nil {
			return err
		}
	}
	return p.err
}

// addBorder finds the first events of a time that the slab has only in part, so
// that all slabs that have others of them see the same.
func (g *Gathered) addBorder(x *index.Index, plan *Plan, t decode.Ticks) error {
	p := &g.Stacks
	var list []candidate
	for _, b := range plan.all.buffersOf(Slab{SlabKey{t, 0}, SlabKey{t, LastKey.rank}}, nil) {
		err := p.walk(x, int(b.index), func(ev *decode.Event, running uint32) bool {
			if ev.Time == t {
				list = append(list, g.candidate(x.Catalog, ev, eventRef(&p.buffer, ev), int32(p.buffer.Header.Processor), running, elsewhere))
			}
			return len(list) < maxCandidates
		})
		if err != nil {
			return err
		}
		if len(list) == maxCandidates {
			break
		}
	}
	if p.borders == nil {
		p.borders = make(map[decode.Ticks][]candidate)
	}
	p.borders[t] = list
	return nil
}

// candidate returns an event as one that a part of a stack may belong to.
func (g *Gathered) candidate(c *catalog.Catalog, ev *decode.Event, ref int64, processor int32, running uint32, entry int32) candidate {
	var key catalog.Key
	c.KeyOf(ev, &key)
	known := c.Of(&key)
	kernel := ev.Family == decode.FamilyPerfInfo || ev.Family == decode.FamilySystem
	return candidate{
		ref: ref, entry: entry, processor: processor, kernel: kernel, stack: kernel && hookOf(ev)>>8 == stackWalkGroup,
		owner: g.resolver.Owner(ev, known.Literal.Event, known.Version, running),
	}
}

const stackWalkGroup = 0x18

// eventRef returns the event_ref of an event.
func eventRef(b *decode.Buffer, ev *decode.Event) int64 { return int64(b.Index)<<32 | int64(ev.Offset) }

// read notes the parts in a buffer.
func (p *stackParts) read(x *index.Index, i int) error {
	p.walks.Begin()
	return p.walk(x, i, func(ev *decode.Event, _ uint32) bool {
		p.note(ev, hookOf(ev), &p.buffer)
		return true
	})
}

// walk calls f for the events of a buffer and the thread that runs, until it
// returns false. Damage was reported in the index pass.
func (p *stackParts) walk(x *index.Index, i int, f func(ev *decode.Event, running uint32) bool) error {
	var damage *decode.Error
	if err := x.File.ReadBuffer(i, &p.buffer); err != nil && !errors.As(err, &damage) {
		return err
	}
	running, switches := x.Running[i], x.Switches[i]
	var ev decode.Event
	for {
		err := p.buffer.Next(&ev)
		if errors.Is(err, io.EOF) || errors.As(err, &damage) {
			return nil
		}
		if err != nil {
			return err
		}
		if hook := hookOf(&ev); switches && attribution.IsSwitch(hook) {
			_, running = attribution.SwitchedTo(&ev)
		}
		if !f(&ev, running) {
			return nil
		}
	}
}

// cut returns a time that cuts the slab in two, if it has too many parts or frames; ok
// is true if it has.
func (p *stackParts) cut() (cut SlabKey, ok bool) {
	if len(p.parts) <= p.mostParts && len(p.frames) <= p.mostFrames && !p.crowded {
		return cut, false
	}
	times := make([]decode.Ticks, len(p.parts))
	for i := range p.parts {
		times[i] = p.parts[i].event
	}
	slices.Sort(times)
	cut = SlabKey{times[len(times)/2], 0}
	if cut.Time == times[0] {
		after := sort.Search(len(times), func(i int) bool { return times[i] > times[0] })
		if after == len(times) {
			return cut, false
		}
		cut.Time = times[after]
	}
	return cut, cut.compare(p.slab.From) > 0 && cut.compare(p.slab.To) < 0
}

// match finds the event of each part, among those of the same time, and brings
// the parts of each event together: those of the kernel first.
func (g *Gathered) match(ctx *Context) {
	p := &g.Stacks
	slices.SortFunc(p.parts, func(a, b stackPart) int {
		if c := cmp.Compare(a.event, b.event); c != 0 { // as a rule
			return c
		}
		switch {
		case a.kernel && !b.kernel:
			return -1
		case b.kernel && !a.kernel:
			return 1
		}
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.ref, b.ref), cmp.Compare(a.from, b.from))
	})
	p.reached = 0
	for from := 0; from < len(p.parts); {
		to := from + 1
		for to < len(p.parts) && p.parts[to].event == p.parts[from].event {
			to++
		}
		g.matchNamed(p.parts[from:to])
		if slices.ContainsFunc(p.parts[from:to], func(part stackPart) bool { return part.owner == byTime }) {
			p.matchTime(g.candidates(ctx, p.parts[from].event), p.parts[from:to])
		}
		from = to
	}
	p.parts = slices.DeleteFunc(p.parts, func(part stackPart) bool {
		return part.entry == elsewhere || part.entry == noEntry && !p.owns(part.event)
	})
	slices.SortStableFunc(p.parts, func(a, b stackPart) int {
		if c := cmp.Compare(a.event, b.event); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.unmatchedThread(), b.unmatchedThread()))
	})
}

// unmatchedThread tells the stacks apart that have no event.
func (p *stackPart) unmatchedThread() uint32 {
	if p.entry == noEntry {
		return p.thread
	}
	return 0
}

// maxCandidates bounds how many events of the same time are looked at.
const maxCandidates = 1 << 10

// candidates returns the events of a time, in order.
func (g *Gathered) candidates(ctx *Context, t decode.Ticks) []candidate {
	first := g.firstAt(t)
	list := g.Stacks.found[:0]
	for i := first; i < len(g.Entries) && g.Entries[i].time == t && i-first < maxCandidates; i++ {
		ev, ref, processor := g.event(ctx, i)
		list = append(list, g.candidate(ctx.Catalog, &ev, ref, processor, g.Entries[i].running, int32(i)))
	}
	list = g.withRivals(list, t)
	g.Stacks.found = list
	border := g.Stacks.borders[t]
	if border == nil {
		return list
	}
	for i := range border {
		if border[i].entry = g.entryOf(border[i].ref, t); border[i].entry == noEntry {
			border[i].entry = elsewhere
		}
	}
	return border
}

// firstAt returns the first entry of a time, or where it would be. The times
// asked for rise, mostly by little.
func (g *Gathered) firstAt(t decode.Ticks) int {
	from, step := g.Stacks.reached, 1
	for from+step < len(g.Entries) && g.Entries[from+step].time < t {
		from += step
		step *= 2
	}
	rest := g.Entries[from:min(from+step+1, len(g.Entries))]
	g.Stacks.reached = from + sort.Search(len(rest), func(i int) bool { return rest[i].time >= t })
	return g.Stacks.reached
}

// entryOf returns where in the slab an event is, or noEntry.
func (g *Gathered) entryOf(ref int64, t decode.Ticks) int32 {
	rank := g.ranks[ref>>32]
	at := sort.Search(len(g.Entries), func(i int) bool {
		e := &g.Entries[i]
		s := &g.segments[e.segment]
		return cmp.Or(cmp.Compare(e.time, t), cmp.Compare(g.ranks[s.buffer], rank), cmp.Compare(s.buffer<<32|(int64(e.pos)-s.base), ref)) >= 0
	})
	if at < len(g.Entries) {
		e := &g.Entries[at]
		if s := &g.segments[e.segment]; e.time == t && s.buffer<<32|(int64(e.pos)-s.base) == ref {
			return int32(at)
		}
	}
	return noEntry
}

// event returns an event of the slab once more.
func (g *Gathered) event(ctx *Context, i int) (ev decode.Event, ref int64, processor int32) {
	e := &g.Entries[i]
	s := &g.segments[e.segment]
	ctx.file.Event(&ev, g.arena[e.pos:e.pos+e.size:e.pos+e.size], e.header)
	ev.Time, ev.Timed = e.time, e.timed
	return ev, s.buffer<<32 | (int64(e.pos) - s.base), s.processor
}

// The scores of candidates. An event that has a part of the same kind already
// is the last choice.
const (
	fitsNot = iota
	fitsTaken
	fitsProcessor
	fitsThread
	fitsBest
)

// matchTime finds the events of parts that are of the same time. Each event has
// one part of the kernel and one of the process, while there are enough.
func (p *stackParts) matchTime(list []candidate, parts []stackPart) {
	for i := range list {
		list[i].taken = [2]bool{}
	}
	for i := range parts {
		part := &parts[i]
		if part.owner != byTime {
			continue
		}
		side := 0
		if part.kernel {
			side = 1
		}
		best, at := fitsNot, -1
		for j := range list {
			score := p.fit(part, &list[j])
			if score > fitsTaken && list[j].taken[side] {
				score = fitsTaken
			}
			if score > best {
				best, at = score, j
			}
			if best == fitsBest {
				break
			}
		}
		if at >= 0 {
			part.entry = list[at].entry
			list[at].taken[side] = true
		}
	}
}

// matchNamed finds the events of parts that name theirs. The events are of the same time.
func (g *Gathered) matchNamed(parts []stackPart) {
	for i := range parts {
		part := &parts[i]
		if part.owner < 0 {
			continue
		}
		part.entry = g.entryOf(part.owner, part.event)
		if _, border := g.Stacks.borders[part.event]; border && part.entry == noEntry {
			part.entry = elsewhere
		}
	}
}

// fit says how well an event fits a part of a stack of its time. It is an event
// of the same thread, or one without a thread on the same processor. Where the
// payload names another thread as the owner, the stack is that of the thread in
// the header. Sessions of the kernel record the stacks of the kernel's own
// events, so that these come first.
func (p *stackParts) fit(part *stackPart, c *candidate) int {
	o := &c.owner
	switch {
	case c.stack:
	case part.thread != attribution.NoID && (o.Thread == part.thread || o.HeaderThread == part.thread):
		if c.kernel {
			return fitsBest
		}
		return fitsThread
	case o.Thread == attribution.NoID && c.processor == int32(part.processor):
		return fitsProcessor
	}
	return fitsNot
}
