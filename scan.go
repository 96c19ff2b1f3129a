package etl2parquet

import (
	"cmp"
	"context"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Scan selects rows and columns of a trace.
type Scan struct {
	// Table is the table, by any of its names: events/Thread/CSwitch, Thread/CSwitch
	// and thread_cswitch mean the same. "" is events, which has every event.
	Table string
	// Columns are the columns to read, in this order; nil reads all columns.
	Columns []string

	// From and To select events by time, from From up to, but not including, To. They
	// apply to tables of events only. The zero value is no bound.
	From, To TimeBound
	// Providers, Events and Processes are patterns; an event must match one of each
	// list that is not empty. A provider is matched by name or GUID, an event by its
	// name or by provider/name, a process by name or id. Case does not matter.
	Providers, Events, Processes []string

	// OnMismatch is called for each part of the selection that matches nothing in the trace,
	// after the rows and before Next of the reader returns false. It is called on another
	// goroutine; not for splits, nor if the reader is released early or fails.
	OnMismatch func(Mismatch)

	// Payload selects the raw payloads that the column payload has.
	Payload PayloadMode

	// Split is the token of a split: only its rows are read. A split includes a table and a
	// selection, so only Columns may be set with it, and Table if it is the split's. The
	// error is [ErrChanged] if the trace has changed since the split was made.
	Split string

	// Workers and Memory replace those of Options for this scan, unless they are 0.
	Workers int
	Memory  int64
}

// scanOptions returns the options of a scan, without its selection.
func (t *Trace) scanOptions(s *Scan) *pipeline.Options {
	o := t.options.pipeline()
	o.Workers, o.Memory = cmp.Or(s.Workers, o.Workers), cmp.Or(s.Memory, o.Memory)
	return o
}

// Returned for an unknown table or column. The message suggests similar names.
var (
	ErrNoTable  = pipeline.ErrNoTable
	ErrNoColumn = pipeline.ErrNoColumn
)

// Scan reads rows of a table, in time order. The reader must be released; releasing it
// before its end stops the scan. Its record batches share memory with the scan:
// retained ones reduce the memory left for later rows, and if many are retained, the
// scan exceeds Memory.
//
// If the trace has no row of the table, the reader has no record batches.
func (t *Trace) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	if s.Split != "" {
		return t.scanSplit(ctx, &s)
	}
	table, o, err := t.prepare(&s)
	if err != nil {
		return nil, err
	}
	return newReader(ctx, t, table, o, s.OnMismatch), nil
}

// prepare returns the table of a scan, with only the columns to read, and its options.
func (t *Trace) prepare(s *Scan) (*schema.Table, *pipeline.Options, error) {
	table, err := t.source.Table(s.Table)
	if err != nil {
		return nil, nil, err
	}
	if table, err = project(table, s.Columns); err != nil {
		return nil, nil, err
	}
	o := t.scanOptions(s)
	o.Selection = s.selection()
	o.Selection.Tables, o.Selection.Columns = []string{table.Name}, s.Columns
	o.Payload = rows.PayloadMode(s.Payload)
	return table, o, o.Selection.Validate()
}
