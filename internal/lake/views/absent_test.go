package views

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAbsentFile compares the files of tables that a dataset can lack with the built-in catalogue and
// with package schema.
func TestAbsentFile(t *testing.T) {
	compareFile(t, absentFile, absentLines(all().catalogueList()))
	compareFile(t, kernelFile, absentLines(all().kernelList()))
	for _, tables := range []absentTables{ready().absent(), ready().kernel()} {
		for name := range tables {
			if got := tables.table(name).viewName(); got != name {
				t.Errorf("%s is the table %s", name, got)
			}
		}
	}
}

// TestEmptyFile compares the views that a script has ready with those that it makes.
func TestEmptyFile(t *testing.T) {
	views := func(s *set) string {
		w := s.begin(&contents{pieces: make([]Piece, 1), shapes: newRecordedShapes()}, nil)
		w.tables()
		w.absentTables()
		return w.String()
	}
	compareFile(t, emptyFile, views(all()))
	if diff := cmp.Diff(views(all()), views(ready())); diff != "" {
		t.Errorf("-made +ready:\n%s", diff)
	}
}

// TestAbsentTables checks that a table is the same after it was written and parsed, and that text that
// is none is an error.
func TestAbsentTables(t *testing.T) {
	for _, begins := range []bool{false, true} {
		want := &absentTable{name: "events/A-B/c_d", doc: "A row.", begins: begins, columns: []absentColumn{
			{`"trace"`, "VARCHAR", false}, {`"a b"`, `STRUCT("x" BIGINT, "y z" VARCHAR[])[]`, true}}}
		got, err := parseAbsent(want.line())
		if err != nil {
			t.Fatal(got, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(absentTable{}, absentColumn{})); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	for _, text := range []string{"\n", "a\tb\n", "a\tb\t+\n", "a\tb\tc BIGINT\n", "a\tb\t\"c\n", "a\tb\t\"c\"\n", "a\tb\t\"c\" \n"} {
		if tables, err := parseAbsent(text); err == nil {
			t.Errorf("%q is %v", text, tables)
		}
	}
}
