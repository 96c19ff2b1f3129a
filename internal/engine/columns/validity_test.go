package columns_test

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestValidity fills a nullable column in every possible way, and compares it with a plain list of
// which rows have a value.
func TestValidity(t *testing.T) {
	r := testenv.Seeded("validity")
	table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "n", Type: schema.Int64, Nullable: true}}}
	for round := range 400 {
		b, other := columns.NewBatch(table), columns.NewBatch(table)
		c, often := &b.Columns[0], round%4 // how often there are nulls
		var want []bool
		for range 1 + r.IntN(12) {
			n := r.IntN(5)
			nulls := r.IntN(4) < often
			switch how := r.IntN(4); {
			case nulls && how == 0: // rows that are not given
				want = append(want, make([]bool, n)...)
			case how == 1 && n > 0:
				numbers := make([]int64, n)
				for i := range numbers {
					if nulls && r.IntN(2) == 0 {
						numbers[i] = columns.None
					}
				}
				c.Int64sAt(len(want), numbers)
				for _, v := range numbers {
					want = append(want, v != columns.None)
				}
			case how == 2:
				other.Reset()
				for row := range n {
					if !nulls || row%2 == 1 {
						other.Columns[0].At(row).Int64(1)
					}
					want = append(want, !nulls || row%2 == 1)
				}
				other.Rows, b.Rows = n, len(want)-n
				b.Append(other)
			default:
				c.Present(len(want), n)
				for range n {
					c.Int64(1)
					want = append(want, true)
				}
			}
		}
		b.Rows = len(want)
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		checkValidity(t, c, want)
		keep := make([]bool, len(want))
		var kept []bool
		for row := range keep {
			if keep[row] = r.IntN(2) == 0; keep[row] {
				kept = append(kept, want[row])
			}
		}
		b.Keep(keep)
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		checkValidity(t, c, kept)
	}
}

func checkValidity(t *testing.T, c *columns.Column, want []bool) {
	t.Helper()
	for row, has := range want {
		if c.Has(row) != has {
			t.Fatalf("row %d of %v: %t", row, want, c.Has(row))
		}
	}
	last := len(want)
	for last > 0 && !want[last-1] {
		last--
	}
	all, list := c.Valid.Rows()
	if c.Valid.Len() != last || all > 0 && len(list) > 0 {
		t.Fatalf("%d rows of %v: %d, %v", c.Valid.Len(), want, all, list)
	}
}
