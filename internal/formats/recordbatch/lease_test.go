package recordbatch

import (
	"fmt"
	"sync"
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestShared checks that a record batch shares values without gaps, and copies others.
func TestShared(t *testing.T) {
	blob := schema.Column{Name: "blob", Type: schema.Binary, Encoding: schema.Varied, Nullable: true}
	for _, test := range []struct {
		name   string
		column schema.Column
		values []any
		memory func(*columns.Column) unsafe.Pointer
		shared bool
	}{
		{"int32", schema.Column{Type: schema.Int32}, []any{int32(1), int32(2)}, smallOf, true},
		{"int64", schema.Column{Type: schema.Int64}, []any{int64(1), int64(2)}, intsOf, true},
		{"uint64", schema.Column{Type: schema.Uint64}, []any{uint64(1), uint64(2)}, intsOf, true},
		{"timestamp", schema.Column{Type: schema.Timestamp}, []any{int64(1), int64(2)}, intsOf, true},
		{"float", schema.Column{Type: schema.Float}, []any{float32(1)}, func(c *columns.Column) unsafe.Pointer { return unsafe.Pointer(&c.Floats[0]) }, true},
		{"double", schema.Column{Type: schema.Double}, []any{1.0}, func(c *columns.Column) unsafe.Pointer { return unsafe.Pointer(&c.Reals[0]) }, true},
		{"nullable without nulls", schema.Column{Type: schema.Int32, Nullable: true}, []any{int32(1), int32(2)}, smallOf, true},
		{"nullable with nulls", schema.Column{Type: schema.Int32, Nullable: true}, []any{int32(1), nil}, smallOf, false},
		{"elements", schema.Column{Type: schema.Int64, List: true, Nullable: true}, []any{[]any{int64(1)}, nil}, intsOf, true},
		{"bytes with nulls", blob, []any{[]byte("a"), nil}, func(c *columns.Column) unsafe.Pointer { return unsafe.Pointer(&c.Bytes[0]) }, true},
		{"members", columnstest.Struct("s", false, true, schema.Column{Type: schema.Int32}), []any{columnstest.Members{int32(1)}, columnstest.Members{int32(2)}},
			func(c *columns.Column) unsafe.Pointer { return smallOf(&c.Members[0]) }, true},
		{"members below null", columnstest.Struct("s", false, true, schema.Column{Type: schema.Int32}), []any{columnstest.Members{int32(1)}, nil},
			func(c *columns.Column) unsafe.Pointer { return smallOf(&c.Members[0]) }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.column.Name = "c"
			b := columns.NewBatch(&schema.Table{Name: "t", Columns: []schema.Column{test.column}})
			for _, v := range test.values {
				columnstest.Append(b, []any{v})
			}
			record := makeRecord(t, NewMaker(b.Table, newAllocator(t)), b, nil)
			defer record.Release()
			data := record.Column(0).Data()
			for len(data.Children()) > 0 {
				data = data.Children()[0]
			}
			values := data.Buffers()[len(data.Buffers())-1].Bytes()
			if shared := unsafe.Pointer(&values[0]) == test.memory(&b.Columns[0]); shared != test.shared {
				t.Errorf("shared: %t, want %t", shared, test.shared)
			}
		})
	}
}

func smallOf(c *columns.Column) unsafe.Pointer { return unsafe.Pointer(&c.Small[0]) }
func intsOf(c *columns.Column) unsafe.Pointer  { return unsafe.Pointer(&c.Ints[0]) }

// TestDone checks that a batch is returned once, when the last reference to its memory is released.
func TestDone(t *testing.T) {
	number := schema.Column{Name: "number", Type: schema.Int32}
	other := schema.Column{Name: "other", Type: schema.Int32}
	structs := columnstest.Struct("s", true, true, number)
	text := schema.Column{Name: "text", Type: schema.String}
	numbers := &columnstest.Data{Table: &schema.Table{Name: "t", Columns: []schema.Column{number, other}}, Rows: [][]any{{int32(1), int32(2)}, {int32(3), int32(4)}}}
	type releaser interface{ Release() }
	for _, test := range []struct {
		name string
		data *columnstest.Data
		keep func(arrow.RecordBatch) releaser // released after the record batch, if not nil
		done bool                             // before anything is released
	}{
		{"record batch", numbers, nil, false},
		{"retained record batch", numbers, func(r arrow.RecordBatch) releaser { r.Retain(); return r }, false},
		{"slice", numbers, func(r arrow.RecordBatch) releaser { return r.NewSlice(1, 2) }, false},
		{"column", numbers, func(r arrow.RecordBatch) releaser { r.Column(1).Retain(); return r.Column(1) }, false},
		{"buffer", numbers, func(r arrow.RecordBatch) releaser {
			b := r.Column(1).Data().Buffers()[1]
			b.Retain()
			return b
		}, false},
		{"member", &columnstest.Data{Table: &schema.Table{Name: "t", Columns: []schema.Column{structs}}, Rows: [][]any{{[]any{columnstest.Members{int32(1)}}}}},
			func(r arrow.RecordBatch) releaser {
				member := r.Column(0).Data().Children()[0].Children()[0]
				member.Retain()
				return member
			}, false},
		{"nothing shared", &columnstest.Data{Table: &schema.Table{Name: "t", Columns: []schema.Column{text}}, Rows: [][]any{{"a"}}}, nil, true},
		{"no rows", &columnstest.Data{Table: numbers.Table}, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := columns.NewBatch(test.data.Table)
			fill(b, test.data.Rows)
			done := 0
			record := makeRecord(t, NewMaker(b.Table, newAllocator(t)), b, func() { done++ })
			check := func(when string, want int) {
				if done != want {
					t.Errorf("%s: done was called %d times, want %d", when, done, want)
				}
			}
			first := 0
			if test.done {
				first = 1
			}
			check("made", first)
			if test.keep != nil {
				kept := test.keep(record)
				record.Release()
				check("record batch released", 0)
				kept.Release()
			} else {
				record.Release()
			}
			check("all released", 1)
		})
	}
}

// TestStream passes two batches between a maker and consumers, which release them
// in any order and keep parts.
func TestStream(t *testing.T) {
	data := columnstest.Nestings().Fill(testenv.Seeded("stream"), 2000, 0.2, 3, 50)
	m := NewMaker(data.Table, newAllocator(t))
	idle := make(chan *columns.Batch, 2)
	for range cap(idle) {
		idle <- columns.NewBatch(data.Table)
	}
	type part struct {
		record arrow.RecordBatch
		rows   [][]any
	}
	parts := make(chan part)
	var consumers sync.WaitGroup
	for range 3 {
		consumers.Go(func() {
			for p := range parts {
				n := int64(len(p.rows) / 2)
				half := p.record.NewSlice(n, int64(len(p.rows)))
				p.record.Release()
				for row := range p.rows[n:] {
					for i, a := range half.Columns() {
						got, want := columnstest.Plain(valueOf(a, row)), columnstest.Plain(p.rows[int(n)+row][i])
						if fmt.Sprint(got) != fmt.Sprint(want) {
							t.Errorf("got %v, want %v", got, want)
						}
					}
				}
				half.Release()
			}
		})
	}
	random := testenv.Seeded("stream sizes")
	for rows := data.Rows; len(rows) > 0; {
		n := min(1+random.IntN(50), len(rows))
		b := <-idle
		b.Reset()
		fill(b, rows[:n])
		parts <- part{makeRecord(t, m, b, func() { idle <- b }), rows[:n]}
		rows = rows[n:]
	}
	close(parts)
	consumers.Wait()
	if n := len(idle); n != cap(idle) {
		t.Errorf("%d batches came back, want %d", n, cap(idle))
	}
}

// TestSharedIsNotResized checks that Arrow does not resize the memory of a batch.
func TestSharedIsNotResized(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	memory.NewBufferWithAllocator(make([]byte, 8), newLease(nil)).Reserve(100)
}
