package ordered

import (
	"context"
	"errors"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
)

// TestDo checks that all pieces are done and merged in order, and how errors and panics end the work.
func TestDo(t *testing.T) {
	broken := errors.New("broken")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for name, test := range map[string]struct {
		ctx   context.Context
		work  func(i int) error
		merge func(i int) error
		want  error
	}{
		"all":               {t.Context(), nil, nil, nil},
		"error of the work": {t.Context(), func(i int) error { return map[bool]error{true: broken}[i == 50] }, nil, broken},
		"error of a merge":  {t.Context(), nil, func(i int) error { return map[bool]error{true: broken}[i == 50] }, broken},
		"interrupted":       {stopped, nil, nil, context.Canceled},
		"panic of the work": {t.Context(), func(int) error { panic("over") }, nil, new(goroutine.Error)},
		"panic of a merge":  {t.Context(), nil, func(int) error { panic("over") }, new(goroutine.Error)},
	} {
		for _, workers := range []int{1, 2, 7} {
			var merged []int
			err := goroutine.Guard(func() error {
				return Do(test.ctx, workers, 100,
					func(_ *int, i int) (int, error) {
						if test.work == nil {
							return i, nil
						}
						return i, test.work(i)
					},
					func(i int) error {
						merged = append(merged, i)
						if test.merge == nil {
							return nil
						}
						return test.merge(i)
					})
			})
			if isPanic := errors.As(err, new(*goroutine.Error)); !errors.Is(err, test.want) && !(isPanic && errors.As(test.want, new(*goroutine.Error))) {
				t.Errorf("%s, %d workers: error %v", name, workers, err)
			}
			for i, n := range merged {
				if i != n {
					t.Errorf("%s, %d workers: merged %v", name, workers, merged)
					break
				}
			}
			if test.want == nil && len(merged) != 100 {
				t.Errorf("%s, %d workers: merged %d pieces", name, workers, len(merged))
			}
		}
	}
	if err := Do(t.Context(), 3, 0, func(*int, int) (int, error) { return 0, broken }, nil); err != nil {
		t.Error(err)
	}
}
