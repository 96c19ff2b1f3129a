package etl2parquet_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
)

// What is in a trace, and in which tables.
func Example() {
	ctx := context.Background()
	trace, err := etl2parquet.Open(ctx, "testdata/sample.etl", etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	info, err := trace.Info(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Events, "events of", info.OS)
	for _, table := range trace.Tables()[:3] {
		fmt.Println(table.Name, table.Rows)
	}
	// Output:
	// 449 events of Windows 10 22H2
	// events 449
	// system_trace_header 85
	// perfinfo_trace_header 323
}

// Two columns of the context switches of the first half second.
func ExampleTrace_Scan() {
	ctx := context.Background()
	trace, err := etl2parquet.Open(ctx, "testdata/sample.etl", etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	to, err := etl2parquet.ParseTimeBound("0.5")
	if err != nil {
		log.Fatal(err)
	}
	reader, err := trace.Scan(ctx, etl2parquet.Scan{Table: "Thread/CSwitch", Columns: []string{"process_name", "new_thread_id"}, To: to})
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Release()
	rows := 0
	for reader.Next() {
		batch := reader.RecordBatch()
		names, threads := batch.Column(0).(*array.String), batch.Column(1).(*array.Int64)
		for i := range int(batch.NumRows()) {
			if rows++; rows <= 3 {
				fmt.Println(names.Value(i), threads.Value(i))
			}
		}
	}
	if err := reader.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows, "context switches")
	// Output:
	// explorer.exe 5208
	// Idle 0
	// explorer.exe 5212
	// 32 context switches
}

// The first context switches, as a table for people.
func ExampleTrace_Write() {
	ctx := context.Background()
	trace, err := etl2parquet.Open(ctx, "testdata/sample.etl", etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	scan := etl2parquet.Scan{Table: "Thread/CSwitch", Columns: []string{"process_name", "new_thread_id"}, Limit: 3}
	rows, err := trace.Write(ctx, os.Stdout, scan, etl2parquet.WriteOptions{Format: etl2parquet.FormatTable})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rows, "rows")
	// Output:
	// process_name  new_thread_id
	// ────────────  ─────────────
	// explorer.exe           5208
	// Idle                      0
	// explorer.exe           5212
	// 3 rows
}
