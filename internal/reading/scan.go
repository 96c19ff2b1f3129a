package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Scan selects rows and columns of a table. The zero value is all of the table of all events.
type Scan struct {
	Table   string   // by any of its names; "" is the table of all events
	Columns []string // in this order; nil reads all

	// As, unless nil, is the table that the rows are of: it has at least the columns that are read, each
	// at least as wide. If it has the column trace, so have the rows.
	As *schema.Table

	Selection selection.Selection // of events; without tables and columns
	Payload   rows.PayloadMode
	Limit     int64 // most rows; 0 means all, a negative number none

	Strict     bool                 // damage, and a selection that matches nothing, are errors
	OnMismatch func(facts.Mismatch) // is called after the rows for parts of the selection that match nothing; may be nil

	Split string // token of the split that is read, which has the selection; "" reads all

	Workers int   // 0 means those of the trace's options
	Memory  int64 // 0 means that of the trace's options
}

// ErrOnly is the error of reading what the trace was not opened for: see Options.
var ErrOnly = errors.New("the trace was opened for another scan")

// TableSelection returns what the scan selects, for the Selection of [Options] with Once.
func (s *Scan) TableSelection() selection.Selection {
	selected := s.Selection
	selected.Tables, selected.Columns = []string{cmp.Or(s.Table, schema.EventsName)}, s.Columns
	return selected
}

// Scan reads rows of a table, in time order. The reader must be released. If the trace has no row of the
// table, the reader has no record batches.
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
	return newRecordReader(ctx, p.rowTable(), p.options.Workers, t.options.Allocator, p.run), nil
}

// hasTrace reports whether the rows have the name of the trace, as those of several traces have.
func (s *Scan) hasTrace() bool { return s.As != nil && s.As.Column(schema.TraceColumn.Name) >= 0 }

// alone returns the trace as one of several.
func (t *Trace) alone() *Traces { return &Traces{list: []*Trace{t}, options: t.options} }

// plannedScan is a scan of a trace that is ready to run.
type plannedScan struct {
	trace      *Trace
	table      *schema.Table // with only the columns to read
	as         *schema.Table // that the rows are of; nil for table
	options    *pipeline.Options
	onMismatch func(facts.Mismatch) // may be nil
}

// plan returns a scan of all columns of its table. Columns of s are not used; see choose.
func (t *Trace) plan(s *Scan) (*plannedScan, error) {
	o := t.options.pass()
	o.Workers, o.Memory = cmp.Or(s.Workers, o.Workers), cmp.Or(s.Memory, o.Memory)
	o.Limit, o.Strict = s.Limit, s.Strict
	if s.Split != "" {
		table, err := t.splitTable(s, o)
		return &plannedScan{trace: t, table: table, as: s.As, options: o}, err
	}
	table, err := t.source.Table(s.Table)
	if err != nil {
		return nil, err
	}
	o.Selection = s.Selection
	o.Selection.Tables = []string{table.Name}
	o.Payload = s.Payload
	return &plannedScan{t, table, s.As, o, s.OnMismatch}, o.Selection.Validate()
}

// choose makes the scan read some columns, in this order; nil means all. It returns [ErrOnly] if the trace
// was opened for another scan, which does not need what this one needs.
func (p *plannedScan) choose(columns []string) (err error) {
	switch {
	case p.as != nil:
		err = p.chooseAs(columns)
	case columns != nil:
		p.options.Selection.Columns = columns
		p.table, err = pipeline.Project(p.table, columns)
	}
	o := &p.trace.options
	if err == nil && o.Once && o.Symbols == nil && o.Index == "" && p.options.Selection.Facts()&^o.Selection.Facts() != 0 {
		err = ErrOnly
	}
	return err
}

// chooseAs is choose for rows of another table.
func (p *plannedScan) chooseAs(columns []string) (err error) {
	if columns != nil {
		if p.as, err = pipeline.Project(p.as, columns); err != nil {
			return err
		}
	}
	var needed []string
	find := schema.Finder{Columns: p.table.Columns}
	for i := range p.as.Columns {
		c := &p.as.Columns[i]
		place := find.Find(c.Name)
		if place < 0 {
			continue
		}
		read := &p.table.Columns[place]
		wide := c.Clone()
		if wide.Widen(read); !wide.SameType(c) || wide.Nullable != c.Nullable {
			return fmt.Errorf("column %s of the table %s is %s, which does not fit %s", c.Name, p.table.Name, read.TypeName(), c.TypeName())
		}
		needed = append(needed, c.Name)
	}
	if needed == nil { // the rows have no column of the trace's table, but their number
		needed = []string{p.table.Columns[0].Name}
	}
	p.options.Selection.Columns = needed
	if p.table, err = pipeline.Project(p.table, needed); err == nil && p.table.SameColumns(p.as) {
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

// rows makes the rows, with some options in place of those of the plan, and gives them to a sink. It
// returns the parts of the selection that match nothing.
func (p *plannedScan) rows(ctx context.Context, o *pipeline.Options, sink pipeline.Sink) ([]facts.Mismatch, error) {
	if p.as != nil {
		sink = pipeline.Widened(sink, p.as)
	}
	return p.trace.source.Rows(ctx, o, sink)
}

// run makes the rows, and reports the parts of the selection that match nothing.
func (p *plannedScan) run(ctx context.Context, sink pipeline.Sink) error {
	mismatches, err := p.rows(ctx, p.options, sink)
	if err != nil || p.onMismatch == nil {
		return err
	}
	for _, m := range mismatches {
		p.onMismatch(m)
	}
	return nil
}
