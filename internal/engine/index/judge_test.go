package index_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestJudge checks that payloads that are judged in the index pass have the same counts as payloads
// that are read again.
func TestJudge(t *testing.T) {
	traces, err := filepath.Glob("../../../testdata/*.etl")
	if err != nil || len(traces) == 0 {
		t.Fatalf("%d traces: %v", len(traces), err)
	}
	for _, path := range append(traces, testenv.SharedFiles(t, "traces/*.etl")...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var counts [2]index.Tally
			for i := range counts {
				x, err := index.Build(t.Context(), decodetest.OpenFile(t, path), index.Options{Workers: 2, Without: index.AllFacts, Judge: i == 1})
				if err != nil {
					t.Fatal(err)
				}
				counts[i] = indextest.Count(t, x)
				if err := x.Close(); err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(counts[0], counts[1]); diff != "" {
				t.Errorf("-read again +judged\n%s", diff)
			}
		})
	}
}
