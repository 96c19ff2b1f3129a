package report

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	tracefacts "github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// source reads tables of traces. It keeps the errors of single traces, which do not end the others.
type source struct {
	ctx       context.Context
	traces    *etl2parquet.Traces
	selected  etl2parquet.Scan // the events of the page
	compares  bool             // the page compares them with other traces
	hasStarts bool             // there are events with the opcode of a start or stop
	failed    map[string]error // by input
	order     []string         // of failed
}

// row is a row of a scan. It is valid during the call only.
type row struct {
	*recordbatch.Rows
	places []int // of the scan's columns, after the trace; -1 for a column that the table lacks
}

// has reports whether any of the traces has, or may have, rows of a table.
func (s *source) has(name string) (bool, error) {
	table, err := s.traces.Table(name)
	if errors.Is(err, etl2parquet.ErrNoTable) {
		return false, nil
	}
	return err == nil && table.Rows != 0, err
}

// each calls do for each row of a table, in time order. A table that no trace has, has no rows, and a
// column that the table lacks is NULL.
func (s *source) each(scan etl2parquet.Scan, do func(r *row)) error {
	next, err := s.rows(scan)
	if err != nil || next == nil {
		return err
	}
	defer next.Release()
	for next.Next() {
		do(&next.row)
	}
	return next.err()
}

// rows is a reader of single rows.
type rows struct {
	row
	source *source
}

// isAboutTrace has the tables that are read whole, whatever events are selected.
var isAboutTrace = map[string]bool{"traces": true, "event_types": true, "perfinfo_collectionstart": true}

// rows begins a scan. It returns nil if no trace has the table. The rows must be closed.
func (s *source) rows(scan etl2parquet.Scan) (*rows, error) {
	if ok, err := s.has(scan.Table); !ok || err != nil {
		return nil, err
	}
	table, err := s.traces.Table(scan.Table)
	if err != nil {
		return nil, err
	}
	r := &rows{source: s}
	var known []string
	for _, name := range scan.Columns {
		if table.Definition.Column(name) < 0 {
			r.places = append(r.places, -1)
			continue
		}
		known = append(known, name)
		r.places = append(r.places, len(known)) // after the trace
	}
	own := scan
	if scan = s.selected; isAboutTrace[own.Table] {
		scan = etl2parquet.Scan{}
	}
	scan.Table, scan.Columns = own.Table, known
	if len(scan.Events) == 0 {
		scan.Events = own.Events
	}
	reader, err := s.traces.Scan(s.ctx, scan)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", scan.Table, err)
	}
	r.Rows = recordbatch.NewRows(reader)
	return r, nil
}

// err returns the error that ended the rows. It keeps the errors of single traces.
func (r *rows) err() error {
	err := r.Err()
	if err == nil {
		return nil
	}
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var others []error
	for _, err := range list {
		input := new(tracefacts.InputError)
		if !errors.As(err, &input) {
			others = append(others, err)
		} else if r.source.failed[input.Input] == nil {
			r.source.failed[input.Input] = input
			r.source.order = append(r.source.order, input.Input)
		}
	}
	return errors.Join(others...)
}

// failures returns the errors of single traces.
func (s *source) failures() error {
	var errs []error
	for _, input := range s.order {
		errs = append(errs, s.failed[input])
	}
	return errors.Join(errs...)
}

// trace returns the name of the row's trace.
func (r *row) trace() string { return r.Text(0) }

// number returns the value of an integer column, and false for NULL.
func (r *row) number(column int) (int64, bool) {
	if place := r.places[column]; place >= 0 {
		return r.Int(place)
	}
	return 0, false
}

// or returns the value of an integer column, or another value for NULL.
func (r *row) or(column int, other int64) int64 {
	if v, ok := r.number(column); ok {
		return v
	}
	return other
}

// text returns the value of a text column; "" for NULL. It shares the memory of the batch: a text that
// is kept must be cloned.
func (r *row) text(column int) string {
	if place := r.places[column]; place >= 0 {
		return r.Text(place)
	}
	return ""
}

// list returns the values of a list of texts, as [row.text] does.
func (r *row) list(column int, into []string) []string {
	into = into[:0]
	if r.places[column] < 0 {
		return into
	}
	list, from, to := r.List(r.places[column])
	values, _ := list.(*array.String)
	for i := from; values != nil && i < to; i++ {
		if values.IsNull(i) {
			into = append(into, "")
		} else {
			into = append(into, values.Value(i))
		}
	}
	return into
}
