package interop_test

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/internal/lake/views/viewstest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// columnParts are datasets of parts with selected columns: for each part its columns, nil
// for all.
var columnParts = map[string][][]string{
	"whole":                    {nil},
	"one column":               {{"time_ns"}},
	"whole, and one column":    {nil, {"time_ns"}},
	"a column that few have":   {{"stack"}},
	"no column of any event":   {{"process_name"}, {"buffer"}},
	"columns of the start":     {{"event_ref", "timestamp", "new_thread_id"}, {"event_ref", "old_thread_id"}},
	"one column each":          eachColumn(),
	"one column each, a whole": append(eachColumn(), nil),
}

// eachColumn selects the columns of tables that views read, one by one.
func eachColumn() (parts [][]string) {
	var names []string
	for _, table := range []string{"event_header", "event_types", "buffers", "processes", "images", "stacks", "events/Thread/CSwitch", "events/PerfInfo/SampleProf", "events/DiskIo/Read"} {
		t, _ := schema.LookupTable(table)
		for i := range t.Columns {
			names = append(names, t.Columns[i].Name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		parts = append(parts, []string{name})
	}
	return parts
}

// TestViewsOfColumns checks that, whatever columns the parts of a dataset have, its views have all
// columns of whole parts, and the queries of the cookbook run.
func TestViewsOfColumns(t *testing.T) {
	python := interop.NewPython(t)
	folder := t.TempDir()
	inputs := []string{writeEveryTable(t, folder), writeCookbookTrace(t), viewstest.NamedTrace(t, folder, "named", "Start", "Stop", 3)}
	page := readCookbook(t)
	names := slices.Sorted(maps.Keys(columnParts))
	if testenv.Running(t) < testenv.TierAll {
		names = slices.DeleteFunc(names, func(name string) bool { return len(columnParts[name]) > 2 })
	}
	whole := slices.Index(names, "whole")
	var views []map[string]any
	var queries []map[string]string
	for i, name := range names {
		root := filepath.Join(folder, fmt.Sprint(i))
		convertColumns(t, root, inputs, columnParts[name])
		views = append(views, map[string]any{"folder": root, "sql": "views.sql", "values_of": []string{""}})
		for _, statement := range page.statements {
			statement, _, _ = strings.Cut(strings.TrimSuffix(strings.TrimSpace(statement), ";"), fmt.Sprintf("LIMIT %d", cookbookLimit))
			query := "SELECT COLUMNS(*)::VARCHAR FROM (" + statement + ")"
			queries = append(queries, map[string]string{"sql": filepath.Join(root, "views.sql"), "query": query})
		}
	}
	answers := make([]viewsAnswer, len(views))
	python.Run(t, "views.py", views, &answers)
	rows := make([][][]any, len(queries))
	python.Run(t, "query.py", queries, &rows)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			compareViews(t, &answers[i], &answers[whole])
			if !slices.ContainsFunc(columnParts[name], func(columns []string) bool { return columns == nil }) {
				return
			}
			for k, title := range page.titles {
				got, want := rowsOfTrace(rows[i*len(page.titles)+k], "p0"), rowsOfTrace(rows[whole*len(page.titles)+k], "p0")
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s\n got %v\nwant %v", title, got, want)
				}
			}
		})
	}
}

// convertColumns converts each trace once for each set of columns, whole ones first.
func convertColumns(t *testing.T, root string, inputs []string, parts [][]string) {
	t.Helper()
	d, err := bundle.OpenDataset(root)
	if err != nil {
		t.Fatal(err)
	}
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b []string) int { return min(len(a), 1) - min(len(b), 1) })
	for i, columns := range parts {
		for _, input := range inputs {
			trace := fmt.Sprintf("p%d %s", i, strings.TrimSuffix(filepath.Base(input), ".etl"))
			o := bundle.Options{Options: pipeline.Options{Workers: 2, Memory: 48 << 20, Selection: selection.Selection{Columns: columns}}}
			if _, err := convertFile(d, input, trace, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := views.Write(t.Context(), d.Dataset); err != nil {
		t.Fatal(err)
	}
}

// compareViews compares views with those of whole parts. A view of an event that a provider
// defines lacks fields that no part has.
func compareViews(t *testing.T, got, want *viewsAnswer) {
	t.Helper()
	for view, err := range got.Errors {
		t.Errorf("view %s: %s", view, err)
	}
	aliases := kernelAliases()
	for view, columns := range want.Columns {
		table, own := schema.LookupTable(cmp.Or(aliases[view], view))
		has := got.Columns[view]
		switch {
		case has == nil && (!own || table.IsPayload()): // no part has its columns
		case !own && views.BuiltIn().Lookup(view) == nil:
			lacks := func(list [][2]string) func(c [2]string) bool {
				return func(c [2]string) bool { return !slices.Contains(list, c) }
			}
			shared := 1 + len(schema.CommonColumns()) - 1 + len(schema.EventColumns()) // trace and all but the payload
			if slices.ContainsFunc(columns[:shared], lacks(has)) || slices.ContainsFunc(has, lacks(columns)) {
				t.Errorf("view %s has the columns\n%v, want the first %d and some others of\n%v", view, has, shared, columns)
			}
		case !reflect.DeepEqual(has, columns):
			t.Errorf("view %s has the columns\n%v, want\n%v", view, has, columns)
		}
	}
}

// rowsOfTrace returns the rows of the traces whose names begin with a prefix.
func rowsOfTrace(rows [][]any, prefix string) (of [][]any) {
	for _, row := range rows {
		if trace, ok := row[0].(string); ok && strings.HasPrefix(trace, prefix+" ") {
			of = append(of, row)
		}
	}
	return of
}
