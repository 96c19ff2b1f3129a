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
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// functions are the table functions, by number.
var functions = []struct {
	name       string
	parameters []string // the positional one first, if there is one
	bind       func(arguments) (*binding, error)
}{
	{"read_etl", []string{pathParameter, nameParameter, fromParameter, toParameter, providerParameter, eventParameter, processParameter, levelParameter, keywordParameter,
		payloadParameter, messagesParameter, manifestParameter, tmfParameter, catalogParameter, symbolsParameter,
		strictParameter, ignoreErrorsParameter, filenameParameter, timestampsParameter}, bindRead},
	{"etl_tables", []string{pathParameter, manifestParameter, tmfParameter, catalogParameter, ignoreErrorsParameter}, bindTables},
	{"etl_problems", []string{pathParameter, manifestParameter, tmfParameter, catalogParameter}, bindProblems},
	{"etl_statistics", nil, bindStatistics},
}

// binding is a bound call of a table function.
type binding struct {
	columns []arrow.Field // of the rows
	rows    int64         // -1 if unknown

	fixed arrow.RecordBatch // all rows, if known when binding; nil to read the rows of the traces

	traces                    // to read
	scan     etl2parquet.Scan // without columns; As is the table that all traces fit
	strict   bool             // damage is an error
	filename string           // the column with the names of files; "" without
	nanos    bool             // times are in nanoseconds

	matched   bool  // the selection may match in one of the traces
	unmatched error // why it matches nothing in the traces so far
}

// close implements closer.
func (b *binding) close() { b.unpin() }

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
		C.api_set_cardinality(info, C.idx_t(b.rows), C.bool(b.scan.IsAll()))
	}
}

var traceField = arrow.Field{Name: schema.TraceColumn.Name, Type: arrow.BinaryTypes.String}

// bindRead binds read_etl.
func bindRead(a arguments) (_ *binding, err error) {
	b := new(binding)
	if err := b.parameters(a); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			b.unpin()
		}
	}()
	var missing error
	same := false // all other traces have these columns, too
	err = b.each(func(h *held) error {
		for _, t := range h.traces {
			table, err := t.Table(b.scan.Table)
			if errors.Is(err, etl2parquet.ErrNoTable) {
				missing = cmp.Or(missing, named(t.name, err))
				continue
			}
			if err == nil {
				err = cmp.Or(b.match(t), b.checkDamage(t))
			}
			if err != nil {
				return err
			}
			b.add(&table)
			same = isSame(table.Name)
		}
		return nil
	}, func() bool { return same && b.matched })
	if known := views.BuiltIn().Optional(b.scan.Table); err == nil && known != nil {
		b.mayLack(known)
	}
	switch {
	case err != nil:
		return nil, err
	case b.scan.As == nil:
		return nil, cmp.Or(missing, joined(b.skipped))
	case !b.matched:
		return nil, b.unmatched
	}
	if len(b.opened) < len(b.inputs) {
		b.rows = -1 // unknown for the other inputs
	}
	return b, b.name()
}

// mayLack adds a table that a view reads, though traces may lack it, or some of its columns.
func (b *binding) mayLack(t *schema.Table) {
	if b.scan.As == nil {
		b.scan.As, b.matched = t, true
		return
	}
	b.scan.As = b.scan.As.Widen(t)
}

// add adds the table of a trace: rows and columns. The columns are as wide as all traces need.
func (b *binding) add(t *etl2parquet.Table) {
	if b.scan.As == nil {
		b.scan.As = t.Definition
	} else {
		b.scan.As = b.scan.As.Widen(t.Definition)
	}
	b.rows = addRows(b.rows, t.Rows)
}

// name makes the columns.
func (b *binding) name() error {
	b.columns = append([]arrow.Field{traceField}, recordbatch.Schema(b.scan.As).Fields()...)
	if b.nanos {
		for i := range b.columns {
			b.columns[i].Type = withNanos(b.columns[i].Type)
		}
	}
	if b.filename == "" {
		return nil
	}
	if slices.ContainsFunc(b.columns, func(c arrow.Field) bool { return strings.EqualFold(c.Name, b.filename) }) {
		return fmt.Errorf("the table has a column %s of its own: give the new one another name, %s := 'NAME'", b.filename, filenameParameter)
	}
	b.columns = append(b.columns, arrow.Field{Name: b.filename, Type: arrow.BinaryTypes.String})
	return nil
}

// parameters reads the arguments.
func (b *binding) parameters(a arguments) (err error) {
	s := &b.scan
	for name, to := range map[string]*[]string{
		providerParameter: &s.Providers, eventParameter: &s.Events, processParameter: &s.Processes, keywordParameter: &s.Keywords, symbolsParameter: &b.descriptions.symbols,
	} {
		if *to, err = a.texts(name); err != nil {
			return err
		}
	}
	if s.Table, err = a.text(nameParameter); err != nil {
		return err
	}
	if s.Level, err = a.text(levelParameter); err != nil {
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
	if b.nanos, err = choice(a, timestampsParameter, []string{"us", "ns"}, []bool{false, true}); err != nil {
		return err
	}
	if b.strict, err = a.flag(strictParameter); err != nil {
		return err
	}
	if b.filename, err = a.text(filenameParameter); err != nil {
		return err
	}
	switch strings.ToLower(b.filename) {
	case "true":
		b.filename = "filename"
	case "false":
		b.filename = ""
	}
	if b.ignore, err = a.flag(ignoreErrorsParameter); err != nil {
		return err
	}
	return b.find(a)
}

// match checks whether the selection may match in a trace. A query cannot report warnings, so it
// fails if the names and times match nothing in any of the traces.
func (b *binding) match(t *heldTrace) error {
	if b.matched = b.matched || b.scan.IsAll(); b.matched {
		return nil
	}
	list, nothing, err := t.Mismatches(b.scan)
	if err != nil {
		return named(t.name, err)
	}
	b.matched = !nothing
	var messages []string
	for _, m := range list {
		messages = append(messages, m.Message)
	}
	why := named(t.name, errors.New(strings.Join(messages, "; ")))
	if len(b.inputs) > 1 {
		why = fmt.Errorf("nothing is selected in any of the %d inputs; in the first of them: %w", len(b.inputs), why)
	}
	b.unmatched = cmp.Or(b.unmatched, why)
	return nil
}

// checkDamage returns an error if damage is one, and the trace is damaged as far as is known.
func (b *binding) checkDamage(t *heldTrace) error {
	if !b.strict {
		return nil
	}
	for _, p := range t.Problems() {
		if p.Severity == facts.SeverityError {
			return named(t.name, fmt.Errorf("%w: %s", etl2parquet.ErrDamaged, p.String()))
		}
	}
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
