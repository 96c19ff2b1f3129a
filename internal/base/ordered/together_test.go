package ordered

import (
	"sync/atomic"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
)

func TestTogether(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 16} {
		var done atomic.Int64
		var work []func()
		for i := range 5 {
			Together(workers, work...)
			if got := done.Swap(0); got != int64(i) {
				t.Errorf("%d workers did %d of %d pieces", workers, got, i)
			}
			work = append(work, func() { done.Add(1) })
		}
	}
}

// TestTogetherPanics checks that the caller of Together can catch a panic of the work.
func TestTogetherPanics(t *testing.T) {
	err := goroutine.Guard(func() error {
		Together(2, func() {}, func() { panic("broken") })
		return nil
	})
	if err == nil {
		t.Error("the panic is lost")
	}
}
