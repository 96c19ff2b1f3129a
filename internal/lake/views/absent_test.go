package views

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAbsentFile compares absent.tsv with the built-in catalogue.
func TestAbsentFile(t *testing.T) {
	var got strings.Builder
	for _, table := range all().catalogueList() {
		got.WriteString(absentOf(table).line())
	}
	compareFile(t, absentFile, got.String())
}

// TestAbsentTables checks that a table is the same after it was written and parsed, and that text that
// is none is an error.
func TestAbsentTables(t *testing.T) {
	want := &absentTable{name: "events/A-B/c_d", doc: "A row.", columns: []absentColumn{
		{`"trace"`, "VARCHAR", false}, {`"a b"`, `STRUCT("x" BIGINT, "y z" VARCHAR[])[]`, true}}}
	got, err := parseAbsent(want.line())
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff(want, got["a_b_c_d"], cmp.AllowUnexported(absentTable{}, absentColumn{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, text := range []string{"\n", "a\tb\n", "a\tb\t+\n", "a\tb\tc BIGINT\n", "a\tb\t\"c\n", "a\tb\t\"c\"\n", "a\tb\t\"c\" \n"} {
		if tables, err := parseAbsent(text); err == nil {
			t.Errorf("%q is %v", text, tables)
		}
	}
}
