package rows

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestColumnMismatches checks that selected columns are reported if no selected table with
// rows has them.
func TestColumnMismatches(t *testing.T) {
	x := indextest.File(t, "../../../testdata/sample.etl")
	for name, c := range map[string]struct {
		tables, columns []string
		want            string // the pattern, and the nearest names
		nothing         bool
	}{
		"all":                             {nil, []string{"time_ns", "event_id"}, "", false},
		"none":                            {nil, nil, "", false},
		"misspelt":                        {nil, []string{"time_ms", "event_ref"}, "time_ms: time_ns", false},
		"case":                            {nil, []string{"Time_NS"}, "Time_NS: time_ns", true},
		"column of another table":         {[]string{"perfinfo_trace_header"}, []string{"time_ns", "image_base"}, "image_base: ", false},
		"column of no selected table":     {[]string{"images"}, []string{"hook_id"}, "hook_id: ", true},
		"column of the events":            {[]string{"events"}, []string{"header_table", "event_nam"}, "event_nam: event_name", false},
		"column only of the events":       {[]string{"*_header"}, []string{"header_table"}, "header_table: header_type", true},
		"two":                             {nil, []string{"qqqqqqqqqqqq", "wwwwwwwwwwww"}, "qqqqqqqqqqqq:  wwwwwwwwwwww: ", true},
		"unknown table, already reported": {[]string{"nobody"}, []string{"time_ns"}, "nobody: ", true},
		"events, by wildcard":             {[]string{"event?"}, []string{"time_ns"}, "event?: ", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := filterOf(t, x, &selection.Selection{Tables: c.tables, Columns: c.columns})
			m := f.Mismatches(x)
			var got []string
			for _, mismatch := range m.List {
				got = append(got, mismatch.Pattern+": "+strings.Join(mismatch.Nearest, " "))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" || (m.Nothing != "") != c.nothing {
				t.Errorf("nothing because of %q, -want +got:\n%s", m.Nothing, diff)
			}
		})
	}
}

// TestFixedProjection checks that tables that do not hold events have the selected columns, or
// are left out.
func TestFixedProjection(t *testing.T) {
	x := indextest.File(t, "../../../testdata/sample.etl")
	f := filterOf(t, x, &selection.Selection{Tables: []string{"*"}, Columns: []string{"events", "buffer", "buffer_flag_text", "field_list"}})
	all := fixed.Buffers(x, 0, len(x.Buffers))
	wanted := f.FixedTable(schema.Buffers)
	want := make(tableTexts)
	for _, name := range []string{"events", "buffer", "buffer_flag_text"} {
		want[name] = columnTexts(all, all.Column(name))
	}
	b := all.Project(wanted)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	got := make(tableTexts)
	got.add(b)
	if diff := cmp.Diff(want, got); diff != "" || b.Table != wanted || f.FixedTable(schema.Buffers) != wanted {
		t.Errorf("-all +projected:\n%s", diff)
	}
	for _, table := range schema.FixedTables() {
		has := slices.Contains([]*schema.Table{schema.Buffers, schema.Traces, schema.EventTypes, schema.Providers, schema.Problems}, table)
		if (f.FixedTable(table) != nil) != has {
			t.Errorf("%s is wanted: %t", table.Name, !has)
		}
	}
	if f.FixedTable(schema.EventsTable()) != nil {
		t.Error("the table of all events is fixed")
	}
	if whole := filterOf(t, x, new(selection.Selection)); all.Project(whole.FixedTable(schema.Buffers)) != all {
		t.Error("a table with all its columns selected is projected")
	}
}
