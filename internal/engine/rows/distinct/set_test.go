package distinct_test

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/distinct"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestSet checks that a set has each id once, whatever is in memory.
func TestSet(t *testing.T) {
	for _, limit := range []int{50, 600, 1 << 20} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			s := distinct.NewSet(limit, temporary.NewPool(t.TempDir()).Create)
			has := make(map[uint64]bool)
			r := testenv.Seeded("distinct")
			for i := range 4000 {
				id := r.Uint64N(1500) * 0x9e3779b97f4a7c15
				if i%100 == 0 {
					id = 1<<64 - 1
				}
				isNew, err := s.Add(id)
				if err != nil {
					t.Fatal(err)
				}
				if isNew == has[id] {
					t.Fatalf("id %#x, number %d: new %t", id, i, isNew)
				}
				has[id] = true
				if limit > 4000 && !s.Known(id) {
					t.Errorf("id %#x is in memory, and not known", id)
				}
				if other := id + 1; s.Known(other) && !has[other] {
					t.Errorf("id %#x is known, and was never added", other)
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSetFails checks that creating the file without room gives an error.
func TestSetFails(t *testing.T) {
	s := distinct.NewSet(1, temporary.NewPool("none").Create)
	if _, err := s.Add(1); err == nil {
		t.Error("no error")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
