package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// rowsOf returns the rows of text in a format of cat as texts, without headers.
func rowsOf(t *testing.T, format string, data string) (rows []string) {
	t.Helper()
	switch format {
	case "csv":
		records, err := csv.NewReader(strings.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records[1:] {
			rows = append(rows, strings.Join(r, "\x00"))
		}
	case "arrow":
		reader, err := ipc.NewReader(strings.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Release()
		for reader.Next() {
			batch := reader.RecordBatch()
			for i := range int(batch.NumRows()) {
				var cells []string
				for _, c := range batch.Columns() {
					cells = append(cells, c.ValueStr(i))
				}
				rows = append(rows, strings.Join(cells, "\x00"))
			}
		}
		if reader.Err() != nil {
			t.Fatal(reader.Err())
		}
	default:
		rows = strings.SplitAfter(data, "\n")
		rows = rows[:len(rows)-1]
	}
	return rows
}

// TestSplitsOfTraces compares the parts of each trace, one after another, with cat and the same flags;
// and the parts of all traces, with the schema of all, with the rows of each trace in cat of all.
func TestSplitsOfTraces(t *testing.T) {
	var traces []string
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		if info, err := os.Stat(path); err == nil && info.Size() < 1<<20 {
			traces = append(traces, path)
		}
	}
	for i, flags := range [][]string{nil, {"--table", "events"}, {"--provider", "*Kernel*"}, {"--table", "event_header", "--to", "1"}}[:testenv.Times(t, 1, 4, 4, 4)] {
		for j, format := range []string{"ndjson", "csv", "arrow"} {
			if testenv.Running(t) < testenv.TierAll && i%3 != j {
				continue
			}
			schema := filepath.Join(t.TempDir(), "all.arrows")
			all := append(append([]string{"cat"}, traces...), flags...)
			testenv.WriteFile(t, schema, outputOf(t, append(slices.Clone(all), "--limit", "0", "--format", "arrow")...))
			var parts []string // of all traces
			for _, trace := range traces {
				var got []string
				for token := range strings.FieldsSeq(outputOf(t, append([]string{"splits", trace, "--max", "3"}, flags...)...)) {
					got = append(got, rowsOf(t, format, outputOf(t, "cat", "--split", token, "--format", format))...)
					parts = append(parts, rowsOf(t, format, outputOf(t, "cat", "--split", token, "--as", schema, "--format", format))...)
				}
				want := rowsOf(t, format, outputOf(t, append([]string{"cat", trace, "--format", format}, flags...)...))
				if !slices.Equal(got, want) {
					t.Errorf("%s %q, %s: %d rows in parts, %d in cat, or others", filepath.Base(trace), flags, format, len(got), len(want))
				}
			}
			want := rowsOf(t, format, outputOf(t, append(slices.Clone(all), "--format", format)...))
			slices.Sort(want)
			slices.Sort(parts)
			if !slices.Equal(parts, want) {
				t.Errorf("all, %q, %s: %d rows in parts, %d in cat, or others", flags, format, len(parts), len(want))
			}
			t.Logf("%q, %s: %d rows of %d traces", flags, format, len(want), len(traces))
		}
	}
}
