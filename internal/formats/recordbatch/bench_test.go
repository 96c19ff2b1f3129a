package recordbatch

import (
	"fmt"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// benchmarkBatches returns batches of numbers only, of two of the program's tables
// with nulls and without, and of lists and structs.
func benchmarkBatches() (batches []*columns.Batch) {
	add := func(table *schema.Table, rows int, nulls float64) {
		named := *table
		named.Name = fmt.Sprintf("%s/nulls=%v", table.ViewName(), nulls)
		b := columns.NewBatch(&named)
		fill(b, (&columnstest.Data{Table: &named}).Fill(testenv.Seeded(named.Name), rows, nulls, 3, 1000).Rows)
		batches = append(batches, b)
	}
	numbers := &schema.Table{Name: "numbers"}
	for i := range 10 {
		numbers.Columns = append(numbers.Columns, schema.Column{Name: fmt.Sprintf("c%d", i), Type: schema.Int64})
	}
	add(numbers, 20_000, 0)
	for _, table := range schema.Tables() {
		if table.Name == "event_header" || table.Name == "events/Thread/CSwitch" {
			add(table, 20_000, 0)
			add(table, 20_000, 0.3)
		}
	}
	add(columnstest.Nestings().Table, 5_000, 0.3)
	return batches
}

// BenchmarkRecordBatch makes a record batch, writes it as a stream, and encodes
// the same batch as Parquet:
//
//	go test -run '^$' -bench RecordBatch ./internal/formats/recordbatch
func BenchmarkRecordBatch(b *testing.B) {
	for _, batch := range benchmarkBatches() {
		name := batch.Table.Name
		m := NewMaker(batch.Table, memory.DefaultAllocator)
		b.Run(name+"/arrow", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				makeRecord(b, m, batch, nil).Release()
			}
		})
		b.Run(name+"/stream", func(b *testing.B) {
			w := ipc.NewWriter(io.Discard, ipc.WithSchema(m.Schema()))
			for b.Loop() {
				record := makeRecord(b, m, batch, nil)
				if err := w.Write(record); err != nil {
					b.Fatal(err)
				}
				record.Release()
			}
		})
		b.Run(name+"/parquet", func(b *testing.B) {
			codec, err := parquet.NewCodec(parquet.DefaultCompression)
			if err != nil {
				b.Fatal(err)
			}
			f, err := parquet.NewFile(nil, batch.Table, parquet.Options{Codec: codec})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				g := f.RowGroup()
				if err := g.Write(batch); err != nil {
					b.Fatal(err)
				}
				if err := g.Finish(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
