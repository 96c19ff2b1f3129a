package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/tools/amplify/repeats"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// largeTrace returns a trace of at least size bytes: a repeated real one or, if ../shared
// is missing, a generated one.
func largeTrace(t testing.TB, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "large.etl")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	real := testenv.SharedOr(t, "traces/net.4.5.2.x86.etl")
	if len(real) == 0 {
		if _, err := out.Write(madeUpTrace(t, size)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	f := decodetest.OpenFile(t, real[0])
	if _, err := repeats.Amplify(out, f, repeats.Options{Size: size}); err != nil {
		t.Fatal(err)
	}
	return path
}

func madeUpTrace(t testing.TB, size int64) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 64 << 10}
	stream := trace.Stream()
	r := testenv.Seeded("large")
	for i := int64(0); i < size/120; i++ {
		e := indextest.RandomEvent(r, true)
		e.Time = i
		if err := stream.Add(uint16(i%4), &e); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	return trace.MustBytes(t)
}

// peaks returns the largest values of the runtime's metrics while f runs.
type peaks struct{ live, heap, total uint64 }

func (p peaks) String() string {
	return fmt.Sprintf("live %d MiB, heap %d MiB, total %d MiB", p.live>>20, p.heap>>20, p.total>>20)
}

func measure(f func()) peaks {
	runtime.GC()
	debug.FreeOSMemory()
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
	}
	var p peaks
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			metrics.Read(samples)
			p.live = max(p.live, samples[0].Value.Uint64())
			p.heap = max(p.heap, samples[1].Value.Uint64())
			p.total = max(p.total, samples[2].Value.Uint64()-samples[3].Value.Uint64())
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(stop)
	<-done
	return p
}

// TestMemory converts a trace that is larger than its memory limit, and more memory changes
// nothing of what is written. The limit is on live memory; the collector's setting decides
// how much garbage is added.
func TestMemory(t *testing.T) {
	testenv.Slow(t, "a trace of 200 MiB, three times")
	path := largeTrace(t, 200<<20)
	var want map[string]string
	for _, engine := range []pipeline.Options{{Workers: 1, Memory: 128 << 20}, {Workers: 16, Memory: 128 << 20}, {Workers: 2, Memory: pipeline.DefaultMemory}, {Workers: 16, Memory: pipeline.DefaultMemoryOf(16, 0)}} {
		o := Options{Options: engine}
		root := t.TempDir()
		p := measure(func() { convertTo(t, root, path, o) })
		t.Logf("%d workers, %d MiB: %v", o.Workers, o.Memory>>20, p)
		const least = 256 << 20 // with the index, the rows that wait and one slab in hand
		if most := max(uint64(o.Memory), least); p.live > most {
			t.Errorf("%d workers: %v; at most %d MiB may be live", o.Workers, p, most>>20)
		}
		files := sums(testenv.Files(t, root))
		if want == nil {
			want = files
		}
		if diff := cmp.Diff(want, files); diff != "" {
			t.Errorf("%d workers, %d MiB: %s", o.Workers, o.Memory>>20, diff)
		}
	}
}
