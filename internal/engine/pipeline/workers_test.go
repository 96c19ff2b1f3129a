package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/tools/amplify/repeats"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSlabsInHand checks that, with their default memory, 16 workers have at least 15 slabs in
// flight at a time, for any kind of trace.
func TestSlabsInHand(t *testing.T) {
	testenv.Slow(t, "four traces of 200 MB")
	const workers, wanted = 16, 15
	for _, source := range []string{"traces/diaghub.etl", "traces/net.4.5.2.x86.etl", "traces/diaghub.user_paged.1.etl", "traces/ebpforwindows.etl"} {
		t.Run(indextest.Name(source), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "large.etl")
			out, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			if _, err := repeats.Amplify(out, decodetest.OpenFile(t, testenv.Shared(t, source)), repeats.Options{Size: 200 << 20}); err != nil {
				t.Fatal(err)
			}
			x, err := index.Build(context.Background(), decodetest.OpenFile(t, path), index.Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer x.Close()
			p := newPipeline(x, &Options{Memory: DefaultMemoryOf(workers, 0)}, filterFor(t, x, &selection.Selection{}), new(Counter))
			p.listSlabs()
			learnFrom(t, p)
			taken := 0
			for p.takeSlab() != nil {
				taken++
			}
			t.Logf("%d slabs of %d MiB in the trace; each is charged %d MiB, and %d are in hand", len(p.plan.Slabs), p.plan.Bytes>>20, p.estimate>>20, taken)
			if taken < min(wanted, len(p.plan.Slabs)-1) || len(p.plan.Slabs) <= wanted {
				t.Errorf("%d slabs are in hand, want %d", taken, wanted)
			}
		})
	}
}

// learnFrom makes the rows of one slab, so that the pipeline has an estimate.
func learnFrom(t *testing.T, p *pipeline) {
	t.Helper()
	for done := false; !done; p.working-- {
		node := p.takeSlab()
		if err := p.decode(node); err != nil {
			t.Fatal(err)
		}
		done = node.rows != nil // else it was cut in two
	}
}
