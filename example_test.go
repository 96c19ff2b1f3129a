package etl2parquet_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/facts"
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

// The events of one kind, with their fields. A misspelt name is no error: OnMismatch says so.
func ExampleTrace_Events() {
	ctx := context.Background()
	trace, err := etl2parquet.Open(ctx, "testdata/sample.etl", etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	for _, name := range []string{"Image/DCStart", "Image/DCStar"} {
		scan := etl2parquet.Scan{
			Selection:  facts.Selection{Events: []string{name}},
			OnMismatch: func(m facts.Mismatch) { fmt.Println(m.Message) },
		}
		for e, err := range trace.Events(ctx, scan) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(e.Time.Format("15:04:05.000"), e.ProcessName, e.Provider, e.Name)
			for _, f := range e.Fields()[:2] { // the first two of each
				fmt.Printf("  %s: %v (%T)\n", f.Name, f.Value, f.Value)
			}
		}
	}
	// Output:
	// 12:00:00.250 Idle Image DCStart
	//   image_base: 18446735291608727552 (uint64)
	//   image_size: 17063936 (int64)
	// 12:00:00.250 explorer.exe Image DCStart
	//   image_base: 140697910181888 (int64)
	//   image_size: 4857856 (int64)
	// 12:00:00.250 explorer.exe Image DCStart
	//   image_base: 140709903007744 (int64)
	//   image_size: 2064384 (int64)
	// event Image/DCStar matches none of its events; did you mean Image/DCStart?
}

// Errors name the file, and say whether it is a trace. Damage is no error: it is in the problems.
func ExampleOpen() {
	ctx := context.Background()
	for _, path := range []string{"absent.etl", "go.mod", "testdata/sample.etl"} {
		trace, err := etl2parquet.Open(ctx, path, etl2parquet.Options{})
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fmt.Println(path, "does not exist")
		case errors.Is(err, decode.ErrNotETL):
			fmt.Println(err)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println(path, "has", len(trace.Problems()), "problems")
			trace.Close()
		}
	}
	// Output:
	// absent.etl does not exist
	// go.mod: file offset 0x0: not an ETL trace: it does not begin with a trace buffer
	// testdata/sample.etl has 0 problems
}

// Two columns of the context switches of the first half second.
func ExampleTrace_Scan() {
	ctx := context.Background()
	trace, err := etl2parquet.Open(ctx, "testdata/sample.etl", etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	to, err := facts.ParseTimeBound("0.5")
	if err != nil {
		log.Fatal(err)
	}
	reader, err := trace.Scan(ctx, etl2parquet.Scan{Table: "Thread/CSwitch", Columns: []string{"process_name", "new_thread_id"}, Selection: facts.Selection{To: to}})
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

// The events of two traces, merged by time.
func ExampleTraces_Events() {
	ctx := context.Background()
	traces, err := etl2parquet.OpenAll(ctx, []string{"testdata/sample.etl", "testdata/sample-compressed.etl"}, etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer traces.Close()
	n := 0
	for e, err := range traces.Events(ctx, etl2parquet.Scan{Selection: facts.Selection{Providers: []string{"Process"}}}) {
		if err != nil {
			log.Fatal(err)
		}
		if n++; n <= 4 {
			name, _ := e.Field("image_file_name")
			fmt.Println(e.Time.Format("15:04:05.000000"), e.Trace, e.Name, name)
		}
	}
	fmt.Println(n, "events")
	// Output:
	// 12:00:00.250200 sample DCStart Idle
	// 12:00:00.250200 sample-compressed DCStart Idle
	// 12:00:00.250203 sample DCStart System
	// 12:00:00.250203 sample-compressed DCStart System
	// 14 events
}

// The frames of the first sampled stack.
func ExampleTrace_Stacks() {
	ctx := context.Background()
	trace, err := etl2parquet.Open(ctx, "testdata/sample.etl", etl2parquet.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer trace.Close()
	for e, err := range trace.Stacks(ctx, etl2parquet.Scan{Selection: facts.Selection{Events: []string{"SampleProf"}}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Name, "of", e.ProcessName)
		for _, f := range e.Stack.Frames {
			fmt.Printf("%#x %s+%#x kernel=%v\n", f.Address, f.Module, f.Offset, f.Kernel)
		}
		break
	}
	// Output:
	// PerfInfo/SampleProf of explorer.exe
	// 0x7ff6c8f61000 explorer.exe+0x11000 kernel=false
	// 0x7ff6c8f60a10 explorer.exe+0x10a10 kernel=false
	// 0x7ff993944364 +0x7ff993944364 kernel=false
	// 0x7ff993ce26a1 ntdll.dll+0x526a1 kernel=false
}
