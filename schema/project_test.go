package schema

import (
	"slices"
	"testing"
)

// TestProject checks that a projected table has the requested columns in that order, and
// the sort keys up to the first one whose column it lacks.
func TestProject(t *testing.T) {
	cswitch, _ := LookupTable("thread_cswitch")
	create, _ := LookupTable("FileIo_Create")
	cases := map[string]struct {
		table  *Table
		names  []string
		want   []string
		sorted []string
		file   bool
	}{
		"order":        {cswitch, []string{"new_thread_id", "time_ns", "nobody"}, []string{"new_thread_id", "time_ns"}, []string{"time_ns"}, false},
		"twice":        {cswitch, []string{"processor", "processor"}, []string{"processor"}, nil, false},
		"one sort key": {Images, []string{"image_base", "process_id"}, []string{"image_base", "process_id"}, []string{"process_id", "image_base"}, false},
		"second key":   {Images, []string{"image_base"}, []string{"image_base"}, nil, false},
		"file":         {create, []string{FileNameColumn, "header_thread_id"}, []string{FileNameColumn}, nil, true},
		"no file":      {create, []string{"event_ref"}, []string{"event_ref"}, nil, false},
		"header ids":   {headerTables[0], []string{"header_thread_id"}, []string{"header_thread_id"}, nil, false},
		"none":         {cswitch, []string{"nobody", ""}, nil, nil, false},
		"nothing":      {cswitch, nil, nil, nil, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := c.table.Project(c.names)
			if got == nil {
				if c.want != nil {
					t.Fatal("no table")
				}
				return
			}
			var names []string
			for i := range got.Columns {
				names = append(names, got.Columns[i].Name)
				if !sameColumn(got.Columns[i], c.table.Columns[c.table.Column(names[i])]) {
					t.Errorf("%s is a different column", names[i])
				}
			}
			if !slices.Equal(names, c.want) || !slices.Equal(got.SortBy, c.sorted) || got.Name != c.table.Name || got.Doc != c.table.Doc {
				t.Errorf("%+v", got)
			}
			if got.NamesFile() != c.file {
				t.Errorf("names a file: %t", got.NamesFile())
			}
		})
	}
}

// TestEventsTable checks that patterns do not find the table of all events, and that its
// columns have the same types as in the header tables.
func TestEventsTable(t *testing.T) {
	table := EventsTable()
	if found := FindTables("*", Tables()); slices.Contains(found, table) {
		t.Error("a pattern finds the table of all events")
	}
	checkColumns(t, table.Columns)
	if n := len(commonColumns); !sameColumns(table.Columns[1:n+1], commonColumns) || table.IsPayload() || table.NamesFile() || table.HasHeaderIDs() {
		t.Errorf("%+v", table)
	}
	for _, c := range table.Columns[len(commonColumns)+1:] {
		for _, header := range headerTables {
			if i := header.Column(c.Name); i >= 0 && !header.Columns[i].SameType(&c) {
				t.Errorf("%s.%s has another type", header.Name, c.Name)
			}
		}
	}
}
