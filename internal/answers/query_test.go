package answers

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const sample = "../../testdata/sample.etl"

// openForQuery opens traces, and returns them with the notes about their answers.
func openForQuery(t *testing.T, o reading.Options, paths ...string) (*reading.Traces, *strings.Builder) {
	t.Helper()
	t.Setenv(Variable, interop.NewDuckDB(t))
	notes := new(strings.Builder)
	o.OnNote = func(text string) { notes.WriteString(text + "\n") }
	traces, err := reading.OpenAll(t.Context(), paths, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
	})
	return traces, notes
}

// textOf returns the rows of a reader as text, and its error. It releases the reader.
func textOf(r array.RecordReader) (string, error) {
	defer r.Release()
	var b strings.Builder
	for r.Next() {
		batch := r.RecordBatch()
		for i := range int(batch.NumRows()) {
			for _, column := range batch.Columns() {
				b.WriteString(column.ValueStr(i) + " ")
			}
			b.WriteString("\n")
		}
	}
	return b.String(), r.Err()
}

// TestQuery checks the answers of the library, without a cache, and with one twice: also their errors.
func TestQuery(t *testing.T) {
	day := time.Date(2024, 5, 1, 0, 0, 0, 123456789, time.UTC)
	for name, test := range map[string]struct {
		sql        string
		parameters map[string]any
		want       string
		err, note  string
	}{
		"events":     {sql: "SELECT count(*) FROM events", want: "449 \n"},
		"a view":     {sql: "SELECT process_name, session_id FROM processes WHERE process_name = $name", parameters: map[string]any{"name": "explorer.exe"}, want: "explorer.exe 1 \n"},
		"values":     {sql: "SELECT $a, $b, $c, $d, $e, $f", parameters: map[string]any{"a": nil, "b": true, "c": int64(-5), "d": 1.5, "e": "it's", "f": day}, want: "(null) true -5 1.5 it's 2024-05-01T00:00:00.123456Z \n"},
		"no rows":    {sql: "FROM gc", note: "gc"},
		"two":        {sql: "SELECT 1; SELECT 2", err: "the SQL must be one SELECT"},
		"no select":  {sql: "CREATE TABLE x (a INTEGER)", err: "the SQL must be one SELECT"},
		"syntax":     {sql: "SELEC 1", err: "syntax error"},
		"no value":   {sql: "SELECT $a", err: "$a"},
		"no type":    {sql: "SELECT $a", parameters: map[string]any{"a": []int{1}}, err: "[]int"},
		"no table":   {sql: "FROM proceses", err: "did you mean processes?"},
		"while read": {sql: "SELECT error('late') FROM events", err: "late"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "cache")
			for round, cache := range []string{"", folder, folder} {
				traces, notes := openForQuery(t, reading.Options{Cache: cache}, sample)
				var got string
				rows, err := Query(t.Context(), traces, test.sql, test.parameters)
				if err == nil {
					got, err = textOf(rows)
				}
				if got != test.want || !strings.Contains(notes.String(), test.note) || (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
					t.Errorf("round %d: got %q, error %v, notes %q", round, got, err, notes)
				}
			}
		})
	}
}

// TestQueryEnds checks that rows can be released at once, that a cancelled context ends a question, and that
// the error of a damaged trace comes after the rows of others.
func TestQueryEnds(t *testing.T) {
	traces, _ := openForQuery(t, reading.Options{Options: pipeline.Options{TempDir: t.TempDir()}}, sample)
	const many = "SELECT a.event_ref FROM events a, events b"
	rows, err := Query(t.Context(), traces, many, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !rows.Next() {
		t.Errorf("no rows: %v", rows.Err())
	}
	rows.Release()
	ctx, stop := context.WithCancel(t.Context())
	if rows, err = Query(ctx, traces, many, nil); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := textOf(rows); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(traces.Options().TempDir, "*")); err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %q, %v", left, err)
	}
	gone := filepath.Join(t.TempDir(), "gone.etl")
	testenv.WriteFile(t, gone, testenv.ReadFile(t, sample))
	traces, _ = openForQuery(t, reading.Options{}, sample, gone)
	testenv.WriteFile(t, gone, []byte("no trace"))
	rows, err = Query(t.Context(), traces, "SELECT count(*) FROM events", nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := textOf(rows)
	if failed := new(facts.InputError); got != "449 \n" || !errors.As(err, &failed) || failed.Input != gone {
		t.Errorf("got %q, error %v", got, err)
	}
}

// TestQueryMemory checks that a limit that the caller gives is DuckDB's, and that the default of scans is not.
func TestQueryMemory(t *testing.T) {
	for name, test := range map[string]struct {
		limit   int64
		isGiven bool
	}{"given": {300 << 20, true}, "default": {0, false}} {
		t.Run(name, func(t *testing.T) {
			traces, _ := openForQuery(t, reading.Options{MaxDuckDB: test.limit}, sample)
			rows, err := Query(t.Context(), traces, "SELECT current_setting('memory_limit') IN ('300.0 MiB', '512.0 MiB')", nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := textOf(rows); err != nil || got != strconv.FormatBool(test.isGiven)+" \n" {
				t.Errorf("limited: %q, error %v", got, err)
			}
		})
	}
}
