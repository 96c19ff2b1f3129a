package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The errors for an unknown table and an unknown column.
var (
	ErrNoTable  = errors.New("there is no such table")
	ErrNoColumn = errors.New("there is no such column")
)

// Table finds a table by any of its names or of the names of its event: one of the trace's, or else
// one that other traces have, or that the catalogue of Windows' events has, which then has no rows.
// The empty name means the table of all events. A name of several events is an error.
func (s *Source) Table(name string) (*schema.Table, error) {
	if name == "" {
		return schema.EventsTable(), nil
	}
	var own []*schema.Table
	for _, t := range s.Tables() {
		own = append(own, t.Table)
	}
	search := []func() []*schema.Table{
		func() []*schema.Table { return s.called(name, own) },
		func() []*schema.Table { return schema.FindTables(name, schema.Tables()) },
		func() []*schema.Table { return catalog.KnownTables(name, true) },
	}
	for _, find := range search {
		switch found := find(); {
		case schema.IsPattern(name):
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, fmt.Errorf("%w: %q means several: %s", ErrNoTable, name, listed(found))
		}
	}
	return nil, fmt.Errorf("%w: %q%s", ErrNoTable, name, s.suggestion(name, own))
}

// called returns the tables of the trace that a name means: the one of this name, or those of the
// trace's events that are called so. Events have names that their tables lack.
func (s *Source) called(name string, own []*schema.Table) []*schema.Table {
	if found := schema.FindTables(name, own); len(found) > 0 {
		return found
	}
	names := make(map[*schema.Table]bool)
	x, providers := s.Index, s.Index.Names()
	for i := range x.Types {
		t, k := &x.Types[i], &x.Catalog.Kinds[i]
		if k.Literal.Table == nil {
			continue
		}
		id, _ := t.Provider()
		provider, _ := providers.Provider(id)
		if n := k.EventNames(&t.Key, provider); n.Called(name) {
			names[k.Literal.Table.Table] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(own), func(t *schema.Table) bool { return !names[t] })
}

// mostListed bounds the tables that a message lists.
const mostListed = 4

// listed lists tables for a message.
func listed(tables []*schema.Table) string {
	var names []string
	for _, t := range tables[:min(len(tables), mostListed)] {
		names = append(names, t.Name)
	}
	if more := len(tables) - mostListed; more > 0 {
		return fmt.Sprintf("%s and %d more; name one of them", strings.Join(names, ", "), more)
	}
	return strings.Join(names, ", ") + "; name one of them"
}

// suggestion returns the end of a message about a name that no table has.
func (s *Source) suggestion(name string, own []*schema.Table) string {
	var names []string
	for _, t := range slices.Concat(own, schema.Tables()) {
		names = append(names, schema.TableNames(t.Name)...)
	}
	providers := s.Index.Names()
	for i := range s.Index.Types {
		t := &s.Index.Types[i]
		id, _ := t.Provider()
		provider, _ := providers.Provider(id)
		if n := s.Index.Catalog.Kinds[i].EventNames(&t.Key, provider); n.Table != "" {
			names = append(names, n.Name, n.Provider+"/"+n.Name)
		}
	}
	if hint := didYouMean(name, names); hint != "" {
		return hint
	}
	return `; "etl2parquet describe" lists them`
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
	if near := texts.Nearest(name, names); len(near) > 0 {
		return "; " + texts.DidYouMean(near)
	}
	return ""
}
