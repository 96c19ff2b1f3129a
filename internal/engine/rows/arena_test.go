package rows

import (
	"bytes"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestArena checks that runs of any length keep their bytes, and that reset allows reuse of the
// memory.
func TestArena(t *testing.T) {
	r := testenv.Seeded("arena")
	var a arena
	for round := range 5 {
		a.reset()
		type place struct{ block, at int }
		var runs [][]byte
		var places []place
		total := int64(0)
		for range 300 {
			run := bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(64<<10)>>r.IntN(10))
			if r.IntN(100) == 0 {
				run = bytes.Repeat(run, 40)
			}
			block, at := a.add(run)
			runs, places, total = append(runs, run), append(places, place{block, at}), total+int64(len(run))
		}
		for i, p := range places {
			if !bytes.Equal(a.blocks[p.block][p.at:p.at+len(runs[i])], runs[i]) {
				t.Fatalf("round %d: run %d has other bytes", round, i)
			}
		}
		if a.bytes != total {
			t.Errorf("round %d: %d bytes, want %d", round, a.bytes, total)
		}
		room := int64(0)
		for _, b := range a.blocks {
			room += int64(cap(b))
		}
		if round == 0 && room > 2*total {
			t.Errorf("room for %d bytes, for %d", room, total)
		}
	}
	if n := testing.AllocsPerRun(10, func() { a.reset(); a.add([]byte("an event")) }); n > 0 {
		t.Errorf("%v allocations after reset", n)
	}
}
