package slabs

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Part is a part of a slab, with the range of its events' times.
type Part struct {
	Slab
	First, Last decode.Ticks
	HasEvents   bool // if false, no buffer has events of the part, and the times are undefined
}

// Limits on how finely a buffer may be cut.
const (
	cutsPerBuffer = 64
	eventsPerCut  = 64
)

// Cut divides a slab into at most n consecutive parts, with about equally many events of the
// buffers for which wanted is true. With wholeTimes, all events of one time are in one part. The
// parts depend only on the trace and the arguments.
func Cut(x *index.Index, wanted func(i int) bool, within Slab, n int, wholeTimes bool) []Part {
	l := newTimeline(x, ranksOf(x), wanted)
	var points []point
	var total int64
	for p := range l.points(x, cutsPerBuffer, eventsPerCut) {
		if within.has(p.key) {
			points = append(points, p)
			total += p.events
		}
	}
	share := float64(total) / float64(n)
	start, parts := within.From, []Part(nil)
	var events, before int64 // of all points so far, and of points at earlier times
	for i, p := range points {
		if i == 0 || p.key.Time > points[i-1].key.Time {
			before = events
		}
		if due := share * float64(len(parts)+1); float64(events) >= due && len(parts) < n-1 {
			// Events of the same time stay together, unless they are many.
			border := Key{Time: p.key.Time}
			if !wholeTimes && float64(before) < due-share/2 {
				border = p.key
			}
			if border.Compare(start) > 0 && events > 0 {
				parts = append(parts, l.part(Slab{start, border}))
				start = border
			}
		}
		events += p.events
	}
	return append(parts, l.part(Slab{start, within.To}))
}

// has reports whether a key is in the slab.
func (s Slab) has(k Key) bool { return k.Compare(s.From) >= 0 && k.Compare(s.To) < 0 }

// part returns a slab with the times of its events, as far as the buffers show them.
func (l *Timeline) part(s Slab) Part {
	p := Part{Slab: s, First: decode.MaxTicks, Last: decode.MinTicks}
	before := s.To.Time // the last time in the slab
	if s.To.Rank == 0 && before > decode.MinTicks {
		before--
	}
	for _, b := range l.BuffersOf(s, nil) {
		p.First, p.Last = min(p.First, max(b.First, s.From.Time)), max(p.Last, min(b.Last, before))
	}
	p.HasEvents = p.First <= p.Last
	return p
}
