package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestMutants writes the pages of small traces with some bytes or a time changed: a page must be whole and small, and
// its data JSON.
func TestMutants(t *testing.T) {
	mutants := testenv.Times(t, 10, 100, 2000, 2000)
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no traces", err)
	}
	var traces [][]byte
	for _, path := range append(paths, "../../../testdata/sample.etl") {
		if filepath.Ext(path) == ".etl" {
			sample := testenv.ReadFile(t, path)
			traces = append(traces, sample)
			continue
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, etltest.MustParse(t, string(archive.Files[0].Data)))
	}
	random := testenv.Seeded(t.Name())
	pages := 0
	for i := range mutants {
		trace := bytes.Clone(traces[i%len(traces)])
		if mutant := decodetest.DamageTime(random, trace); mutant != nil && random.IntN(4) == 0 {
			trace = mutant
		}
		for range random.IntN(9) {
			at := random.IntN(len(trace))
			if random.IntN(2) == 0 { // where the events are
				at = random.IntN(min(len(trace), 4096))
			}
			trace[at] = byte(random.Uint32())
		}
		path := filepath.Join(t.TempDir(), "mutant.etl")
		testenv.WriteFile(t, path, trace)
		opened, err := etl2parquet.OpenAll(t.Context(), []string{path}, etl2parquet.Options{Workers: 2})
		if err != nil {
			continue
		}
		var b bytes.Buffer
		if err := report.Write(context.Background(), opened, &b, report.Options{}); err != nil {
			t.Fatalf("mutant %d: %v", i, err)
		}
		if err := opened.Close(); err != nil {
			t.Fatal(err)
		}
		if text := data(t, b.Bytes()); b.Len() >= report.MaxPage || !json.Valid([]byte(text)) {
			t.Fatalf("mutant %d: a page of %d bytes", i, b.Len())
		}
		pages++
	}
	t.Logf("%d pages of %d mutants", pages, mutants)
	if pages < mutants/2 {
		t.Errorf("%d pages of %d mutants", pages, mutants)
	}
}
