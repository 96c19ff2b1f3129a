package bundle

import (
	"encoding/binary"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestManyThreads indexes a trace in which a million threads start and end. The limit is on
// live memory, without garbage.
func TestManyThreads(t *testing.T) {
	t.Parallel()
	testenv.Slow(t, "a trace of a million threads")
	const threads = 1 << 20
	data := manyThreads(t, threads)
	var x *index.Index
	p := measure(func() { x = indextest.Data(t, data) })
	t.Logf("%d threads in %d MiB of trace: %v", len(x.Tables().Threads), len(data)>>20, p)
	if n := len(x.Tables().Threads); n != threads {
		t.Errorf("%d threads, want %d", n, threads)
	}
	if most := uint64(len(data)) + 320<<20; p.live > most {
		t.Errorf("%v live, want at most %d MiB", p, most>>20)
	}
	resolver := x.Tables().Resolver()
	for i := 0; i < len(x.Tables().Threads); i += 997 {
		thread := &x.Tables().Threads[i]
		if !thread.Started || !thread.Ended {
			t.Fatalf("thread %d: %+v", thread.ID, thread.Life)
		}
		if got := resolver.ProcessOf(thread.ID, thread.From+1); got != thread.Process {
			t.Fatalf("thread %d at %d is of process %d, want %d", thread.ID, thread.From, got, thread.Process)
		}
		if got := resolver.ProcessOf(thread.ID, thread.From-1); i == 0 && got != attribution.NoID {
			t.Fatalf("thread %d before its start is of process %d", thread.ID, got)
		}
	}
}

// manyThreads returns a trace of threads that start, and end a thousand starts later. Their
// ids are reused.
func manyThreads(t *testing.T, n int) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 64 << 10}
	stream := trace.Stream()
	const alive, ids = 1000, 50000
	for i := range n + alive {
		for _, e := range []struct {
			hook   uint16
			thread int
		}{{0x0502, i - alive}, {0x0501, i}} {
			if e.thread < 0 || e.thread >= n {
				continue
			}
			payload := make([]byte, 68)
			binary.LittleEndian.PutUint32(payload, uint32(100+4*(e.thread%10)))
			binary.LittleEndian.PutUint32(payload[4:], uint32(4+4*(e.thread%ids)))
			event := etltest.Event{Kind: etltest.System64, Hook: e.hook, Version: 2, Time: int64(1000 + 10*i), PID: 4, TID: 8, Payload: payload}
			if err := stream.Add(uint16(i%4), &event); err != nil {
				t.Fatal(err)
			}
		}
	}
	stream.Flush()
	return trace.MustBytes(t)
}
