package dataset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTableOrder checks that the tables of package schema come first, in their order.
func TestTableOrder(t *testing.T) {
	order := tableOrder()
	names := []string{"traces", "buffers", "system_trace_header", "events/Thread/CSwitch", "events/A/B", "events/Z/A"}
	for i := range names {
		for j := range names {
			got := order(&TableSummary{Name: names[i]}, &TableSummary{Name: names[j]})
			if got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s and %s: %d", names[i], names[j], got)
			}
		}
	}
}

// TestAddTables checks the counts of parts and files, and that one file of each shape is kept.
func TestAddTables(t *testing.T) {
	byName := make(map[string]*TableSummary)
	file := func(name string, columns map[string]string) RecordFile {
		return RecordFile{Table: "events/P/E", File: "events/P/E/" + name, Rows: 2, Bytes: 10, Columns: columns}
	}
	x, y := map[string]string{"x": "INT32"}, map[string]string{"y": "INT32"}
	var tables []*TableSummary
	for _, r := range []*Record{
		{Tool: "1", Files: []RecordFile{file("a.parquet", x), {Table: "traces", File: "traces/a.parquet", Rows: 1, Bytes: 5}}},
		{Tool: "1", Files: []RecordFile{file("b.parquet", y), file("b_1.parquet", x)}},
		{Tool: "2", Files: []RecordFile{file("c.parquet", x)}},
	} {
		tables = addTables(tables, byName, r)
	}
	if len(tables) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	e := tables[0]
	if e.Parts != 3 || e.Files != 4 || e.Rows != 8 || e.Bytes != 40 || tables[1].Rows != 1 {
		t.Errorf("%+v", e)
	}
	var files []string
	for _, shape := range e.shapes {
		files = append(files, e.first[shape])
	}
	if diff := cmp.Diff([]string{"events/P/E/a.parquet", "events/P/E/b.parquet", "events/P/E/c.parquet"}, files); diff != "" {
		t.Error(diff)
	}
}
