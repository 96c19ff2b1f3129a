package pipeline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// workerCounts are the numbers of workers that must give the same output. The race
// detector needs several.
var workerCounts = testenv.Unraced([]int{1, 2}, 7)

// testDeterminism makes rows by a usual plan, and by a tiny one with each number of workers.
func testDeterminism(t *testing.T, path string) {
	x := indextest.File(t, path)
	sink := newMemorySink(t)
	if _, _, err := Events(t.Context(), x, &Options{Workers: 1, Memory: DefaultMemory}, filterFor(t, x, &selection.Selection{}), sink, false); err != nil {
		t.Fatal(err)
	}
	whole := sink.contents(t)
	var first map[string]string
	for _, workers := range workerCounts {
		if testing.Short() && workers == 2 {
			continue // as 7
		}
		files := convertTiny(t, x, workers)
		if first == nil {
			first = files
			sameRows(t, whole, files)
		} else if diff := cmp.Diff(sums(first), sums(files)); diff != "" {
			t.Errorf("-%d workers +%d workers:\n%s", workerCounts[0], workers, diff)
		}
	}
}

// sameRows checks that two conversions have the same rows in the same order. Their row
// groups may differ.
func sameRows(t *testing.T, a, b map[string]string) {
	t.Helper()
	for path, data := range a {
		if data == b[path] {
			continue
		}
		if b[path] == "" {
			t.Errorf("%s is missing", path)
			continue
		}
		if diff := cmp.Diff(parquettest.Sums(t, []byte(data)), parquettest.Sums(t, []byte(b[path]))); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%d files, want %d", len(b), len(a))
	}
}

// convertTiny runs the convert pass with a plan of too large slabs, so that most are split, and
// with almost no memory, so that row groups are gathered from few slabs.
func convertTiny(t testing.TB, x *index.Index, workers int) map[string]string {
	t.Helper()
	sink := newMemorySink(t)
	p := newPipeline(x, &Options{Memory: DefaultMemory}, filterFor(t, x, &selection.Selection{}), sink)
	const parts = 200 // approximately
	p.plan.Events, p.plan.Bytes = int(max(x.Events/parts, 3)), max(x.File.Size()/parts, 1000)
	p.memory = 30 * p.plan.Bytes
	p.waiting = 5 * p.plan.Bytes
	var planned []slabs.Slab
	for i, s := range p.plan.Slabs {
		if i%4 == 0 {
			planned = append(planned, s)
		} else {
			planned[len(planned)-1].To = s.To
		}
	}
	p.plan.Slabs = planned
	if err := p.run(context.Background(), workers); err != nil {
		t.Fatal(err)
	}
	checkPassDone(t, p.progress)
	if p.inFlight != 0 {
		t.Errorf("%d bytes are in flight at the end", p.inFlight)
	}
	return sink.contents(t)
}

// TestTinyPlan checks that the limits of slabs and row groups change no row.
func TestTinyPlan(t *testing.T) {
	for name, s := range indextest.Shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testDeterminism(t, indextest.Write(t, "t.etl", indextest.RandomTrace(t, testenv.Seeded(name), s)))
		})
	}
	t.Run("no events", func(t *testing.T) {
		testDeterminism(t, indextest.Write(t, "t.etl", new(etltest.Trace).MustBytes(t)))
	})
	t.Run("real", func(t *testing.T) {
		testenv.Slow(t, "real traces, some of them large")
		for _, path := range testenv.SharedTraces(t) {
			t.Run(indextest.Name(path), func(t *testing.T) { testDeterminism(t, path) })
		}
	})
}

func sums(files map[string]string) map[string]string {
	list := make(map[string]string)
	for name, data := range files {
		list[name] = fmt.Sprintf("%x", sha256.Sum256([]byte(data)))
	}
	return list
}

func filterFor(t testing.TB, x *index.Index, s *selection.Selection) *rows.Filter {
	t.Helper()
	f, err := rows.NewFilter(s, x)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// checkPassDone checks that a convert pass has counted all its work.
func checkPassDone(t testing.TB, p *Progress) {
	t.Helper()
	if work := p.Work.Load(); p.Decoded.Load() != work || p.Encoded.Load() != work || work == 0 {
		t.Errorf("work %d, of which %d decoded, %d encoded", work, p.Decoded.Load(), p.Encoded.Load())
	}
}
