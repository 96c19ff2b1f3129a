package rows

import (
	"errors"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// entry is an event of a slab; see [Gathered.bytes].
type entry struct {
	time      decode.Ticks
	pos, size uint32 // in its buffer
	segment   uint32
	running   uint32 // thread on the processor, or attribution.NoThread
	header    decode.HeaderType
	stamp     stamp
	items     uint16 // see found
	place     int32  // of its kind in the catalog
}

// stamp says what the time of an event is.
type stamp uint8

const (
	noStamp  stamp = iota // that of the event before it, because it has none
	ownStamp              // its own
	badStamp              // a place in the order only: its own time cannot be
)

func stampOf(ev *decode.Event) stamp {
	switch {
	case ev.Timed:
		return ownStamp
	case ev.BadTime:
		return badStamp
	}
	return noStamp
}

// setTime restores the time of an event.
func (e *entry) setTime(ev *decode.Event) {
	ev.Time, ev.Timed, ev.BadTime = e.time, e.stamp == ownStamp, e.stamp == badStamp
}

// found returns what the filter found out about the event.
func (e *entry) found() catalog.Found { return catalog.Found{Place: e.place, Items: e.items} }

// unknown is the result for an event whose kind was not looked up, because nothing depends on it.
var unknown = catalog.Found{Place: -1}

// firstEntries is the number of entries allocated at first.
const firstEntries = 1 << 10

// segment is a run of events in the arena that are adjacent in a buffer.
type segment struct {
	buffer    int64
	processor int32
	block     int32 // of the arena
	base      int64 // position in the block minus position in the buffer
}

// run is the range of adjacent events in a buffer. Its segment has the run's index, counted after
// the segments of earlier buffers.
type run struct{ from, to uint32 }

// Gathered is the events of a slab, in time order. It belongs to one worker and is reused for the
// next slab.
type Gathered struct {
	Entries  []entry
	scratch  []entry
	arena    arena
	segments []segment
	runs     []run // of the current buffer

	buffer  decode.Buffer
	memory  []byte // for buffers that are not read into the arena
	buffers []slabs.Buffer
	block   block
	Tally   index.Tally // of all slabs so far

	kinds    []int32                // counts entries by the index of their kind,
	families [decode.Families]int32 // and by the family of their header
	finder   catalog.Finder
	resolver *attribution.Resolver
	ranks    []int32 // of the buffers, in the plan
	Stacks   stackParts

	stackTables stackTables
	frames      *frameResolver // nil until first needed
}

// bytes returns the bytes of an event.
func (g *Gathered) bytes(e *entry) []byte {
	s := &g.segments[e.segment]
	from := int64(e.pos) + s.base
	to := from + int64(e.size)
	return g.arena.slice(int(s.block), from, to)
}

// refOf returns the event_ref of an event.
func (g *Gathered) refOf(e *entry) int64 { return g.segments[e.segment].buffer<<32 | int64(e.pos) }

// framesOf returns the resolver of addresses.
func (g *Gathered) framesOf(ctx *Context) *frameResolver {
	if g.frames == nil {
		g.frames = newFrameResolver(ctx.owners, g.resolver, ctx.Symbols)
	}
	return g.frames
}

// tooLarge bounds how far a slab may exceed its plan before it is cut again.
const tooLarge = 2

// Gather collects the events of a slab. If there are far more than planned, it stops and returns a
// key that cuts the slab in two. A nil filter needs all events.
func (g *Gathered) Gather(x *index.Index, p *slabs.Plan, s slabs.Slab, needed *Filter) (cut slabs.Key, ok bool, err error) {
	g.Entries, g.segments, g.runs = g.Entries[:0], g.segments[:0], g.runs[:0]
	g.arena.reset()
	g.buffers = p.BuffersOf(s, g.buffers)
	if g.resolver == nil {
		g.resolver = x.Tables().Resolver()
	}
	g.finder.Catalog = x.Catalog
	g.families = [decode.Families]int32{}
	clear(g.kinds)
	if g.kinds == nil {
		g.kinds = make([]int32, len(x.Catalog.Kinds))
	}
	g.ranks = p.Ranks
	g.Stacks.reset(x, p, s, needed == nil)
	for _, b := range g.buffers {
		if err := g.add(x, p, b, s, needed); err != nil {
			return cut, false, err
		}
		if len(g.Entries) > tooLarge*p.Events || g.arena.bytes > tooLarge*p.Bytes {
			if cut, ok := g.middle(p, s); ok {
				return cut, false, nil
			}
		}
	}
	g.sort()
	if err := g.addStacks(x, p, needed); err != nil {
		return cut, false, err
	}
	cut, many := g.Stacks.cut()
	return cut, !many, nil
}

// add collects the readable events of one buffer. The index pass has reported any damage.
func (g *Gathered) add(x *index.Index, p *slabs.Plan, b slabs.Buffer, s slabs.Slab, needed *Filter) error {
	inArena, err := g.read(x.File, int(b.Index))
	if err != nil {
		return err
	}
	g.Stacks.walks.Begin()
	running, switches := x.Running[b.Index], x.Switches[b.Index]
	watch := switches || g.Stacks.wanted
	var damage *decode.Error
	var ev decode.Event
	for follows := false; ; { // whether the previous event is wanted
		err := g.buffer.Next(&ev)
		if errors.Is(err, io.EOF) || errors.As(err, &damage) {
			break
		}
		if err != nil {
			return err
		}
		if watch {
			hook := ev.HookID()
			switch {
			case switches && attribution.IsSwitch(hook):
				_, running = attribution.SwitchedTo(&ev)
			case g.Stacks.wanted:
				g.Stacks.note(&ev, hook, &g.buffer)
			}
		}
		key, found := slabs.Key{Time: ev.Time, Rank: b.Rank}, unknown
		wanted := key.Compare(s.From) >= 0 && key.Compare(s.To) < 0
		switch {
		case !wanted:
		case needed != nil:
			found, wanted = needed.find(&g.finder, g.resolver, &ev, running)
		case !p.NoRows:
			found = g.finder.Find(&ev)
		}
		if !wanted {
			follows = false
			continue
		}
		if !follows {
			g.runs = append(g.runs, run{from: uint32(ev.Offset)})
			follows = true
		}
		g.runs[len(g.runs)-1].to = uint32(ev.Offset + len(ev.Raw))
		g.enter(&ev, found, running)
	}
	g.keep(b, inArena)
	return nil
}

// enter adds an event to the entries. It sets the fields one by one for the reason given at
// [attribution.Resolver.OwnerSized].
func (g *Gathered) enter(ev *decode.Event, found catalog.Found, running uint32) {
	g.families[ev.Family]++
	if found.Place >= 0 {
		g.kinds[found.Place]++
	}
	n := len(g.Entries)
	if n == cap(g.Entries) {
		g.Entries = slices.Grow(g.Entries, max(n, firstEntries)) // append would grow by a quarter, and copy them often
	}
	g.Entries = g.Entries[:n+1]
	e := &g.Entries[n]
	e.time, e.stamp, e.header = ev.Time, stampOf(ev), ev.Type
	e.pos, e.size, e.segment = uint32(ev.Offset), uint32(len(ev.Raw)), uint32(len(g.segments)+len(g.runs)-1)
	e.running, e.items, e.place = running, found.Items, found.Place
}

// read reads a buffer: into the arena if it is not compressed, which saves a copy of most of it.
func (g *Gathered) read(f *decode.File, i int) (inArena bool, err error) {
	if info := f.BufferInfo(i); !info.Header.Compressed() && info.Size <= maxArenaBlock {
		g.buffer.Data, inArena = g.arena.room(int(info.Size)), true
	} else {
		g.buffer.Data = g.memory
	}
	var damage *decode.Error
	if err = f.ReadBuffer(i, &g.buffer); errors.As(err, &damage) {
		err = nil
	}
	if !inArena {
		g.memory = g.buffer.Data
	}
	return inArena, err
}

// keep moves the runs of a buffer into the arena, and makes segments of them. A buffer that was
// read into the arena stays as it is, unless much of it is not wanted.
func (g *Gathered) keep(b slabs.Buffer, inArena bool) {
	data, wanted := g.buffer.Data, 0
	for _, r := range g.runs {
		wanted += int(r.to - r.from)
	}
	whole := inArena && wanted > len(data)-len(data)/4
	var block, at int // of the buffer
	if whole {
		block, at = g.arena.claim(len(data), wanted)
	}
	for _, r := range g.runs {
		base := int64(at)
		if !whole {
			block, at = g.arena.add(data[r.from:r.to])
			base = int64(at) - int64(r.from)
		}
		g.segments = append(g.segments, segment{int64(b.Index), int32(g.buffer.Header.Processor), int32(block), base})
	}
	g.runs = g.runs[:0]
}

// middle returns a key that cuts the slab at about the median event gathered so far.
func (g *Gathered) middle(p *slabs.Plan, s slabs.Slab) (slabs.Key, bool) {
	keys := make([]slabs.Key, len(g.Entries))
	for i := range g.Entries {
		keys[i] = slabs.Key{Time: g.Entries[i].time, Rank: p.Ranks[g.segments[g.Entries[i].segment].buffer]}
	}
	return s.Middle(keys)
}

// sort brings the entries into time order. They are appended by rank of buffer, and in each buffer
// by position, which is the required order of events of the same time. So the sort must be stable.
// It merges runs, because per processor the events are in order already.
func (g *Gathered) sort() {
	if cap(g.scratch) < len(g.Entries) {
		g.scratch = make([]entry, cap(g.Entries))
	}
	src, dst := g.Entries, g.scratch[:len(g.Entries)]
	ends := runEnds(src)
	for len(ends) > 1 {
		merged := ends[:0]
		start := 0
		for i := 0; i < len(ends); i += 2 {
			middle, end := ends[i], ends[min(i+1, len(ends)-1)]
			mergeRuns(dst[start:end], src[start:middle], src[middle:end])
			merged = append(merged, end)
			start = end
		}
		ends = merged
		src, dst = dst, src
	}
	g.Entries, g.scratch = src, dst[:cap(dst)]
}

// runEnds returns the ends of the runs of ascending times.
func runEnds(entries []entry) []int {
	var ends []int
	for i := 1; i < len(entries); i++ {
		if entries[i].time < entries[i-1].time {
			ends = append(ends, i)
		}
	}
	return append(ends, len(entries))
}

// mergeRuns merges two runs into dst; at equal times, the entries of a come first.
func mergeRuns(dst, a, b []entry) {
	for len(a) > 0 && len(b) > 0 {
		if b[0].time < a[0].time {
			dst[0] = b[0]
			b = b[1:]
		} else {
			dst[0] = a[0]
			a = a[1:]
		}
		dst = dst[1:]
	}
	copy(dst[copy(dst, a):], b)
}
