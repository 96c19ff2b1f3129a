package report

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	tracefacts "github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// source reads tables of traces. It keeps the errors of single traces, which do not end the others.
type source struct {
	ctx       context.Context
	traces    *etl2parquet.Traces
	views     *views.Set
	selected  etl2parquet.Scan // the events of the page
	compares  bool             // the page compares them with other traces
	hasStarts bool             // there are events with the opcode of a start or stop
	failed    map[string]error // by input
	order     []string         // of failed
}

// has reports whether any of the traces has, or may have, rows of a table.
func (s *source) has(name string) (bool, error) {
	table, err := s.traces.Table(name)
	return err == nil && table.Rows != 0, ignoreAbsent(err)
}

// each calls do for each row of a table, in time order.
func each[T any](s *source, name string, do func(row *T)) error {
	rows, err := open[T](s, name)
	if err != nil {
		return err
	}
	defer rows.Release()
	for rows.Next() {
		do(&rows.Row)
	}
	return s.keepFailures(rows.Err())
}

// isAboutTrace has the tables that are read whole, whatever events are selected.
var isAboutTrace = map[string]bool{"traces": true, "event_types": true, "perfinfo_collectionstart": true}

// open starts to read a table: rows of the selected events or, if none are named, of some events. A table
// that no trace has, has no rows. The caller must release the rows.
func open[T any](s *source, name string, events ...string) (*recordbatch.Reader[T], error) {
	r := recordbatch.NewReader[T]()
	return r, s.open(&r.Cursor, name, events)
}

func (s *source) open(rows *recordbatch.Cursor, name string, events []string) error {
	table, err := s.traces.Table(name)
	if err != nil {
		return ignoreAbsent(err)
	}
	var scan etl2parquet.Scan
	if !isAboutTrace[name] {
		scan = s.selected
	}
	if len(scan.Events) == 0 {
		scan.Events = events
	}
	err = rows.Open(table.Definition, func(columns []string) (array.RecordReader, error) {
		if table.Rows == 0 {
			return nil, nil
		}
		scan.Table, scan.Columns = name, columns
		return s.traces.Scan(s.ctx, scan)
	})
	if err != nil {
		return fmt.Errorf("read table %s: %w", name, err)
	}
	return nil
}

// ignoreAbsent returns the error of a table, or nil if no trace has the table.
func ignoreAbsent(err error) error {
	if errors.Is(err, etl2parquet.ErrNoTable) {
		return nil
	}
	return err
}

// keepFailures keeps the errors of single traces in the error that ended some rows, and returns the others.
func (s *source) keepFailures(err error) error {
	if err == nil {
		return nil
	}
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var others []error
	for _, err := range list {
		failure := new(tracefacts.InputError)
		if !errors.As(err, &failure) {
			others = append(others, err)
		} else if s.failed[failure.Input] == nil {
			s.failed[failure.Input] = failure
			s.order = append(s.order, failure.Input)
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
