package splits

import (
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// Split is a part of the rows of a table that a selection selects.
type Split struct {
	Path  string // of the file, or its URL
	Inner string // the part of the path inside an archive, with slashes, including the first; or ""
	Table string
	Brief bool       // of all events, with the columns that "cat" prints if no table is named
	Range slabs.Slab // of the events with the rows; the whole trace for tables without events

	Selection facts.Selection // its times are part of Range
	Payload   rows.PayloadMode
	Messages  catalog.MessageMode

	Trace   index.Identity
	Context uint64 // a hash of the files, other than the trace, that its rows depend on
}
