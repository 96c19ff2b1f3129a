package report

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestColumnsOfQuestions checks that a table has what orders its rows within its first three columns, where a person
// sees it without scrolling.
func TestColumnsOfQuestions(t *testing.T) {
	for _, f := range firstViews {
		if f.by == "" {
			continue
		}
		columns := columnsOf(views.BuiltIn().Lookup(f.name), f.by)
		if i := slices.IndexFunc(columns, func(c schema.Column) bool { return c.Name == f.by }); i < 0 || i > 2 {
			t.Errorf("column %s of %s has place %d", f.by, f.name, i)
		}
	}
}

// TestSince checks what is between the start of a trace and that of its page.
func TestSince(t *testing.T) {
	for name, test := range map[string]struct {
		f    facts
		want int64
	}{
		"a late first event": {facts{first: 5e9, list: []traceFacts{{traceColumns: traceColumns{Start: 2e9}}}}, 3e9},
		"at once":            {facts{first: 2e9 + 1e5, list: []traceFacts{{traceColumns: traceColumns{Start: 2e9}}}}, 0},
		"no start":           {facts{first: 5e9, list: []traceFacts{{}}}, 0},
		"an earlier event":   {facts{first: 1e9, list: []traceFacts{{traceColumns: traceColumns{Start: 2e9}}}}, 0},
		"two traces":         {facts{first: 5e9, list: []traceFacts{{traceColumns: traceColumns{Start: 2e9}}, {traceColumns: traceColumns{Start: 3e9}}}}, 0},
		"no trace":           {},
	} {
		if got := test.f.since(); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
