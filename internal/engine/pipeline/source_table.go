package pipeline

import (
	"errors"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/text/nearest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The errors for an unknown table and an unknown column.
var (
	ErrNoTable  = errors.New("there is no such table")
	ErrNoColumn = errors.New("there is no such column")
)

// Table finds a table by any of its names: one of the trace's, or else one that other traces have.
// The empty name means the table of all events.
func (s *Source) Table(name string) (*schema.Table, error) {
	if name == "" {
		return schema.EventsTable(), nil
	}
	var names []string
	for _, t := range s.Tables() {
		if t.Named(name) {
			return t.Table, nil
		}
		names = append(names, schema.TableNames(t.Name)...)
	}
	for _, t := range schema.Tables() {
		if t.Named(name) {
			return t, nil
		}
		names = append(names, schema.TableNames(t.Name)...)
	}
	hint := didYouMean(name, names)
	if hint == "" {
		hint = `; "etl2parquet describe" lists them`
	}
	return nil, fmt.Errorf("%w: %q%s", ErrNoTable, name, hint)
}

// Project returns a table with some of its columns, in the given order.
func Project(t *schema.Table, columns []string) (*schema.Table, error) {
	if err := CheckColumns(columns); err != nil {
		return nil, err
	}
	var names []string
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	for _, name := range columns {
		if t.Column(name) < 0 {
			return nil, fmt.Errorf("%w: table %s has none called %q%s", ErrNoColumn, t.Name, name, didYouMean(name, names))
		}
	}
	return t.Project(columns), nil
}

// CheckColumns checks a list of selected columns, independent of the table: it must name at least
// one, and none twice.
func CheckColumns(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("%w: none is named", ErrNoColumn)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("column %q is named twice", name)
		}
	}
	return nil
}

// didYouMean returns the end of a sentence about an unknown name.
func didYouMean(name string, names []string) string {
	if near := nearest.To(name, names); len(near) > 0 {
		return "; " + nearest.DidYouMean(near)
	}
	return ""
}
