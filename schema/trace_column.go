package schema

import "slices"

// TraceColumn is the column that says which trace a row is from: the first column of every file of
// a dataset.
var TraceColumn = Column{Name: "trace", Type: String, Encoding: Repeating, Doc: "Name of the trace in the dataset."}

// WithTrace returns the table as in the files of a dataset: with the trace of each row, by which
// rows are sorted first.
func (t *Table) WithTrace() *Table {
	with := *t
	with.Columns = append([]Column{TraceColumn}, t.Columns...)
	with.SortBy = append([]string{TraceColumn.Name}, t.SortBy...)
	return &with
}

// SameColumns reports whether rows of both tables can be in one file: the columns and the event are
// the same.
func (t *Table) SameColumns(other *Table) bool {
	return t == other || t.Event == other.Event && slices.Equal(t.SortBy, other.SortBy) && slices.EqualFunc(t.Columns, other.Columns, sameColumn) &&
		slices.EqualFunc(t.omitted, other.omitted, sameColumn)
}

func sameColumn(a, b Column) bool {
	return a.Name == b.Name && a.Type == b.Type && a.List == b.List && a.Nullable == b.Nullable && a.Encoding == b.Encoding && a.Unit == b.Unit && a.Unsigned == b.Unsigned &&
		slices.EqualFunc(a.Fields, b.Fields, sameColumn)
}
