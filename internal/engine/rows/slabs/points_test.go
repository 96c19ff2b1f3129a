package slabs

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestPoints checks that points are in order, that the first point of each buffer is at its first
// event and none is after its last, and that the points cover all events.
func TestPoints(t *testing.T) {
	for name, shape := range indextest.Shapes {
		x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("points "+name), shape))
		l := newTimeline(x, ranksOf(x), func(int) bool { return true })
		byRank := make(map[int32][]point)
		last := First
		for p := range l.points(x, pointsPerBuffer, 3) {
			if p.key.Compare(last) < 0 {
				t.Errorf("%s: a point at %v follows one at %v", name, p.key, last)
			}
			last = p.key
			byRank[p.key.Rank] = append(byRank[p.key.Rank], p)
		}
		if len(byRank) != len(l.buffers) {
			t.Errorf("%s: %d buffers have points, of %d", name, len(byRank), len(l.buffers))
		}
		for _, b := range l.buffers {
			list := byRank[b.Rank]
			if n := len(list); n == 0 || n > pointsPerBuffer || list[0].key.Time != b.First || list[n-1].key.Time > b.Last {
				t.Fatalf("%s: events from %d to %d have points %v", name, b.First, b.Last, list)
			}
			events := int64(0)
			for _, p := range list {
				events += p.events
			}
			if want := int64(x.Buffers[b.Index].Events); events > want || events+int64(len(list)) <= want {
				t.Errorf("%s: points stand for %d events, want %d", name, events, want)
			}
		}
	}
}
