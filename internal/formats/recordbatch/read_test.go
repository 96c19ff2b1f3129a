package recordbatch

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
)

// dirty is an allocator of memory that is not zero, and that is overwritten when
// it is freed.
type dirty struct{ memory.GoAllocator }

func (d *dirty) Allocate(size int) []byte {
	p := d.GoAllocator.Allocate(size)
	soil(p)
	return p
}

func (d *dirty) Free(p []byte) { soil(p) }

func soil(p []byte) {
	for i := range p {
		p[i] = 0xa5
	}
}

// newAllocator returns an allocator. The test fails if any of its memory is in use
// at the end.
func newAllocator(t testing.TB) memory.Allocator {
	checked := memory.NewCheckedAllocator(new(dirty))
	t.Cleanup(func() { checked.AssertSize(t, 0) })
	return checked
}

// fill appends rows to a batch.
func fill(b *columns.Batch, rows [][]any) {
	for _, row := range rows {
		columnstest.Append(b, row)
	}
}

// valueOf returns the value of an array at index i, in the form of [columnstest.Data].
func valueOf(a arrow.Array, i int) any {
	if a.IsNull(i) {
		return nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		return a.Value(i)
	case *array.Int32:
		return a.Value(i)
	case *array.Int64:
		return a.Value(i)
	case *array.Uint64:
		return a.Value(i)
	case *array.Float32:
		return a.Value(i)
	case *array.Float64:
		return a.Value(i)
	case *array.String:
		return a.Value(i)
	case *array.Binary:
		return a.Value(i)
	case *array.Timestamp:
		return int64(a.Value(i))
	case *array.List:
		from, to := a.ValueOffsets(i)
		list := make([]any, 0, to-from)
		for ; from < to; from++ {
			list = append(list, valueOf(a.ListValues(), int(from)))
		}
		return list
	case *array.Struct:
		members := make(columnstest.Members, a.NumField())
		for n := range members {
			members[n] = valueOf(a.Field(n), i)
		}
		return members
	}
	panic(fmt.Sprintf("no value of a %T", a))
}

// checkRecord compares a record batch with its rows.
func checkRecord(t testing.TB, record arrow.RecordBatch, rows [][]any) {
	t.Helper()
	if err := array.ValidateRecordFull(record); err != nil {
		t.Fatal(err)
	}
	if record.NumRows() != int64(len(rows)) {
		t.Fatalf("%d rows, want %d", record.NumRows(), len(rows))
	}
	for i, a := range record.Columns() {
		f := record.Schema().Field(i)
		if a.Len() != len(rows) {
			t.Errorf("column %s has %d rows, want %d", f.Name, a.Len(), len(rows))
		}
		if err := checkNulls(a.Data(), f); err != nil {
			t.Error(err)
		}
		for row := range rows {
			if got, want := columnstest.Plain(valueOf(a, row)), columnstest.Plain(rows[row][i]); !reflect.DeepEqual(got, want) {
				t.Fatalf("row %d, column %s %s:\n%.2000s", row, f.Name, f.Type, cmp.Diff(want, got))
			}
		}
	}
}

// checkNulls reports an array that has nulls though its field does not allow them,
// not even below a null, or that has a bitmap without any null.
func checkNulls(a arrow.ArrayData, f arrow.Field) error {
	if has := a.Buffers()[0] != nil; has != (a.NullN() > 0) || has && !f.Nullable {
		return fmt.Errorf("field %s (nullable: %t) has %d nulls, bitmap: %t", f.Name, f.Nullable, a.NullN(), has)
	}
	nested, ok := f.Type.(arrow.NestedType)
	if !ok {
		return nil
	}
	for i, child := range a.Children() {
		if err := checkNulls(child, nested.Fields()[i]); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// makeRecord makes a record batch and fails the test on an error.
func makeRecord(t testing.TB, m *Maker, b *columns.Batch, done func()) arrow.RecordBatch {
	t.Helper()
	record, err := m.RecordBatch(b, done)
	if err != nil {
		t.Fatal(err)
	}
	return record
}
