package dataset

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Root returns the path or URL of the dataset, without a trailing slash.
func (d *Dataset) Root() string { return strings.TrimSuffix(d.store.URL(""), "/") }

// FilledTables returns the names of the tables that have files, recorded or not: first those of
// package schema in its order, then the others by name.
func (d *Dataset) FilledTables(ctx context.Context) ([]string, error) {
	tables, err := d.tables(ctx)
	if err != nil {
		return nil, err
	}
	has := make([]bool, len(tables))
	err = ordered.Each(len(tables), atOnce, func(i int) (err error) {
		has[i], err = d.hasFiles(ctx, tables[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	var filled []string
	for i, t := range tables {
		if has[i] {
			filled = append(filled, t)
		}
	}
	return filled, nil
}

func (d *Dataset) hasFiles(ctx context.Context, table string) (bool, error) {
	for entry, err := range d.store.List(ctx, table) {
		if err != nil {
			return false, err
		}
		if strings.HasSuffix(entry.Name, FileSuffix) {
			return true, nil
		}
	}
	return false, nil
}

// EachRecord calls use with the text of each commit record, in any order, one call at a time.
// The text need not be a valid record. A record that vanishes meanwhile, because another run is
// about to replace it, is skipped.
func (d *Dataset) EachRecord(ctx context.Context, use func(text []byte)) error {
	var names []string
	for entry, err := range d.store.List(ctx, RecordsFolder) {
		if err != nil {
			return err
		}
		if isRecordFile(entry.Name) {
			names = append(names, entry.Name)
		}
	}
	var mu sync.Mutex
	return ordered.Each(len(names), atOnce, func(i int) error {
		text, err := d.store.ReadFile(ctx, names[i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			use(text)
		}
		return err
	})
}

// WriteViews replaces views.sql atomically.
func (d *Dataset) WriteViews(ctx context.Context, sql string) error {
	return d.writeFile(ctx, ViewsFile, func(to io.Writer) error {
		_, err := io.WriteString(to, sql)
		return err
	})
}

// recordColumns returns the types, by name, of the columns of a table that not all tables of
// events have, or nil for tables that are the same in every trace.
func recordColumns(t *schema.Table) map[string]string {
	if _, own := schema.LookupTable(t.Name); own {
		return nil
	}
	return ownColumns(t.Event, t.Columns)
}

// recordOmitted returns the types, by name, of such columns that the selection has left out, or nil if
// there are none.
func recordOmitted(t *schema.Table) map[string]string {
	if _, own := schema.LookupTable(t.Name); own || len(t.Omitted()) == 0 {
		return nil
	}
	return ownColumns(t.Event, t.Omitted())
}

// ownColumns returns the types, by name, of the columns that not all tables of such events have.
func ownColumns(event schema.Identity, list []schema.Column) map[string]string {
	common := SharedColumns(event)
	columns := make(map[string]string)
	for i := range list {
		if c := &list[i]; !c.Computed && !slices.ContainsFunc(common, func(common schema.Column) bool { return common.Name == c.Name }) {
			columns[c.Name] = c.SignedTypeName()
		}
	}
	return columns
}

// recordUnsigned returns the types of the columns of a table that have another type in the file, which
// has the table as written. It returns nil if there are none.
func recordUnsigned(t, written *schema.Table) map[string]string {
	if t == written {
		return nil
	}
	columns, inFile := recordColumns(t), recordColumns(written)
	maps.DeleteFunc(columns, func(name, kind string) bool { return kind == inFile[name] })
	return columns
}

// recordMade returns the columns of a table that are made of something else than the bytes of the
// payload, or nil for tables that are the same in every trace.
func recordMade(t *schema.Table) []string {
	if _, own := schema.LookupTable(t.Name); own {
		return nil
	}
	return t.MadeColumns()
}

// SharedColumns returns the columns that the files of all events of this kind have in addition to
// their fields, the column trace first.
func SharedColumns(event schema.Identity) []schema.Column {
	common := schema.CommonColumns()
	stored := (&schema.Table{Columns: common[:len(common)-1]}).Stored() // all but the payload
	shared := append([]schema.Column{schema.TraceColumn}, stored.Columns...)
	if (&schema.Table{Event: event}).HasDescriptor() {
		shared = append(shared, schema.EventColumns()...)
	}
	return shared
}

// recordEvent returns the event of a table, or nil.
func recordEvent(t *schema.Table) *schema.Identity {
	if t.Event == (schema.Identity{}) {
		return nil
	}
	return &t.Event
}
