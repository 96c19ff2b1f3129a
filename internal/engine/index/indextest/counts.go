package indextest

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Count counts the payloads of a trace.
func Count(t testing.TB, x *index.Index) index.Tally {
	t.Helper()
	counts, err := x.Count(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// Summary returns the summary of a trace.
func Summary(t testing.TB, x *index.Index, file string) *facts.Info {
	t.Helper()
	s, err := x.Summary(t.Context(), file, 2)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
