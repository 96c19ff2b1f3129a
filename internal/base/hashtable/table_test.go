package hashtable

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestTable checks a table against a map, with values that have few hashes, many, or all the same.
func TestTable(t *testing.T) {
	for name, hash := range map[string]func(v uint64) uint32{
		"good": func(v uint64) uint32 { return uint32(v * 0x9e3779b97f4a7c15 >> 32) },
		"few":  func(v uint64) uint32 { return uint32(v % 17) },
		"one":  func(uint64) uint32 { return 1<<32 - 1 },
		"high": func(v uint64) uint32 { return uint32(v << 20) },
	} {
		t.Run(name, func(t *testing.T) {
			r := testenv.Seeded(name)
			var table Table
			for range 2 { // again after Clear
				var values []uint64
				numbers := make(map[uint64]uint32)
				for range 3000 {
					v := r.Uint64N(1500)
					got := table.Find(hash(v), func(n uint32) bool { return values[n-1] == v })
					if got != numbers[v] {
						t.Fatalf("%d is number %d, want %d", v, got, numbers[v])
					}
					if got == 0 {
						values = append(values, v)
						numbers[v] = uint32(len(values))
						table.Add(hash(v), numbers[v])
					}
				}
				if 2*table.n > len(table.slots) || len(table.slots)&(len(table.slots)-1) != 0 {
					t.Errorf("%d slots for %d numbers", len(table.slots), table.n)
				}
				room := len(table.slots)
				if table.Clear(); table.n != 0 || len(table.slots) != room {
					t.Errorf("%d numbers and %d slots are left of %d", table.n, len(table.slots), room)
				}
			}
		})
	}
}

// TestEmpty checks a table that never had a number.
func TestEmpty(t *testing.T) {
	var table Table
	table.Clear()
	if n := table.Find(7, func(uint32) bool { return true }); n != 0 {
		t.Errorf("it has number %d", n)
	}
	if n := table.Touch(7); n != 0 {
		t.Errorf("it has hash %d", n)
	}
}

// TestAllocations checks that Find does not allocate, because callers use it for most events.
func TestAllocations(t *testing.T) {
	values := []string{"a", "b"}
	var table Table
	table.Add(1, 1)
	table.Add(1, 2)
	text := []byte("b")
	if n := testing.AllocsPerRun(100, func() {
		if table.Find(1, func(n uint32) bool { return values[n-1] == string(text) }) != 2 {
			t.Error("it is not found")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
