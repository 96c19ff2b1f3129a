package etl2parquet

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
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
var ErrOnly = errors.New("the trace was opened for another scan")

// Scan reads rows of a table, in time order. The reader must be released; releasing it
// before its end stops the scan. Its record batches share memory with the scan:
// retained ones reduce the memory left for later rows, and if many are retained, the
// scan exceeds Memory.
//
// If the trace has no row of the table, the reader has no record batches.
func (t *Trace) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	if s.hasTrace() {
		return t.alone().scan(ctx, s)
	}
	p, err := t.plan(&s)
	if err != nil {
		return nil, err
	}
	if err := p.choose(s.Columns); err != nil {
		return nil, err
	}
	if err := t.checkOnly(p); err != nil {
		return nil, err
	}
	return newReader(ctx, p.rowTable(), p.options.Workers, t.options.Allocator, func(ctx context.Context, sink pipeline.Sink) error {
		mismatches, err := t.source.Rows(ctx, p.options, p.sink(sink))
		if err == nil {
			p.report(mismatches)
		}
		return err
	}), nil
}

// hasTrace reports whether the rows have the name of the trace, as those of several traces have.
func (s *Scan) hasTrace() bool { return s.As != nil && s.As.Column(schema.TraceColumn.Name) >= 0 }

// alone returns the trace as one of several.
func (t *Trace) alone() *Traces { return &Traces{list: []*Trace{t}, options: t.options} }

// plannedScan is a scan of a trace that is ready to run.
type plannedScan struct {
	table      *schema.Table // with only the columns to read
	as         *schema.Table // that the rows are of; nil for table
	options    *pipeline.Options
	onMismatch func(facts.Mismatch) // may be nil
}

// plan returns a scan of all columns of the table.
func (t *Trace) plan(s *Scan) (*plannedScan, error) {
	o := t.options.pipeline()
	o.Workers, o.Memory = cmp.Or(s.Workers, o.Workers), cmp.Or(s.Memory, o.Memory)
	o.Limit, o.Strict = s.Limit, s.Strict
	if s.Split != "" {
		table, err := t.splitTable(s, o)
		return &plannedScan{table: table, as: s.As, options: o}, err
	}
	table, err := t.source.Table(s.Table)
	if err != nil {
		return nil, err
	}
	o.Selection = s.selection()
	o.Selection.Tables = []string{table.Name}
	o.Payload = rows.PayloadMode(s.Payload)
	return &plannedScan{table, s.As, o, s.OnMismatch}, o.Selection.Validate()
}

// choose makes the scan read some columns, in this order; nil means all.
func (p *plannedScan) choose(columns []string) (err error) {
	if p.as != nil {
		return p.chooseAs(columns)
	}
	if columns == nil {
		return nil
	}
	p.options.Selection.Columns = columns
	p.table, err = pipeline.Project(p.table, columns)
	return err
}

// chooseAs is choose for rows of another table.
func (p *plannedScan) chooseAs(columns []string) (err error) {
	if columns != nil {
		if p.as, err = pipeline.Project(p.as, columns); err != nil {
			return err
		}
	}
	var own []string
	find := schema.Finder{Columns: p.table.Columns}
	for i := range p.as.Columns {
		c := &p.as.Columns[i]
		at := find.Find(c.Name)
		if at < 0 {
			continue
		}
		wide := c.Clone()
		if wide.Widen(&p.table.Columns[at]); !wide.SameType(c) || wide.Nullable != c.Nullable {
			return fmt.Errorf("column %s of the table %s is %s, which does not fit %s", c.Name, p.table.Name, p.table.Columns[at].TypeName(), c.TypeName())
		}
		own = append(own, c.Name)
	}
	if own == nil { // the rows have no column of the trace's table, but their number
		own = []string{p.table.Columns[0].Name}
	}
	p.options.Selection.Columns = own
	if p.table, err = pipeline.Project(p.table, own); err == nil && p.table.SameColumns(p.as) {
		p.as = nil
	}
	return err
}

// rowTable returns the table that the rows are of.
func (p *plannedScan) rowTable() *schema.Table {
	if p.as != nil {
		return p.as
	}
	return p.table
}

// sink returns a sink of the trace's rows that passes on the rows of the scan.
func (p *plannedScan) sink(to pipeline.Sink) pipeline.Sink {
	if p.as != nil {
		return pipeline.Widened(to, p.as)
	}
	return to
}

// report passes on the parts of the selection that match nothing.
func (p *plannedScan) report(list []facts.Mismatch) {
	if p.onMismatch == nil {
		return
	}
	for _, m := range list {
		p.onMismatch(m)
	}
}

// checkOnly returns an error if the trace was opened for another scan, which does not need what this
// one needs.
func (t *Trace) checkOnly(p *plannedScan) error {
	if t.options.Only == nil || t.options.Symbols != nil || t.options.Index != "" {
		return nil
	}
	only := t.options.Only.tableSelection()
	if p.options.Selection.Facts()&^only.Facts() != 0 {
		return ErrOnly
	}
	return nil
}

// tableSelection returns the selection of a scan that is not planned for a trace yet.
func (s *Scan) tableSelection() selection.Selection {
	of := s.selection()
	of.Tables, of.Columns = []string{cmp.Or(s.Table, schema.EventsName)}, s.Columns
	return of
}

// TableOf returns a table with the columns of an Arrow schema, for [Scan.As].
func TableOf(s *arrow.Schema) (*schema.Table, error) {
	columns, err := recordbatch.Columns(s)
	return &schema.Table{Columns: columns}, err
}
