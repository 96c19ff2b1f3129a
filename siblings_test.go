package etl2parquet_test

import (
	"errors"
	"io/fs"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSiblings opens a trace with others: the trace of the same recording adds images, and the others
// are ignored.
func TestSiblings(t *testing.T) {
	path := testenv.Shared(t, "traces/diaghub.user_paged.1.etl")
	sibling, stranger := testenv.Shared(t, "traces/diaghub.kernel.1.etl"), testenv.Shared(t, "traces/gcevents.etl")
	images := func(paths ...string) int64 {
		trace := openWith(t, path, etl2parquet.Options{Siblings: paths})
		tables := trace.Tables()
		if i := slices.IndexFunc(tables, func(x etl2parquet.Table) bool { return x.Name == "images" }); i >= 0 {
			return tables[i].Rows
		}
		return 0
	}
	alone := images()
	if got := images(stranger, path); got != alone {
		t.Errorf("%d images with traces of other recordings and itself, %d alone", got, alone)
	}
	if got := images(stranger, sibling, path); got <= alone {
		t.Errorf("%d images with a sibling, %d alone", got, alone)
	}
	if _, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{Siblings: []string{"missing.etl"}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing sibling: error %v", err)
	}
}
