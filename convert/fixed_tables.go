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

// fixedTable is a table that does not hold events. Nothing of it is made before it is
// wanted.
type fixedTable struct {
	table *schema.Table
	rows  func(x *index.Index) int
	make  func(x *index.Index, from, to int) *Batch
}

// whole makes all rows of a table at once: they are few.
func whole(make func(x *index.Index) *Batch) func(*index.Index, int, int) *Batch {
	return func(x *index.Index, _, _ int) *Batch { return make(x) }
}

// fixedTables are the tables that do not hold events, in the order in which they
// are written.
func fixedTables(of traceSource) []fixedTable {
	traces := func(x *index.Index) *Batch { return fixed.Traces(x, of.Trace, of.File, of.SHA256) }
	return []fixedTable{
		{schema.Traces, func(*index.Index) int { return 1 }, whole(traces)},
		{schema.Providers, func(x *index.Index) int { return len(x.Providers()) }, whole(fixed.Providers)},
		{schema.EventTypes, func(x *index.Index) int { return len(x.Types) }, whole(fixed.EventTypes)},
		{schema.Problems, func(x *index.Index) int { return len(x.Problems.All()) }, whole(fixed.Problems)},
		{schema.Buffers, func(x *index.Index) int { return len(x.Buffers) }, fixed.Buffers},
		{schema.Processes, func(x *index.Index) int { return len(x.Tables().Processes) }, fixed.Processes},
		{schema.Threads, func(x *index.Index) int { return len(x.Tables().Threads) }, fixed.Threads},
		{schema.Images, func(x *index.Index) int { return len(x.Tables().Images) }, fixed.Images},
		{schema.Methods, func(x *index.Index) int { return len(x.Tables().Methods) }, fixed.Methods},
		{schema.Files, func(x *index.Index) int { return len(x.Tables().Files) }, fixed.Files},
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
	for _, t := range fixedTables(of) {
		wanted := f.FixedTable(t.table)
		if wanted == nil {
			continue
		}
		rows := t.rows(x)
		for from := 0; from < rows; from += rowsPerGroup {
			b := t.make(x, from, min(from+rowsPerGroup, rows))
			if err := do(b.Project(wanted)); err != nil {
				return err
			}
			if b.Rows == rows { // they came together
				break
			}
		}
	}
	return nil
}
