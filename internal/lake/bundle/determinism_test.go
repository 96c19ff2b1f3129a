package bundle

import (
	"context"
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// workerCounts are the numbers of workers that must give the same output. The race
// detector is slow, and needs only a number at which workers meet.
var workerCounts = testenv.Unraced([]int{1, 2}, 7)

// memories are limits that must give the same output.
var memories = []int64{pipeline.DefaultMemory, 48 << 20, 4 << 30}

// convertTo converts a trace into a new dataset.
func convertTo(t testing.TB, root, path string, o Options) *Report {
	t.Helper()
	d := openDataset(t, root)
	report, err := convertFile(context.Background(), d, path, "t", o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// converted returns the files of a conversion.
func converted(t testing.TB, path string, o Options) map[string]string {
	t.Helper()
	root := t.TempDir()
	convertTo(t, root, path, o)
	return testenv.Files(t, root)
}

// sameForAllWorkers converts with each number of workers and several limits on memory,
// checks that the files have the
// same bytes, and returns them.
func sameForAllWorkers(t *testing.T, path string, o Options) map[string]string {
	t.Helper()
	var first map[string]string
	for i, workers := range workerCounts {
		if testing.Short() && workers == 2 {
			continue // as 7
		}
		o.Workers, o.Memory = workers, memories[i%len(memories)]
		files := converted(t, path, o)
		if first == nil {
			first = files
			continue
		}
		if diff := testenv.Diff(sums(first), sums(files)); diff != "" {
			t.Errorf("-%d workers +%d workers, %d bytes of memory:\n%s", workerCounts[0], workers, o.Memory, diff)
		}
	}
	return first
}

// testDeterminism converts a trace with every option that must not change the output.
func testDeterminism(t *testing.T, path string) {
	o := Options{Options: pipeline.Options{Messages: catalog.MessagesAll}, Tool: "test"} // the defaults of package indextest
	sameForAllWorkers(t, path, o)
	if testing.Short() {
		return
	}
	o.Selection.Columns = []string{"time_ns", "event_ref", "payload_rest"}
	sameForAllWorkers(t, path, o)
}

func TestDeterminismOfRealTraces(t *testing.T) {
	t.Parallel()
	for _, path := range testenv.SharedTraces(t) {
		t.Run(indextest.Name(path), func(t *testing.T) {
			t.Parallel() // most of the time is spent syncing files to disk
			testDeterminism(t, path)
		})
	}
}

func TestDeterminism(t *testing.T) {
	t.Parallel()
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testDeterminism(t, indextest.Write(t, "t.etl", indextest.RandomTrace(t, testenv.Seeded(name), s)))
		})
	}
	t.Run("no events", func(t *testing.T) {
		testDeterminism(t, indextest.Write(t, "t.etl", new(etltest.Trace).MustBytes(t)))
	})
	t.Run("hostile kinds", func(t *testing.T) {
		most, payload := typesLimit(t)
		path := indextest.Write(t, "t.etl", manyKinds(t, 3*most/2, payload))
		sameForAllWorkers(t, path, Options{Options: pipeline.Options{Limits: pipeline.Limits{Types: most}}})
	})
}

// TestWorkersOption uses more workers than there are slabs.
func TestWorkersOption(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "t.etl", indextest.RandomTrace(t, testenv.Seeded("workers"), indextest.Shapes["in order"]))
	o := Options{Options: pipeline.Options{Memory: pipeline.DefaultMemory, Workers: 1}}
	first := sums(converted(t, path, o))
	for _, workers := range []int{3, 64} {
		o.Workers = workers
		if diff := testenv.Diff(first, sums(converted(t, path, o))); diff != "" {
			t.Errorf("%d workers:\n%s", workers, diff)
		}
	}
}

// manyKinds returns a trace of n events, each of a different kind, with payloads of a size.
func manyKinds(t testing.TB, n, payload int) []byte {
	t.Helper()
	trace := etltest.Trace{BufferSize: 64 << 10}
	stream := trace.Stream()
	for i := range n {
		e := etltest.Event{Kind: etltest.Event64, Time: int64(i), ID: uint16(i), Payload: make([]byte, payload)}
		copy(e.GUID[:], fmt.Sprintf("%016d", i))
		if err := stream.Add(uint16(i%3), &e); err != nil {
			t.Fatal(err)
		}
	}
	stream.Flush()
	return trace.MustBytes(t)
}
