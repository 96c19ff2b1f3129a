package views_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// eventsOf writes the table of all events of a trace into a Parquet file, and a dataset of the trace.
func eventsOf(t *testing.T, path string, files *catalog.Files, folder string) (events string, of *dataset.Dataset) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	in := pipeline.Input{Name: path, ModTime: info.ModTime(), Size: info.Size(), Trace: file}
	o := pipeline.Options{Workers: 2, Memory: 48 << 20, Messages: catalog.MessagesAll, Schemas: files}
	events = filepath.Join(folder, "events.parquet")
	d, err := bundle.OpenDataset(filepath.Join(folder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Convert(t.Context(), in, "trace", bundle.Options{Options: o}); err != nil {
		t.Fatal(err)
	}
	o.Selection.Tables = []string{schema.EventsName}
	s, err := pipeline.OpenSource(t.Context(), in, &o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	to, err := os.Create(events)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	w, err := formats.Parquet.NewWriter(to, schema.EventsTable(), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	formats.Parquet.Prepare(&o)
	if _, err := s.Rows(t.Context(), &o, w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(nil); err != nil {
		t.Fatal(err)
	}
	return events, d.Dataset
}

// TestEventsOfTraces checks that the view of all events has, column by column, the rows of the table
// that is read from the trace itself: for traces of each kind of description, and for real ones.
func TestEventsOfTraces(t *testing.T) {
	goldens, err := filepath.Glob("../../engine/rows/testdata/user/*.txtar")
	if err != nil || len(goldens) < 5 {
		t.Fatalf("%d goldens: %v", len(goldens), err)
	}
	for _, golden := range goldens {
		t.Run(strings.TrimSuffix(filepath.Base(golden), ".txtar"), func(t *testing.T) {
			text := testenv.ReadFile(t, golden)
			archive, folder := indextest.ParseArchive(string(text)), t.TempDir()
			trace := filepath.Join(folder, "trace.etl")
			testenv.WriteFile(t, trace, etltest.MustParse(t, archive.Files["trace"]))
			compareEvents(t, trace, archive.SchemaFiles(t), folder)
		})
	}
	t.Run("sample", func(t *testing.T) { compareEvents(t, "../../../testdata/sample.etl", nil, t.TempDir()) })
	for _, name := range []string{"gcevents", "HTTP_Server", "ebpforwindows", "PktMon"} {
		t.Run(name, func(t *testing.T) {
			if name != "gcevents" {
				testenv.Slow(t, "several real traces")
			}
			compareEvents(t, testenv.Shared(t, "traces/"+name+".etl"), nil, t.TempDir())
		})
	}
}

// compareEvents compares the view with the table. The order of members in fields is no part of them.
func compareEvents(t *testing.T, trace string, files *catalog.Files, folder string) {
	t.Helper()
	events, d := eventsOf(t, trace, files, folder)
	table, view := fmt.Sprintf("(FROM read_parquet('%s'))", events), "(SELECT * EXCLUDE (trace) FROM event_fields)"
	const types, rows = "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM %s)", "SELECT * FROM %s ORDER BY time_ns, event_ref"
	answers := ask(t, d, fmt.Sprintf(types, table), fmt.Sprintf(types, view), fmt.Sprintf(rows, table), fmt.Sprintf(rows, view))
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Fatalf("columns: -trace +view:\n%s", diff)
	}
	want, got := csvRows(t, answers[2]), csvRows(t, answers[3])
	if len(want) != len(got) {
		t.Fatalf("%d events, and %d in the view", len(want)-1, len(got)-1)
	}
	fields, differences := slices.Index(want[0], schema.FieldsColumn), 0
	for i := range want {
		if want[i][fields] != got[i][fields] && i > 0 {
			want[i][fields], got[i][fields] = sortedJSON(t, want[i][fields]), sortedJSON(t, got[i][fields])
		}
		if diff := cmp.Diff(want[i], got[i]); diff != "" {
			t.Errorf("event %d: -trace +view:\n%s", i, diff)
			if differences++; differences == 3 {
				t.FailNow()
			}
		}
	}
}

func csvRows(t *testing.T, text string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// sortedJSON returns an object with its members in order.
func sortedJSON(t *testing.T, text string) string {
	t.Helper()
	var value any
	if text == "NULL" {
		return text
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	sorted, err := json.Marshal(asNumbers(value))
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}

// asNumbers gives numbers one spelling: 5.0 is 5.
func asNumbers(value any) any {
	switch value := value.(type) {
	case json.Number:
		if strings.ContainsAny(string(value), ".eE") {
			if f, err := value.Float64(); err == nil {
				return f
			}
		}
	case []any:
		for i := range value {
			value[i] = asNumbers(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = asNumbers(value[name])
		}
	}
	return value
}
