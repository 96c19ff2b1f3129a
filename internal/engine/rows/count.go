package rows

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
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
		case r.Family == decode.FamilyOther:
			count.Undescribed(1, int64(len(r.Raw)))
		case len(r.payload) == 0:
		case of.Literal.Event == nil:
			count.Undescribed(1, int64(len(r.payload)))
		case r.reading == decode.Whole:
			count.Whole++
			count.BytesWhole += int64(len(r.payload))
		default:
			count.Described(r.reading, len(r.payload), int(r.rest), 1)
			if r.stop != nil {
				count.Stopped(r.stop.Name, r.reading == decode.InPart, 1)
			}
		}
	}
}
