package pipeline

import (
	"context"
	"errors"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// brokenSink panics when it gets rows.
type brokenSink struct{}

func (brokenSink) Table(*schema.Table) (Writer, error) { return brokenSink{}, nil }
func (brokenSink) Encode(*Group) (Encoded, error)      { panic("broken") }

// TestCrash checks that a panic of a worker ends the pass and goes on in the caller, and that no
// goroutine is left.
func TestCrash(t *testing.T) {
	x := indextest.Data(t, indextest.RandomTrace(t, testenv.Seeded("crash"), indextest.Shapes["in order"]))
	for _, workers := range []int{1, 3} {
		p := newPipeline(x, &Options{Memory: DefaultMemory}, filterFor(t, x, &selection.Selection{}), brokenSink{})
		err := goroutine.Guard(func() error { return p.run(context.Background(), workers) })
		var e *goroutine.Error
		if !errors.As(err, &e) || e.Value != "broken" {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}
