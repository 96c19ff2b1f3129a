package main

// #include "bridge.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// functions are the table functions, by number.
var functions = []struct {
	name       string
	parameters []string // the positional one first, if there is one
	bind       func(arguments) (*binding, error)
}{
	{"read_etl", []string{pathParameter, nameParameter, fromParameter, toParameter, providerParameter, eventParameter, processParameter,
		payloadParameter, messagesParameter, manifestParameter, tmfParameter, catalogParameter, symbolsParameter}, bindRead},
	{"etl_tables", []string{pathParameter, manifestParameter, tmfParameter, catalogParameter}, bindTables},
	{"etl_statistics", nil, bindStatistics},
}

// binding is a bound call of a table function.
type binding struct {
	columns []arrow.Field // of the rows
	rows    int64         // -1 if unknown

	fixed arrow.RecordBatch // all rows, if known when binding; nil to read the rows of the files

	files        []file
	descriptions descriptions
	scan         etl2parquet.Scan // without columns

	matched   bool  // the selection may match in one of the files
	unmatched error // why it matches nothing in the files so far
}

// declare tells DuckDB the columns and the number of rows.
func (b *binding) declare(info C.duckdb_bind_info) {
	for i := range b.columns {
		c := &b.columns[i]
		name, t := C.CString(c.Name), logicalType(c.Type)
		C.api_add_column(info, name, t)
		C.api_destroy_type(t)
		C.free(unsafe.Pointer(name))
	}
	if b.rows >= 0 {
		C.api_set_cardinality(info, C.idx_t(b.rows), C.bool(!b.selects()))
	}
}

// selects reports whether only some of the events are read.
func (b *binding) selects() bool {
	s := &b.scan
	return s.From.IsSet() || s.To.IsSet() || len(s.Providers)+len(s.Events)+len(s.Processes) > 0
}

var traceField = arrow.Field{Name: schema.TraceColumn.Name, Type: arrow.BinaryTypes.String}

// bindRead binds read_etl.
func bindRead(a arguments) (*binding, error) {
	b := new(binding)
	if err := b.parameters(a); err != nil {
		return nil, err
	}
	columns := []arrow.Field{traceField}
	var missing error
	found := false
	for i := range b.files {
		table, err := b.table(&b.files[i])
		if errors.Is(err, etl2parquet.ErrNoTable) {
			missing = cmp.Or(missing, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		if columns, err = union(columns, table.Schema.Fields(), b.files[i].path); err != nil {
			return nil, err
		}
		found = true
		if b.rows = addRows(b.rows, table.Rows); isSame(table.Name) && b.matched {
			if i < len(b.files)-1 {
				b.rows = -1 // unknown for the other files
			}
			break
		}
	}
	switch {
	case !found:
		return nil, missing
	case !b.matched:
		return nil, b.unmatched
	}
	b.columns = columns
	return b, nil
}

// parameters reads the arguments.
func (b *binding) parameters(a arguments) (err error) {
	paths, err := a.texts(pathParameter)
	if err != nil {
		return err
	}
	if err := b.describe(a); err != nil {
		return err
	}
	s := &b.scan
	for name, to := range map[string]*[]string{
		providerParameter: &s.Providers, eventParameter: &s.Events, processParameter: &s.Processes, symbolsParameter: &b.descriptions.symbols,
	} {
		if *to, err = a.texts(name); err != nil {
			return err
		}
	}
	if s.Table, err = a.text(nameParameter); err != nil {
		return err
	}
	if s.From, err = a.timeBound(fromParameter); err != nil {
		return err
	}
	if s.To, err = a.timeBound(toParameter); err != nil {
		return err
	}
	if s.To.Before(s.From) {
		return fmt.Errorf("%s %s is before %s %s", toParameter, s.To, fromParameter, s.From)
	}
	if s.Payload, err = choice(a, payloadParameter, []string{"undecoded", "all"}, []etl2parquet.PayloadMode{etl2parquet.PayloadUndecoded, etl2parquet.PayloadAll}); err != nil {
		return err
	}
	b.descriptions.messages, err = choice(a, messagesParameter, []string{"undecoded", "all", "none"},
		[]etl2parquet.MessageMode{etl2parquet.MessagesUndecoded, etl2parquet.MessagesAll, etl2parquet.MessagesNone})
	if err != nil {
		return err
	}
	b.files, err = findFiles(paths)
	return err
}

// describe reads the arguments with files that describe events.
func (b *binding) describe(a arguments) (err error) {
	d := &b.descriptions
	for name, to := range map[string]*[]string{manifestParameter: &d.manifests, tmfParameter: &d.tmf, catalogParameter: &d.catalogs} {
		if *to, err = a.texts(name); err != nil {
			return err
		}
	}
	d.stamps = stampsOf(slices.Concat(d.manifests, d.tmf, d.catalogs))
	return nil
}

// table returns the table in one of the files.
func (b *binding) table(f *file) (etl2parquet.Table, error) {
	h, err := f.open(&b.descriptions)
	if err != nil {
		return etl2parquet.Table{}, err
	}
	defer traces.release(h)
	table, err := h.Table(b.scan.Table)
	if err == nil {
		err = b.match(h)
	}
	return table, err
}

// match checks whether the selection may match in a trace. A query cannot report warnings, so it
// fails if the names and times match nothing in any of the files.
func (b *binding) match(h *held) error {
	if b.matched = b.matched || !b.selects(); b.matched {
		return nil
	}
	list, nothing, err := h.Mismatches(b.scan)
	if err != nil {
		return named(h.key.path, err)
	}
	b.matched = !nothing
	var messages []string
	for _, m := range list {
		messages = append(messages, m.Message)
	}
	why := errors.New(strings.Join(messages, "; "))
	if len(b.files) > 1 {
		why = fmt.Errorf("nothing is selected in any of the %d traces; in the first of them: %w", len(b.files), why)
	}
	b.unmatched = cmp.Or(b.unmatched, named(h.key.path, why))
	return nil
}

// isSame reports whether a table has the same columns in every trace.
func isSame(table string) bool {
	_, own := schema.LookupTable(table)
	return own || table == schema.EventsTable().Name
}

func addRows(sum, rows int64) int64 {
	if sum < 0 || rows < 0 || sum > math.MaxInt64-rows {
		return -1
	}
	return sum + rows
}

// union adds the columns of the table in another file. Columns that the rows of a file lack
// are NULL in them.
func union(columns, more []arrow.Field, path string) ([]arrow.Field, error) {
	for _, c := range more {
		i := slices.IndexFunc(columns, func(known arrow.Field) bool { return known.Name == c.Name })
		if i < 0 {
			columns = append(columns, c)
		} else if known := &columns[i]; logicalName(known.Type) != logicalName(c.Type) {
			return nil, fmt.Errorf("%s: column %s is %s here and %s in earlier files: read these files separately, and join them by UNION ALL BY NAME",
				path, c.Name, logicalName(c.Type), logicalName(known.Type))
		}
	}
	return columns, nil
}
