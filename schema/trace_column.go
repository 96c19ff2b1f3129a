package schema

import "slices"

// TraceColumn is the column that says of which trace a row is. Where a file is
// of one trace it is the partition that the file is in; in a file of several it
// is the last column.
var TraceColumn = Column{Name: "trace", Type: String, Encoding: Repeating, Doc: "Name of the trace in the dataset."}

// WithTrace returns the table as it is in a file of several traces: with the
// trace of each row, by which rows are sorted first.
func (t *Table) WithTrace() *Table {
	with := *t
	with.Columns = append(slices.Clone(t.Columns), TraceColumn)
	with.SortBy = append([]string{TraceColumn.Name}, t.SortBy...)
	return &with
}

// SameColumns reports whether rows of the tables can be in one file.
func (t *Table) SameColumns(other *Table) bool {
	return t == other || slices.Equal(t.SortBy, other.SortBy) && slices.EqualFunc(t.Columns, other.Columns, sameColumn)
}

func sameColumn(a, b Column) bool {
	return a.Name == b.Name && a.Type == b.Type && a.List == b.List && a.Nullable == b.Nullable && a.Encoding == b.Encoding &&
		slices.EqualFunc(a.Fields, b.Fields, sameColumn)
}
