package views

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/schema"
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

// scriptOfTables returns the script of tables in a dataset that has some of them.
func scriptOfTables(s *set, filled ...string) *script {
	c := &contents{pieces: make([]Piece, 1), shapes: newRecordedShapes(), isFilled: make(map[string]bool), of: make(map[string]int)}
	c.pieces[0].Dataset = dataset.New(store.NewFolder("/d"))
	for _, name := range filled {
		c.filled, c.isFilled[name] = append(c.filled, name), true
	}
	return s.begin(c, nil)
}

// TestEmptyFile compares the views that a script has ready with those that it makes.
func TestEmptyFile(t *testing.T) {
	var text, index strings.Builder
	part := func(name, sql string) {
		text.WriteString(sql)
		fmt.Fprintf(&index, "%d\t%s\n", len(sql), name)
	}
	made := all()
	for _, table := range schema.Tables() {
		w := scriptOfTables(made)
		w.table(table)
		part(table.ViewName(), w.String())
	}
	w := scriptOfTables(made)
	w.absentTables()
	for sql := range strings.SplitSeq(strings.TrimPrefix(w.String(), viewBegins), viewBegins) {
		name, _, _ := strings.Cut(sql, " AS ")
		part(strings.Trim(name, `"`), viewBegins+sql)
	}
	compareFile(t, emptyFile, text.String())
	compareFile(t, emptyIndex, index.String())
}

// TestEmptyViews compares the scripts of tables that a dataset has and lacks with what is ready and
// without.
func TestEmptyViews(t *testing.T) {
	tables := schema.Tables()
	r := rand.New(rand.NewPCG(1, 2))
	for _, some := range []float64{0, 0.02, 0.5, 1} {
		var filled []string
		for _, table := range tables {
			if r.Float64() < some {
				filled = append(filled, table.Name)
			}
		}
		script := func(s *set) string {
			w := scriptOfTables(s, filled...)
			w.tables()
			for i, name := range slices.Sorted(maps.Keys(w.absent())) {
				w.defined[name] = some > 0 && i%3 == 0
			}
			w.absentTables()
			return w.String()
		}
		if diff := cmp.Diff(script(all()), script(ready())); diff != "" {
			t.Errorf("-made +ready:\n%s", diff)
		}
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
