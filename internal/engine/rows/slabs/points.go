package slabs

import (
	"container/heap"
	"iter"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

const (
	maxPoints       = 1 << 20 // bounds the time for planning
	pointsPerBuffer = 16
)

// point is where some events of a buffer begin.
type point struct {
	key           Key
	events, bytes int64
}

// points returns the points of the buffers, in order: at most perBuffer per buffer, each with at
// least least events. Within a buffer it assumes that events are spread evenly; if they are not, a
// slab turns out too large and is cut again later.
func (l *Timeline) points(x *index.Index, perBuffer int, least int32) iter.Seq[point] {
	perBuffer = min(max(maxPoints/max(len(l.buffers), 1), 1), perBuffer)
	return func(yield func(point) bool) {
		var open openBuffers
		for next := 0; next < len(l.buffers) || len(open) > 0; {
			for ; next < len(l.buffers) && (len(open) == 0 || l.buffers[next].start().Compare(open[0].key) <= 0); next++ {
				b := &l.buffers[next]
				s := &x.Buffers[b.Index]
				n := min(max(int(s.Events/least), 1), perBuffer)
				span := uint64(b.Last) - uint64(b.First)
				events, bytes := max(int64(s.Events)/int64(n), 1), max(int64(s.Bytes)/int64(n), 1)
				heap.Push(&open, openBuffer{point{b.start(), events, bytes}, decode.Ticks(span / uint64(n)), n})
			}
			b := &open[0]
			if !yield(b.point) {
				return
			}
			b.key.Time += b.step
			if b.left--; b.left == 0 {
				heap.Pop(&open)
			} else {
				heap.Fix(&open, 0)
			}
		}
	}
}

// start returns the key of the first event.
func (b *Buffer) start() Key { return Key{b.First, b.Rank} }

// openBuffer is a buffer with points to come.
type openBuffer struct {
	point              // the next
	step  decode.Ticks // from point to point
	left  int          // points
}

// openBuffers is a heap: a trace has few buffers that overlap, about one for each processor.
type openBuffers []openBuffer

func (o openBuffers) Len() int           { return len(o) }
func (o openBuffers) Less(i, j int) bool { return o[i].key.Compare(o[j].key) < 0 }
func (o openBuffers) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }
func (o *openBuffers) Push(b any)        { *o = append(*o, b.(openBuffer)) }

func (o *openBuffers) Pop() any {
	last := (*o)[len(*o)-1]
	*o = (*o)[:len(*o)-1]
	return last
}
