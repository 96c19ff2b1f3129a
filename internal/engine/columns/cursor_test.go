package columns_test

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestCursor mixes the rows of two batches, and compares the result with rows that were appended one
// by one.
func TestCursor(t *testing.T) {
	r := testenv.Seeded("cursor")
	for range 60 {
		table := columnstest.RandomTable(r)
		merged := table.WithTrace()
		var data [2]*columnstest.Data
		var cursors [2]*columns.Cursor
		for i := range data {
			data[i] = (&columnstest.Data{Table: table}).Fill(r, 1+r.IntN(60), 0.3, 4, 5)
			b := columns.NewBatch(table)
			for _, row := range data[i].Rows {
				columnstest.Append(b, row)
			}
			cursors[i] = columns.NewCursor(b, len(table.Columns))
		}
		for cursors[0].Left()+cursors[1].Left() > 0 { // several batches from the same cursors
			got, want := columns.NewBatch(merged), columns.NewBatch(table)
			var traces []string
			for range 1 + r.IntN(8) {
				i := r.IntN(2)
				n := min(cursors[i].Left(), 1+r.IntN(9))
				if n == 0 {
					continue
				}
				name := string(rune('a' + i))
				for _, row := range data[i].Rows[cursors[i].Row():][:n] {
					columnstest.Append(want, row)
					traces = append(traces, name)
				}
				cursors[i].Copy(got, n, name)
			}
			if err := got.Check(); err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, code := range got.Columns[0].Codes {
				names = append(names, string(got.Texts.At(code)))
			}
			if strings.Join(names, "") != strings.Join(traces, "") || got.Rows != want.Rows {
				t.Fatalf("traces %v of %d rows, want %v", names, got.Rows, traces)
			}
			for i := range want.Columns {
				compareColumns(t, got, want, &got.Columns[1+i], &want.Columns[i])
			}
		}
	}
}

// TestCursorWidens checks that a column that is wider than the one it is copied from keeps all
// values.
func TestCursorWidens(t *testing.T) {
	plain := schema.Column{Name: "a", Type: schema.String, Encoding: schema.Repeating}
	varied := schema.Column{Name: "a", Type: schema.String, Encoding: schema.Varied, Nullable: true}
	bytes := schema.Column{Name: "a", Type: schema.String, Encoding: schema.Varied}
	for _, test := range [][2]schema.Column{{plain, varied}, {bytes, plain}} {
		from := columns.NewBatch(&schema.Table{Columns: []schema.Column{test[0]}})
		to := columns.NewBatch((&schema.Table{Columns: []schema.Column{test[1]}}).WithTrace())
		want := columns.NewBatch(&schema.Table{Columns: []schema.Column{test[1]}})
		for _, text := range []string{"x", "", "x", "yy"} {
			columnstest.Append(from, []any{text})
			columnstest.Append(want, []any{text})
		}
		c := columns.NewCursor(from, 1)
		c.Copy(to, 1, "t")
		c.Copy(to, 3, "t")
		if err := to.Check(); err != nil {
			t.Fatal(err)
		}
		compareColumns(t, to, want, &to.Columns[1], &want.Columns[0])
	}
}
