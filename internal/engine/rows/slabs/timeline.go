package slabs

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Timeline is buffers in the order of their first events.
type Timeline struct {
	buffers []Buffer
	latest  []decode.Ticks // the latest event of the buffers up to this one
}

// Buffer is a buffer in a plan.
type Buffer struct {
	Index       int32        // in the file
	Rank        int32        // in the order of processor and position in the file
	First, Last decode.Ticks // times of events
}

func newTimeline(x *index.Index, ranks []int32, wanted func(i int) bool) (l Timeline) {
	for i := range x.Buffers {
		s := &x.Buffers[i]
		if s.HasEvents() && wanted(i) {
			l.buffers = append(l.buffers, Buffer{int32(i), ranks[i], s.First, s.Last})
		}
	}
	slices.SortFunc(l.buffers, func(a, b Buffer) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.Rank, b.Rank))
	})
	latest := decode.Ticks(decode.MinTicks)
	for i := range l.buffers {
		latest = max(latest, l.buffers[i].Last)
		l.latest = append(l.latest, latest)
	}
	return l
}

// BuffersOf returns the buffers that may have events of a slab, by rank. It overwrites dst.
func (l *Timeline) BuffersOf(s Slab, dst []Buffer) []Buffer {
	from := sort.Search(len(l.latest), func(i int) bool { return l.latest[i] >= s.From.Time })
	dst = dst[:0]
	for _, b := range l.buffers[from:] {
		if b.First > s.To.Time {
			break
		}
		if (Key{b.Last, b.Rank}).Compare(s.From) >= 0 && (Key{b.First, b.Rank}).Compare(s.To) < 0 {
			dst = append(dst, b)
		}
	}
	slices.SortFunc(dst, func(a, b Buffer) int { return cmp.Compare(a.Rank, b.Rank) })
	return dst
}

// ranksOf orders the buffers by processor and position in the file.
func ranksOf(x *index.Index) []int32 {
	order := make([]int32, len(x.Buffers))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(x.File.BufferInfo(int(a)).Header.Processor, x.File.BufferInfo(int(b)).Header.Processor)
	})
	ranks := make([]int32, len(order))
	for r, i := range order {
		ranks[i] = int32(r)
	}
	return ranks
}
