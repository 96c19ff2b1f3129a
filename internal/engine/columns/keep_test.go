package columns_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestKeep checks that a batch from which rows were removed equals one that never had them.
func TestKeep(t *testing.T) {
	r := testenv.Seeded("keep")
	for number := range 40 {
		table := columnstest.RandomTable(r)
		all := (&columnstest.Data{Table: table}).Fill(r, 1+r.IntN(60), 0.3, 4, 5)
		got, want := columns.NewBatch(table), columns.NewBatch(table)
		keep := make([]bool, len(all.Rows))
		for i, row := range all.Rows {
			columnstest.Append(got, row)
			if keep[i] = r.IntN(1+number%4) == 0; keep[i] {
				columnstest.Append(want, row)
			}
		}
		got.Keep(keep)
		if err := got.Check(); err != nil {
			t.Fatal(err)
		}
		if got.Rows != want.Rows || got.Texts.Len() != want.Texts.Len() || got.Memory() != want.Memory() {
			t.Fatalf("%d rows, %d texts, %d bytes; want %d, %d, %d", got.Rows, got.Texts.Len(), got.Memory(), want.Rows, want.Texts.Len(), want.Memory())
		}
		for i := range want.Columns {
			compareColumns(t, got, want, &got.Columns[i], &want.Columns[i])
		}
	}
}

// compareColumns compares the values of columns; the codes of texts may differ.
func compareColumns(t *testing.T, got, want *columns.Batch, a, b *columns.Column) {
	t.Helper()
	texts := func(batch *columns.Batch, c *columns.Column) (list []string) {
		for _, code := range c.Codes {
			list = append(list, string(batch.Texts.At(code)))
		}
		return list
	}
	if diff := cmp.Diff(texts(want, b), texts(got, a)); diff != "" {
		t.Errorf("%s: %s", b.Spec.Name, diff)
	}
	if diff := cmp.Diff(b, a, cmpopts.EquateEmpty(), cmpopts.EquateNaNs(), columnstest.SameRows, cmpopts.IgnoreFields(columns.Column{}, "Codes", "Members")); diff != "" {
		t.Errorf("%s: %s", b.Spec.Name, diff)
	}
	for i := range b.Members {
		compareColumns(t, got, want, &a.Members[i], &b.Members[i])
	}
}
