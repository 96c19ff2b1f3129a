package main

import (
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// bindTables binds etl_tables: a row for each table of each trace.
func bindTables(a arguments) (*binding, error) {
	b := new(binding)
	paths, err := a.texts(pathParameter)
	if err != nil {
		return nil, err
	}
	if err := b.describe(a); err != nil {
		return nil, err
	}
	if b.files, err = findFiles(paths); err != nil {
		return nil, err
	}
	column := arrow.StructOf(arrow.Field{Name: "name", Type: arrow.BinaryTypes.String}, arrow.Field{Name: "type", Type: arrow.BinaryTypes.String})
	rows := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		traceField,
		{Name: "name", Type: arrow.BinaryTypes.String},
		{Name: "rows", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		{Name: "doc", Type: arrow.BinaryTypes.String},
		{Name: "columns", Type: arrow.ListOf(column)},
	}, nil))
	defer rows.Release()
	for i := range b.files {
		if err := b.addTables(rows, &b.files[i]); err != nil {
			return nil, err
		}
	}
	return known(rows.NewRecordBatch()), nil
}

// known returns the binding of a call whose rows are known.
func known(rows arrow.RecordBatch) *binding {
	return &binding{columns: rows.Schema().Fields(), rows: rows.NumRows(), fixed: rows}
}

// addTables adds the tables of a trace.
func (b *binding) addTables(rows *array.RecordBuilder, f *file) error {
	h, err := f.open(&b.descriptions)
	if err != nil {
		return err
	}
	defer traces.release(h)
	trace, name, count, doc := rows.Field(0).(*array.StringBuilder), rows.Field(1).(*array.StringBuilder), rows.Field(2).(*array.Int64Builder), rows.Field(3).(*array.StringBuilder)
	columns := rows.Field(4).(*array.ListBuilder)
	column := columns.ValueBuilder().(*array.StructBuilder)
	for _, t := range h.Tables() {
		trace.Append(f.trace)
		name.Append(t.Name)
		if t.Rows >= 0 {
			count.Append(t.Rows)
		} else {
			count.AppendNull()
		}
		doc.Append(t.Doc)
		columns.Append(true)
		for _, c := range t.Schema.Fields() {
			column.Append(true)
			column.FieldBuilder(0).(*array.StringBuilder).Append(c.Name)
			column.FieldBuilder(1).(*array.StringBuilder).Append(logicalName(c.Type))
		}
	}
	return nil
}

// bindStatistics binds etl_statistics: the resources that the extension uses in this process.
func bindStatistics(arguments) (*binding, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	rows := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema([]arrow.Field{
		{Name: "name", Type: arrow.BinaryTypes.String}, {Name: "value", Type: arrow.PrimitiveTypes.Int64}, {Name: "doc", Type: arrow.BinaryTypes.String},
	}, nil))
	defer rows.Release()
	for _, s := range []struct {
		name  string
		value int64
		doc   string
	}{
		{"file_reads", fileReads.Load(), "calls that read traces since LOAD: one for each buffer, and a few for the start of a file"},
		{"bytes_read", fileBytes.Load(), "bytes read from traces since LOAD"},
		{"open_traces", int64(traces.size()), "traces that are open now: in use, or for the next query"},
		{"goroutines", int64(goroutines()), "goroutines of scans and of this query now"},
		{"heap_bytes", int64(m.HeapAlloc), "bytes that the extension has in memory now"},
	} {
		rows.Field(0).(*array.StringBuilder).Append(s.name)
		rows.Field(1).(*array.Int64Builder).Append(s.value)
		rows.Field(2).(*array.StringBuilder).Append(s.doc)
	}
	return known(rows.NewRecordBatch()), nil
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
