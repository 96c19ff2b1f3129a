package rows

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/index"
)

// SlabKey is a place in the order of all events: time, then the rank of the
// buffer in the order of processor and position in the file. Within a buffer
// no key is needed: a buffer is never cut but by time.
type SlabKey struct {
	Time decode.Ticks
	rank int32
}

func (k SlabKey) compare(other SlabKey) int {
	if c := cmp.Compare(k.Time, other.Time); c != 0 {
		return c
	}
	return cmp.Compare(k.rank, other.rank)
}

// Slab is a range of the order, with its start and without its end.
type Slab struct{ From, To SlabKey }

var (
	FirstKey = SlabKey{decode.MinTicks, 0}
	LastKey  = SlabKey{decode.MaxTicks, 1<<31 - 1} // beyond every event: ranks end below
)

const (
	slabEvents    = 256 << 10 // of a large trace
	minSlabEvents = 32 << 10
	slabsPerTrace = 8  // into which a small trace is cut, to keep more cores busy
	slabShare     = 48 // of memory, the bytes of events in one slab
	minSlabBytes  = 1 << 20
)

// Plan cuts a trace into slabs, and knows the buffers of each.
type Plan struct {
	timeline          // buffers with events to convert
	all      timeline // buffers with events
	rank     []int32  // per buffer of the file
	Events   int      // wanted in a slab
	Bytes    int64    // wanted in a slab
	Weight   int64    // bytes of columns for each byte of a slab, about
	stacks   bool     // whether stacks are wanted
	Slabs    []Slab
}

// timeline is buffers by the time of their first event.
type timeline struct {
	buffers []planBuffer
	latest  []decode.Ticks // event of the buffers up to this one
}

// planBuffer is a buffer in a plan.
type planBuffer struct {
	index       int32
	rank        int32
	first, last decode.Ticks
}

// newPlan plans the conversion of the buffers for which wanted is true. It
// depends on nothing but the trace, the selection and the memory.
func newPlan(x *index.Index, memory int64, wanted func(i int) bool, within Slab) *Plan {
	p := &Plan{
		Events: int(min(max(x.Events/slabsPerTrace, minSlabEvents), slabEvents)),
		Bytes:  max(memory/slabShare, minSlabBytes),
		Weight: 3,
		rank:   ranks(x),
		stacks: x.Tables().Stacks.Any(),
	}
	if p.stacks { // keys of stacks are short, and stand for many frames
		p.Weight = 5
	}
	p.all = newTimeline(x, p.rank, func(int) bool { return true })
	if p.timeline = newTimeline(x, p.rank, wanted); len(p.buffers) == len(p.all.buffers) {
		p.all = p.timeline
	}
	p.cut(x, within)
	return p
}

func newTimeline(x *index.Index, rank []int32, wanted func(i int) bool) (l timeline) {
	for i := range x.Buffers {
		s := &x.Buffers[i]
		if s.HasEvents() && wanted(i) {
			l.buffers = append(l.buffers, planBuffer{int32(i), rank[i], s.First, s.Last})
		}
	}
	slices.SortFunc(l.buffers, func(a, b planBuffer) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.rank, b.rank))
	})
	latest := decode.Ticks(decode.MinTicks)
	for i := range l.buffers {
		latest = max(latest, l.buffers[i].last)
		l.latest = append(l.latest, latest)
	}
	return l
}

// ranks orders the buffers by processor and position in the file.
func ranks(x *index.Index) []int32 {
	order := make([]int32, len(x.Buffers))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(x.File.BufferInfo(int(a)).Header.Processor, x.File.BufferInfo(int(b)).Header.Processor)
	})
	rank := make([]int32, len(order))
	for r, i := range order {
		rank[i] = int32(r)
	}
	return rank
}

// maxPoints bounds the memory for planning.
const maxPoints = 1 << 20

// cut puts the borders of slabs where about enough events and bytes have come
// together. Inside a buffer events are taken to be spread evenly; where they
// are not, a slab turns out too large and is cut again later.
func (p *Plan) cut(x *index.Index, within Slab) {
	type point struct {
		key           SlabKey
		events, bytes int64
	}
	if len(p.buffers) == 0 {
		return
	}
	perBuffer := min(max(maxPoints/len(p.buffers), 1), 16)
	points := make([]point, 0, perBuffer*len(p.buffers))
	for _, b := range p.buffers {
		s := &x.Buffers[b.index]
		span := uint64(b.last) - uint64(b.first)
		for i := range perBuffer {
			at := b.first + decode.Ticks(span/uint64(perBuffer)*uint64(i))
			points = append(points, point{SlabKey{at, b.rank},
				max(int64(s.Events)/int64(perBuffer), 1), max(int64(s.Bytes)/int64(perBuffer), 1)})
		}
	}
	slices.SortFunc(points, func(a, b point) int { return a.key.compare(b.key) })
	start := within.From
	var events, bytes int64
	for _, point := range points {
		if point.key.compare(within.From) < 0 || point.key.compare(within.To) >= 0 {
			continue
		}
		// Events of the same time stay together if they can: stacks are found by
		// the time of their event.
		border := SlabKey{point.key.Time, 0}
		if border.compare(start) <= 0 {
			border = point.key
		}
		if (events >= int64(p.Events) || bytes >= p.Bytes) && border.compare(start) > 0 {
			p.Slabs = append(p.Slabs, Slab{start, border})
			start, events, bytes = border, 0, 0
		}
		events += point.events
		bytes += point.bytes
	}
	p.Slabs = append(p.Slabs, Slab{start, within.To})
}

// buffersOf returns the buffers that may have events of a slab, by rank.
func (l *timeline) buffersOf(s Slab, dst []planBuffer) []planBuffer {
	from := sort.Search(len(l.latest), func(i int) bool { return l.latest[i] >= s.From.Time })
	dst = dst[:0]
	for _, b := range l.buffers[from:] {
		if b.first > s.To.Time {
			break
		}
		if (SlabKey{b.last, b.rank}).compare(s.From) >= 0 && (SlabKey{b.first, b.rank}).compare(s.To) < 0 {
			dst = append(dst, b)
		}
	}
	slices.SortFunc(dst, func(a, b planBuffer) int { return cmp.Compare(a.rank, b.rank) })
	return dst
}
