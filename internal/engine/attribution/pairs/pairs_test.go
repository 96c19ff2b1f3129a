package pairs

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
)

// TestPairingsOfBuffers checks that many threads of one buffer have a pairing each, with the first
// and the last time, and that none takes one of an earlier buffer.
func TestPairingsOfBuffers(t *testing.T) {
	const threads, buffers, rounds = 200, 3, 4
	var s Seen
	var slots Slots
	for buffer := range buffers {
		s.Begin()
		for round := range rounds {
			for n := range threads {
				s.Add(&slots, uint32(n%7+1)*4, uint32(n+1)*4, decode.Ticks(buffer*100+round))
			}
		}
	}
	if len(s.list) != threads*buffers {
		t.Fatalf("%d pairings of %d threads in %d buffers", len(s.list), threads, buffers)
	}
	for i, v := range s.list {
		n, at := i%threads, decode.Ticks(i/threads*100)
		if want := (pairing{uint32(n+1) * 4, uint32(n%7+1) * 4, at, at + rounds - 1}); v != want {
			t.Errorf("pairing %d is %+v, not %+v", i, v, want)
		}
	}
}
