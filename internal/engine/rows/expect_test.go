package rows

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// TestExpectedRows compares the expected numbers of rows of tables with the actual ones.
func TestExpectedRows(t *testing.T) {
	tracesToProject(t, func(t *testing.T, x *index.Index) {
		ctx := newContext(x, PayloadUndecoded)
		p := slabs.NewPlan(x, slabs.Size{Events: 3000, Bytes: 1 << 20}, everyBuffer, slabs.Whole())
		eachSlab(t, x, p, func(g *Gathered) {
			for id, filler := range g.FillRows(ctx, func(id TableID) Filler { return NewFiller(id, ctx) }) {
				if TableID(id) == stackEventTable || TableID(id) == stackTable {
					continue
				}
				got := 0
				if filler != nil {
					got = filler.Batch().Rows
				}
				if want := int(g.block.expects[id]); got != want && ctx.Tables[id] != nil {
					t.Errorf("table %s has %d rows, %d were expected", ctx.Tables[id].Name, got, want)
				}
			}
		})
	})
}
