package convert

import (
	"path/filepath"

	"github.com/etl2parquet/etl2parquet/internal/dataset"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/internal/rows"
	"github.com/etl2parquet/etl2parquet/internal/rows/fixed"
	"github.com/etl2parquet/etl2parquet/schema"
)

// rowsPerGroup is how many rows of a table that may have many are made at a time.
const rowsPerGroup = 64 << 10

// traceSource says what the tables that do not hold events tell of the trace.
type traceSource struct {
	Trace  string // its name in the dataset
	File   string
	SHA256 string
}

func sourceOf(r *dataset.Recorded) traceSource {
	return traceSource{r.Trace, filepath.Base(r.Input), r.SHA256}
}

// fixedTable is a table that does not hold events.
type fixedTable struct {
	table *schema.Table
	rows  int
	make  func(x *index.Index, from, to int) *Batch
}

// small returns a table whose rows are few, and made by itself.
func small(b *Batch) fixedTable {
	return fixedTable{b.Table, b.Rows, func(*index.Index, int, int) *Batch { return b }}
}

// fixedTables are the tables that do not hold events, in the order in which they
// are written.
func fixedTables(x *index.Index, of traceSource) []fixedTable {
	owners := x.Tables()
	return []fixedTable{
		small(fixed.Traces(x, of.Trace, of.File, of.SHA256)),
		small(fixed.Providers(x)),
		small(fixed.EventTypes(x)),
		small(fixed.Problems(x)),
		{schema.Buffers, len(x.Buffers), fixed.Buffers},
		{schema.Processes, len(owners.Processes), fixed.Processes},
		{schema.Threads, len(owners.Threads), fixed.Threads},
		{schema.Images, len(owners.Images), fixed.Images},
		{schema.Files, len(owners.Files), fixed.Files},
	}
}

// writeFixed gives a sink the tables that do not hold events.
func writeFixed(x *index.Index, of traceSource, f *rows.Filter, sink Sink) error {
	writers := make(map[*schema.Table]Writer)
	return fixedRows(x, of, f, func(b *Batch) error {
		if writers[b.Table] == nil {
			w, err := sink.Table(b.Table)
			if err != nil {
				return err
			}
			writers[b.Table] = w
		}
		encoded, err := writers[b.Table].Encode(&Group{Batches: []*Batch{b}})
		if err != nil {
			return err
		}
		return encoded.Commit()
	})
}

// fixedRows makes the rows of the tables that do not hold events.
func fixedRows(x *index.Index, of traceSource, f *rows.Filter, do func(*Batch) error) error {
	for _, t := range fixedTables(x, of) {
		wanted := f.FixedTable(t.table)
		if wanted == nil {
			continue
		}
		for from := 0; from < t.rows; from += rowsPerGroup {
			b := t.make(x, from, min(from+rowsPerGroup, t.rows))
			if err := do(b.Project(wanted)); err != nil {
				return err
			}
			if b.Rows == t.rows { // they came together
				break
			}
		}
	}
	return nil
}
