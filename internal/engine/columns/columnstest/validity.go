package columnstest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
)

// SameRows compares which rows of columns have a value. Their representation depends on how the
// columns were filled.
var SameRows = cmp.Comparer(func(a, b columns.Validity) bool {
	for row := range max(a.Len(), b.Len()) {
		if a.Has(row) != b.Has(row) {
			return false
		}
	}
	return a.Len() == b.Len()
})
