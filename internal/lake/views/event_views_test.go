package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestEventViews checks that an event has one view with all its tables, for any order of the
// records, and that no two events share a view.
func TestEventViews(t *testing.T) {
	start, stop, other := schema.Identity{Kind: schema.ProviderEvent, ID: 1}, schema.Identity{Kind: schema.ProviderEvent, ID: 2}, schema.Identity{Kind: schema.ProviderEvent, GUID: schema.GUID{1}, ID: 1}
	type file struct {
		table string
		event schema.Identity
	}
	var none schema.Identity
	for _, test := range []struct {
		name  string
		parts [][]file
		want  string // the views and their tables; with * where files are read one by one
	}{
		{"the name that most parts have", [][]file{{{"P/GC_Start", start}}, {{"P/Collection", start}}, {{"P/GC_Start", start}}}, "p_gc_start: P/Collection P/GC_Start"},
		{"two files of a part count once", [][]file{{{"P/B", start}, {"P/B", start}}, {{"P/A", start}}}, "p_a: P/A P/B"},
		{"equally many parts", [][]file{{{"P/B", start}}, {{"P/A", start}}}, "p_a: P/A P/B"},
		{"two events with one name", [][]file{{{"P/A", start}, {"P/B", stop}}, {{"P-A", stop}, {"P/B", start}, {"P/A", start}}, {{"P-A", stop}}},
			"p_a_1: P/A P/B*; p_a_2: P-A P/B*"},
		{"two events in a table", [][]file{{{"P/A", start}}, {{"P/A", stop}, {"P/B", stop}}, {{"P/B", stop}}}, "p_a: P/A*; p_b: P/A P/B*"},
		{"two providers", [][]file{{{"P/A", start}}, {{"P/A", other}}}, "p_a_253f19afded7d7c5: P/A*; p_a_c81513383bc3681d: P/A*"},
		{"a name that another view has", [][]file{{{"P/Taken", start}}}, "p_taken_1: P/Taken"},
		{"records without events", [][]file{{{"P/B", none}}, {{"P-B", none}}}, "p_b: P-B P/B"},
		{"no records", nil, "p_unrecorded: P/Unrecorded"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 {
				s, tables := newRecordedShapes(), make(map[string]bool)
				if test.parts == nil {
					tables["P/Unrecorded"] = true
				}
				for _, part := range test.parts {
					var r shapesRecord
					for _, f := range part {
						tables[f.table] = true
						r.Files = append(r.Files, shapedFile{Table: f.table, Event: f.event})
					}
					s.add(&r, tables, false)
				}
				var got []string
				for _, v := range s.shapes.withEvents(tables).eventViews(map[string]bool{"p_taken": true}) {
					text := fmt.Sprintf("%s: %s", v.name, strings.Join(v.tables, " "))
					if v.isShared {
						text += "*"
					}
					got = append(got, text)
				}
				if text := strings.Join(got, "; "); text != test.want {
					t.Errorf("views\n%s, want\n%s", text, test.want)
				}
				slices.Reverse(test.parts)
			}
		})
	}
}
