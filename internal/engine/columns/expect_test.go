package columns

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestExpect checks that a batch that expects a number of rows allocates room for them once, and
// only in columns that have values.
func TestExpect(t *testing.T) {
	const first, all = 512, 5000
	b := NewBatch(&schema.Table{Name: "t", Columns: []schema.Column{
		{Name: "each", Type: schema.Int64},
		{Name: "half", Type: schema.Int32, Nullable: true},
		{Name: "never", Type: schema.Double, Nullable: true},
		{Name: "list", Type: schema.Int64, Nullable: true, List: true},
		{Name: "text", Type: schema.String, Encoding: schema.Varied},
	}})
	fill := func(from, to int) {
		for row := from; row < to; row++ {
			b.Columns[0].Int64(1)
			if row%2 == 0 {
				b.Columns[1].At(row).Int32(1)
			}
			list := b.Columns[3].At(row)
			for range row % 7 {
				list.Int64(1)
			}
			list.EndList()
			b.Columns[4].Blob([]byte("text"))
		}
		b.Rows = to
	}
	fill(0, first)
	elements, bytes := cap(b.Columns[3].Ints), cap(b.Columns[4].Bytes)
	b.Expect(first / 2)
	b.Expect(all)
	capacities := func() [7]int {
		c := b.Columns
		return [7]int{cap(c[0].Ints), cap(c[1].Small), cap(c[1].Valid.list), cap(c[2].Reals), cap(c[3].Lists), cap(c[4].Ends), cap(c[2].Valid.list)}
	}
	before := capacities()
	for i, want := range [7]int{all, all / 2, all, 0, all, all, 0} {
		if got := before[i]; got < want || got > want*3/2 {
			t.Errorf("capacity %d is %d, want about %d", i, got, want)
		}
	}
	if cap(b.Columns[3].Ints) != elements || cap(b.Columns[4].Bytes) != bytes {
		t.Error("there is new room for elements or bytes, of which the first rows may have had most")
	}
	fill(first, all)
	if after := capacities(); after != before {
		t.Errorf("capacities are %v, were %v before all rows were there", after, before)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
}
