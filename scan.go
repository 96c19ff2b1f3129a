package etl2parquet

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Scan selects rows and columns of a trace.
type Scan struct {
	// Table is the table, by any of its names or of its event's: events/Thread/CSwitch, Thread/CSwitch,
	// thread_cswitch and Thread/36 mean the same; see [schema.EventNames]. "" is events, which has every
	// event. A table of an event that the trace lacks and the library knows has no rows.
	Table string
	// Columns are the columns to read, in this order; nil reads all columns.
	Columns []string

	// As, unless nil, is the table that the rows are of: it has at least the columns that are read of
	// the trace's table, each at least as wide; see [schema.Table.Widen]. Columns that the trace lacks
	// are NULL. Columns are then columns of As. If As has the column trace, the rows begin with the
	// name of the trace.
	As *schema.Table

	// Selection selects events.
	facts.Selection

	// Limit is the largest number of rows; 0 means all, a negative number none. Reading ends
	// with the last of them. Splits have no limit.
	Limit int64

	// Strict treats damage in the trace, and a selection that matches nothing in it, as
	// errors: [ErrDamaged] and [ErrNothingSelected].
	Strict bool
	// OnMismatch is called for each part of the selection that matches nothing in the trace,
	// after the rows and before Next of the reader returns false. It is called on another
	// goroutine; not for splits, nor if the reader is released early or fails. If the limit
	// ends the scan, only what the index shows is reported.
	OnMismatch func(facts.Mismatch)

	// Payload selects the raw payloads that the column payload has.
	Payload PayloadMode

	// Split is the token of a split: only its rows are read. A split includes a table and a
	// selection, so neither may be set with it, except Table if it is the split's. The
	// error is [ErrChanged] if the trace has changed since the split was made.
	Split string

	// Workers and Memory replace those of Options for this scan, unless they are 0.
	Workers int
	Memory  int64
}

// Returned for an unknown table or column. The message suggests similar names.
var (
	ErrNoTable  = pipeline.ErrNoTable
	ErrNoColumn = pipeline.ErrNoColumn
)

// The errors of a scan with Scan.Strict.
var (
	ErrDamaged         = pipeline.ErrStrict
	ErrNothingSelected = selection.ErrNothingSelected
)

// ErrOnly is the error of reading what the trace was not opened for: see Options.Only.
var ErrOnly = reading.ErrOnly

// selection returns the selection of events of a scan, for all tables.
func (s *Scan) selection() selection.Selection {
	return selection.Selection{Selection: s.Selection}
}

// reading returns the scan for package reading.
func (s *Scan) reading() reading.Scan {
	return reading.Scan{
		Table: s.Table, Columns: s.Columns, As: s.As, Selection: s.selection(), Payload: rows.PayloadMode(s.Payload), Limit: s.Limit,
		Strict: s.Strict, OnMismatch: s.OnMismatch, Split: s.Split, Workers: s.Workers, Memory: s.Memory,
	}
}

// Scan reads rows of a table, in time order. The reader must be released; releasing it
// before its end stops the scan. Its record batches share memory with the scan:
// retained ones reduce the memory left for later rows, and if many are retained, the
// scan exceeds Memory.
//
// If the trace has no row of the table, the reader has no record batches.
func (t *Trace) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	return t.reading().Scan(ctx, s.reading())
}

// Scan reads rows of a table of all traces, with the name of the trace as the first column. Rows of
// events are in time order, those with the same time in the order of the traces; rows of other
// tables come trace by trace. The columns are those of [Traces.Table], NULL in rows of traces that
// lack them, or those of Scan.As. Scan.Columns may name the column trace, which comes first
// nevertheless. It is an error if no trace has the table. Scan.Split must be "". OnMismatch reports
// what matches nothing in any of the traces, according to their indexes. The reader must be released.
//
// The error of one trace does not end the others: it is a [facts.InputError], and the reader returns those
// of all such traces, joined, after the rows.
func (t *Traces) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	return t.reading().Scan(ctx, s.reading())
}

// Mismatches returns the parts of a scan's selection (patterns of names, bounds of the time) that
// match nothing in the trace according to the index, for any table. nothing is true if no event can
// match. Other mismatches are known only after reading: see Scan.OnMismatch.
func (t *Trace) Mismatches(s Scan) (list []facts.Mismatch, nothing bool, err error) {
	return t.reading().Mismatches(s.selection())
}

// TableOf returns a table with the columns of an Arrow schema, for [Scan.As].
func TableOf(s *arrow.Schema) (*schema.Table, error) {
	columns, err := recordbatch.Columns(s)
	return &schema.Table{Columns: columns}, err
}
