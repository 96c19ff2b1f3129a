package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TableSummary sums up a table of a dataset, by the commit records.
type TableSummary struct {
	Name  string
	Parts int // traces and bundles
	Files int
	Rows  int64
	Bytes int64
	Event schema.Identity // of a table of an event that schemas describe; of the first part if they differ

	shapes []string          // in the order of their first files
	first  map[string]string // by shape: the first file
}

// Summary sums up a dataset, by its commit records.
type Summary struct {
	Traces  int
	Events  int64
	Tables  []*TableSummary // first those of package schema in its order, then the others by name
	Damaged []string        // records that cannot be read; their parts are not counted
}

// Summary reads the commit records.
func (d *Dataset) Summary(ctx context.Context) (*Summary, error) {
	if err := d.Load(ctx); err != nil {
		return nil, err
	}
	s, byName := new(Summary), make(map[string]*TableSummary)
	_, err := d.committed(ctx, func(name string, r *Record, err error) error {
		if err != nil || faultOf(r) != "" {
			s.Damaged = append(s.Damaged, name)
			return nil
		}
		s.Traces += len(r.Traces)
		for i := range r.Traces {
			s.Events += r.Traces[i].Events
		}
		s.Tables = addTables(s.Tables, byName, r)
		return nil
	})
	slices.SortFunc(s.Tables, tableOrder())
	return s, err
}

// addTables adds the tables of a record.
func addTables(tables []*TableSummary, byName map[string]*TableSummary, r *Record) []*TableSummary {
	counted := make(map[*TableSummary]bool)
	for i := range r.Files {
		f := &r.Files[i]
		t := byName[f.Table]
		if t == nil {
			t = &TableSummary{Name: f.Table, first: make(map[string]string)}
			if f.Event != nil {
				t.Event = *f.Event
			}
			byName[f.Table] = t
			tables = append(tables, t)
		}
		if !counted[t] {
			counted[t] = true
			t.Parts++
		}
		t.Files++
		t.Rows += f.Rows
		t.Bytes += f.Bytes
		shape := shapeOf(r, f)
		if t.first[shape] == "" {
			t.first[shape] = f.File
			t.shapes = append(t.shapes, shape)
		}
	}
	return tables
}

// shapeOf returns a key that files with the same columns share. Even tables that are the same
// in every trace can differ by version, and by the selected columns.
func shapeOf(r *Record, f *RecordFile) string {
	columns, _ := json.Marshal(f.Columns) // of texts only
	return fmt.Sprintf("%s %q %q %s", r.Tool, r.Options.Columns, r.Options.Needs, columns)
}

// tableOrder orders tables as package schema does; other tables follow by name.
func tableOrder() func(a, b *TableSummary) int {
	place := make(map[string]int)
	for i, t := range schema.Tables() {
		place[t.Name] = i + 1
	}
	return func(a, b *TableSummary) int {
		i, j := place[a.Name], place[b.Name]
		switch {
		case i == 0 && j == 0:
			return strings.Compare(a.Name, b.Name)
		case i == 0:
			return 1
		case j == 0:
			return -1
		}
		return i - j
	}
}

// Columns reads the columns that the files of a table have, from the footer of a file of
// each shape: each as wide as all files need, see [schema.Column.Widen]. Columns that only some files
// have are nullable.
func (d *Dataset) Columns(ctx context.Context, t *TableSummary) ([]schema.Column, error) {
	all := new(schema.Table)
	for i, shape := range t.shapes {
		columns, err := d.fileColumns(ctx, t.first[shape])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.first[shape], err)
		}
		setUnsigned(columns)
		if of := (&schema.Table{Columns: columns}); i == 0 {
			all = of
		} else {
			all = all.Widen(of)
		}
	}
	return all.Columns, nil
}

func (d *Dataset) fileColumns(ctx context.Context, name string) ([]schema.Column, error) {
	content, err := d.store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer content.Close() // it was only read
	return parquet.ReadColumns(content, content.Size())
}

// setUnsigned makes UINT64 wide enough for other integers, of which a file does not say whether they
// have a sign.
func setUnsigned(columns []schema.Column) {
	for i := range columns {
		c := &columns[i]
		c.Unsigned = c.Type == schema.Int32 || c.Type == schema.Int64
		setUnsigned(c.Fields)
	}
}
