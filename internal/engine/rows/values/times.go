package values

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// HaveDates reports whether a field has a date in all payloads, if it holds FILETIMEs.
func HaveDates(f *schema.Field, payloads [][]byte, at *Places) bool {
	if f.Kind != schema.FileTime {
		return true
	}
	for i, payload := range payloads {
		s := at.At(i)
		if !decode.IsDate(f.Kind, payload[s.From:s.To]) {
			return false
		}
	}
	return true
}
