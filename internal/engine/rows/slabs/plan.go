package slabs

import "github.com/etl2parquet/etl2parquet/internal/engine/index"

// Size is the planned size of a slab.
type Size struct {
	Events int
	Bytes  int64 // of events
}

const (
	slabEvents    = 256 << 10 // of a large trace
	minSlabEvents = 32 << 10
	slabBytes     = 6 << 20 // of a large trace: rows take three to five times as much
	minSlabBytes  = 1 << 20
	slabsPerTrace = 8 // into which a small trace is cut, to keep more cores busy
)

// SizeFor returns the size of slabs for a trace. It depends only on the trace, so that row groups,
// which end where a slab does, do too.
func SizeFor(x *index.Index) Size {
	return Size{
		Events: int(min(max(x.Events/slabsPerTrace, minSlabEvents), slabEvents)),
		Bytes:  min(max(x.Bytes()/slabsPerTrace, minSlabBytes), slabBytes),
	}
}

// Plan cuts a trace into slabs, and lists the buffers of each.
type Plan struct {
	Size
	Timeline          // buffers with events to convert
	All      Timeline // buffers with events
	Ranks    []int32  // per buffer of the file
	Weight   int64    // approximate bytes of columns for each byte of a slab
	Stacks   bool     // whether stacks are wanted
	NoRows   bool     // no rows of the events themselves are wanted
	Slabs    []Slab
}

// NewPlan plans the conversion of the buffers for which wanted is true. The plan depends only on
// the trace, the selection and the size.
func NewPlan(x *index.Index, size Size, wanted func(i int) bool, within Slab) *Plan {
	p := &Plan{
		Size:   size,
		Weight: 3,
		Ranks:  ranksOf(x),
		Stacks: x.Tables().Stacks.Any(),
	}
	if p.Stacks { // keys of stacks are short, but stand for many frames
		p.Weight = 4
	}
	p.All = newTimeline(x, p.Ranks, func(int) bool { return true })
	if p.Timeline = newTimeline(x, p.Ranks, wanted); len(p.buffers) == len(p.All.buffers) {
		p.All = p.Timeline
	}
	p.cut(x, within)
	return p
}

// cut ends a slab when it has enough events or bytes.
func (p *Plan) cut(x *index.Index, within Slab) {
	if len(p.buffers) == 0 {
		return
	}
	start := within.From
	var events, bytes int64
	for point := range p.points(x, pointsPerBuffer, 1) {
		if point.key.Compare(within.From) < 0 || point.key.Compare(within.To) >= 0 {
			continue
		}
		// Events of the same time stay together if possible: stacks are found by the time of their
		// event.
		border := Key{point.key.Time, 0}
		if border.Compare(start) <= 0 {
			border = point.key
		}
		if (events >= int64(p.Events) || bytes >= p.Bytes) && border.Compare(start) > 0 {
			p.Slabs = append(p.Slabs, Slab{start, border})
			start, events, bytes = border, 0, 0
		}
		events += point.events
		bytes += point.bytes
	}
	p.Slabs = append(p.Slabs, Slab{start, within.To})
}
