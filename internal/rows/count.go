package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/index"
)

// countRows counts the events that have a row in a table of events.
func countRows(t index.Tally, ctx *Context, rows []row) {
	var of *catalog.Kind
	var count *index.KindCount
	for i := range rows {
		r := &rows[i]
		if r.Kind != of {
			of, count = r.Kind, nil
			if ctx.hasRows(r.Family, r.Kind) {
				count = &t[of.Number]
			}
		}
		if count == nil {
			continue
		}
		count.Events++
		switch {
		case r.damaged:
			count.Damaged++
		case of.Literal.Event == nil && (len(r.payload) > 0 || r.Family == decode.FamilyOther):
			count.NotDecoded++
		}
	}
}
