package main

import (
	"context"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
)

// described is what etl_tables and etl_problems tell about a trace.
type described struct {
	path, file string
	tables     []etl2parquet.Table
	problems   []facts.Problem
}

// describeAll describes the traces of a call.
func (t *traces) describeAll(a arguments, describe func(t *heldTrace, d *described) error) (list []described, err error) {
	if err := t.find(a); err != nil {
		return nil, err
	}
	defer t.unpin()
	err = t.each(func(h *held) error {
		for _, trace := range h.traces {
			d := described{path: trace.path, file: trace.name}
			if err := describe(trace, &d); err != nil {
				return named(trace.name, err)
			}
			list = append(list, d)
		}
		return nil
	}, func() bool { return false })
	return list, err
}

// bindTables binds etl_tables: a row for each table of each trace.
func bindTables(a arguments) (*binding, error) {
	var t traces
	var err error
	if t.ignore, err = a.flag(ignoreErrorsParameter); err != nil {
		return nil, err
	}
	list, err := t.describeAll(a, func(t *heldTrace, d *described) error {
		d.tables, d.problems = t.Tables(), t.Problems()
		return nil
	})
	if err == nil && len(list) == 0 {
		err = joined(t.skipped)
	}
	if err != nil {
		return nil, err
	}
	column := arrow.StructOf(arrow.Field{Name: "name", Type: arrow.BinaryTypes.String}, arrow.Field{Name: "type", Type: arrow.BinaryTypes.String})
	rows := newRows(
		traceField,
		arrow.Field{Name: "name", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "rows", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "doc", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "columns", Type: arrow.ListOf(column)},
		arrow.Field{Name: "errors", Type: arrow.PrimitiveTypes.Int64},
		arrow.Field{Name: "warnings", Type: arrow.PrimitiveTypes.Int64},
		arrow.Field{Name: filenameParameter, Type: arrow.BinaryTypes.String},
	)
	defer rows.Release()
	for i := range list {
		rows.addTables(t.names[list[i].path], &list[i])
	}
	return rows.binding(), nil
}

// addTables adds the tables of a trace.
func (r rowBuilder) addTables(trace string, d *described) {
	failures, warnings := count(d.problems, facts.SeverityError), count(d.problems, facts.SeverityWarning)
	columns := r.Field(4).(*array.ListBuilder)
	column := columns.ValueBuilder().(*array.StructBuilder)
	for _, t := range d.tables {
		r.text(0, trace)
		r.text(1, t.Name)
		r.number(2, t.Rows)
		r.text(3, t.Doc)
		columns.Append(true)
		for _, c := range t.Schema.Fields() {
			column.Append(true)
			column.FieldBuilder(0).(*array.StringBuilder).Append(c.Name)
			column.FieldBuilder(1).(*array.StringBuilder).Append(logicalName(c.Type))
		}
		r.number(5, failures)
		r.number(6, warnings)
		r.text(7, d.file)
	}
}

// count returns the number of problems of a severity.
func count(problems []facts.Problem, of facts.Severity) (n int64) {
	for i := range problems {
		if problems[i].Severity == of {
			n++
		}
	}
	return n
}

// The codes of problems of files, which the table problems does not have: an input cannot be read, and
// a file that describes events is not used, or not all of it.
const (
	unreadCode      = "input_unreadable"
	descriptionCode = "description_unusable"
)

// unusable returns a warning for each file that describes events of the trace and cannot be used, as
// far as the trace needed it: those beside the trace, and those in folders.
func (t *heldTrace) unusable() (list []facts.Problem) {
	for _, err := range t.descriptions.Errors() {
		list = append(list, facts.Problem{
			Severity: facts.SeverityWarning, Code: descriptionCode, Count: 1, Buffer: -1, FileOffset: -1, Position: -1, Message: err.Error(),
		})
	}
	return list
}

// bindProblems binds etl_problems: a row for each problem of each trace, and for each input that
// cannot be read.
func bindProblems(a arguments) (*binding, error) {
	t := traces{ignore: true}
	list, err := t.describeAll(a, func(t *heldTrace, d *described) error {
		_, err := t.Info(context.Background()) // checks how all payloads fit, which finds more
		d.problems = append(t.Problems(), t.unusable()...)
		return err
	})
	if err != nil {
		return nil, err
	}
	rows := newRows(
		arrow.Field{Name: traceField.Name, Type: traceField.Type, Nullable: true},
		arrow.Field{Name: "severity", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "code", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "count", Type: arrow.PrimitiveTypes.Int64},
		arrow.Field{Name: "buffer", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "file_offset", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "position", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "field", Type: arrow.BinaryTypes.String, Nullable: true},
		arrow.Field{Name: "message", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: filenameParameter, Type: arrow.BinaryTypes.String},
	)
	defer rows.Release()
	for i := range list {
		for _, p := range list[i].problems {
			rows.addProblem(t.names[list[i].path], list[i].file, p)
		}
	}
	for _, u := range t.skipped {
		rows.addProblem("", u.name, facts.Problem{
			Severity: facts.SeverityError, Code: unreadCode, Count: 1, Buffer: -1, FileOffset: -1, Position: -1, Message: u.err.Error(),
		})
	}
	return rows.binding(), nil
}

func (r rowBuilder) addProblem(trace, file string, p facts.Problem) {
	r.text(0, trace)
	r.text(1, string(p.Severity))
	r.text(2, p.Code)
	for i, n := range []int64{p.Count, p.Buffer, p.FileOffset, p.Position} {
		r.number(3+i, n)
	}
	r.text(7, p.Field)
	r.text(8, p.Message)
	r.text(9, file)
}

// bindStatistics binds etl_statistics: the resources that the extension uses in this process.
func bindStatistics(arguments) (*binding, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	open, bytes := openInputs.size()
	rows := newRows(
		arrow.Field{Name: "name", Type: arrow.BinaryTypes.String}, arrow.Field{Name: "value", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "doc", Type: arrow.BinaryTypes.String},
	)
	defer rows.Release()
	for _, s := range []struct {
		name  string
		value int64
		doc   string
	}{
		{"file_reads", fileReads.Load(), "calls that read traces since LOAD: one for each buffer, and a few for the start of a file"},
		{"bytes_read", fileBytes.Load(), "bytes read from traces since LOAD"},
		{"open_traces", int64(open), "inputs that are open now: in use, or for the next query"},
		{"open_bytes", bytes, "bytes of memory, approximately, that their indexes take"},
		{"goroutines", int64(goroutines()), "goroutines of scans and of this query now"},
		{"heap_bytes", int64(m.HeapAlloc), "bytes that the extension has in memory now"},
	} {
		rows.text(0, s.name)
		rows.number(1, s.value)
		rows.text(2, s.doc)
	}
	return rows.binding(), nil
}

// goroutines counts goroutines, except those of the host's threads: each thread that has called Go
// keeps a goroutine, which has no function between calls.
func goroutines() (n int) {
	records := make([]runtime.StackRecord, 1024)
	all, _ := runtime.GoroutineProfile(records)
	for i := range min(all, len(records)) {
		if len(records[i].Stack()) > 1 {
			n++
		}
	}
	return n + max(all-len(records), 0)
}

// rowBuilder makes rows that are known when a call is bound.
type rowBuilder struct{ *array.RecordBuilder }

func newRows(columns ...arrow.Field) rowBuilder {
	return rowBuilder{array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(columns, nil))}
}

// text adds a value to a column; "" is NULL where the column can be.
func (r rowBuilder) text(column int, value string) {
	to := r.Field(column).(*array.StringBuilder)
	if value == "" && r.Schema().Field(column).Nullable {
		to.AppendNull()
	} else {
		to.Append(value)
	}
}

// number adds a value to a column; a negative one is NULL where the column can be.
func (r rowBuilder) number(column int, value int64) {
	to := r.Field(column).(*array.Int64Builder)
	if value < 0 && r.Schema().Field(column).Nullable {
		to.AppendNull()
	} else {
		to.Append(value)
	}
}

// binding returns the binding of a call with these rows.
func (r rowBuilder) binding() *binding {
	rows := r.NewRecordBatch()
	return &binding{columns: rows.Schema().Fields(), rows: rows.NumRows(), fixed: rows}
}
