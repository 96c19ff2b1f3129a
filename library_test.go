package etl2parquet_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const sample = "testdata/sample.etl"

// open opens a trace, and fails the test if a record batch is not released at the end.
func open(t testing.TB, path string, workers int) *etl2parquet.Trace {
	t.Helper()
	allocator := memory.NewCheckedAllocator(memory.DefaultAllocator)
	t.Cleanup(func() { allocator.AssertSize(t, 0) })
	return openWith(t, path, etl2parquet.Options{Workers: workers, Allocator: allocator})
}

// openWith opens a trace until the test ends.
func openWith(t testing.TB, path string, o etl2parquet.Options) *etl2parquet.Trace {
	t.Helper()
	trace, err := etl2parquet.Open(t.Context(), path, o)
	closeAtEnd(t, trace, err)
	return trace
}

// openAll opens traces until the test ends.
func openAll(t testing.TB, paths []string, o etl2parquet.Options) *etl2parquet.Traces {
	t.Helper()
	traces, err := etl2parquet.OpenAll(t.Context(), paths, o)
	closeAtEnd(t, traces, err)
	return traces
}

func closeAtEnd(t testing.TB, opened io.Closer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
}

func scan(t testing.TB, trace *etl2parquet.Trace, s etl2parquet.Scan) array.RecordReader {
	t.Helper()
	reader, err := trace.Scan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

// rowsOf reads a scan to its end and returns the values of each row as text.
func rowsOf(t testing.TB, trace *etl2parquet.Trace, s etl2parquet.Scan) [][]string {
	t.Helper()
	reader := scan(t, trace, s)
	defer reader.Release()
	var rows [][]string
	for reader.Next() {
		batch := reader.RecordBatch()
		if !batch.Schema().Equal(reader.Schema()) {
			t.Fatalf("a record batch of %v in a reader of %v", batch.Schema(), reader.Schema())
		}
		for i := range int(batch.NumRows()) {
			var row []string
			for _, column := range batch.Columns() {
				row = append(row, column.ValueStr(i))
			}
			rows = append(rows, row)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTables checks that each table has the rows and columns that Tables reports.
func TestTables(t *testing.T) {
	trace := open(t, sample, 2)
	tables := trace.Tables()
	if tables[0].Name != "events" || tables[0].Rows != infoOf(t, trace).Events {
		t.Errorf("the first table is %s with %d rows, want events with %d", tables[0].Name, tables[0].Rows, infoOf(t, trace).Events)
	}
	for _, table := range tables {
		reader := scan(t, trace, etl2parquet.Scan{Table: table.Name})
		if !reader.Schema().Equal(table.Schema) {
			t.Errorf("%s: a reader of %v, want %v", table.Name, reader.Schema(), table.Schema)
		}
		reader.Release()
		rows := rowsOf(t, trace, etl2parquet.Scan{Table: table.Name})
		if table.Rows >= 0 && int64(len(rows)) != table.Rows {
			t.Errorf("%s has %d rows, but Tables says %d", table.Name, len(rows), table.Rows)
		}
	}
}

// TestSameRows checks that rows do not depend on the workers or on the selected columns.
func TestSameRows(t *testing.T) {
	one, many := open(t, sample, 1), open(t, sample, 5)
	for _, table := range one.Tables() {
		rows := rowsOf(t, one, etl2parquet.Scan{Table: table.Name})
		for i, row := range rowsOf(t, many, etl2parquet.Scan{Table: table.Name}) {
			if !slices.Equal(row, rows[i]) {
				t.Fatalf("%s: row %d is %q with five workers, %q with one", table.Name, i, row, rows[i])
			}
		}
		for k, field := range table.Schema.Fields() {
			for i, row := range rowsOf(t, one, etl2parquet.Scan{Table: table.Name, Columns: []string{field.Name}}) {
				if row[0] != rows[i][k] {
					t.Fatalf("%s: row %d of column %s alone is %q, want %q", table.Name, i, field.Name, row[0], rows[i][k])
				}
			}
		}
	}
}

// TestScans checks the selection of rows, columns and tables.
func TestScans(t *testing.T) {
	trace := open(t, sample, 2)
	from := bound(t, "1.5")
	all := len(rowsOf(t, trace, etl2parquet.Scan{}))
	for name, test := range map[string]struct {
		scan etl2parquet.Scan
		same etl2parquet.Scan // a scan with as many rows
	}{
		"names of a table": {etl2parquet.Scan{Table: "thread_cswitch"}, etl2parquet.Scan{Table: "events/Thread/CSwitch"}},
		"case":             {etl2parquet.Scan{Table: "THREAD/cswitch"}, etl2parquet.Scan{Table: "Thread/CSwitch"}},
		"event":            {etl2parquet.Scan{Selection: facts.Selection{Events: []string{"CSwitch"}}}, etl2parquet.Scan{Table: "Thread/CSwitch"}},
		"provider":         {etl2parquet.Scan{Selection: facts.Selection{Providers: []string{"thread"}, Events: []string{"cswitch"}}}, etl2parquet.Scan{Table: "Thread/CSwitch"}},
		"order of columns": {etl2parquet.Scan{Table: "processes", Columns: []string{"process_name", "process_id"}}, etl2parquet.Scan{Table: "processes"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := len(rowsOf(t, trace, test.scan)), len(rowsOf(t, trace, test.same))
			if got != want || got == 0 || got == all {
				t.Errorf("%d rows, want %d, of %d", got, want, all)
			}
		})
	}
	before := len(rowsOf(t, trace, etl2parquet.Scan{Selection: facts.Selection{To: from}}))
	after := len(rowsOf(t, trace, etl2parquet.Scan{Selection: facts.Selection{From: from}}))
	if before == 0 || after == 0 || before+after != all {
		t.Errorf("%d rows before and %d after a time, of %d", before, after, all)
	}
}

func bound(t testing.TB, text string) facts.TimeBound {
	t.Helper()
	b, err := facts.ParseTimeBound(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNoRows checks that a table without events in the trace has its columns and no rows.
func TestNoRows(t *testing.T) {
	trace := open(t, sample, 2)
	reader := scan(t, trace, etl2parquet.Scan{Table: "TcpIp/Fail"})
	defer reader.Release()
	if reader.Schema().NumFields() < 10 || reader.Next() || reader.Err() != nil {
		t.Errorf("%d columns, error %v", reader.Schema().NumFields(), reader.Err())
	}
}

func TestScanErrors(t *testing.T) {
	trace := open(t, sample, 2)
	for name, test := range map[string]struct {
		scan etl2parquet.Scan
		want string
		is   error
	}{
		"table":          {etl2parquet.Scan{Table: "Thread/CSwich"}, "Thread/CSwitch", etl2parquet.ErrNoTable},
		"column":         {etl2parquet.Scan{Table: "processes", Columns: []string{"proces_name"}}, "process_name", etl2parquet.ErrNoColumn},
		"no columns":     {etl2parquet.Scan{Columns: []string{}}, "none", etl2parquet.ErrNoColumn},
		"a column twice": {etl2parquet.Scan{Columns: []string{"time_ns", "time_ns"}}, "twice", nil},
		"pattern":        {etl2parquet.Scan{Selection: facts.Selection{Events: []string{"["}}}, "pattern", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := trace.Scan(t.Context(), test.scan)
			if err == nil || !strings.Contains(err.Error(), test.want) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v, want an error with %q", err, test.want)
			}
		})
	}
}

// TestRelease checks that releasing a reader early ends the work and frees its memory.
func TestRelease(t *testing.T) {
	trace := open(t, sample, 3)
	for batches := range 3 {
		reader := scan(t, trace, etl2parquet.Scan{})
		for range batches {
			reader.Next()
		}
		reader.Retain()
		reader.Release()
		reader.Release()
	}
}

// TestKept checks that retained record batches do not change until the end of the scan.
func TestKept(t *testing.T) {
	trace := open(t, sample, 2)
	reader := scan(t, trace, etl2parquet.Scan{Columns: []string{"event_ref", "event_name"}})
	var kept []arrow.RecordBatch
	var was []string
	for reader.Next() {
		batch := reader.RecordBatch()
		batch.Retain()
		kept = append(kept, batch)
		was = append(was, fmt.Sprint(batch))
	}
	reader.Release()
	for i, batch := range kept {
		if now := fmt.Sprint(batch); now != was[i] {
			t.Errorf("record batch %d was %s and is %s", i, was[i], now)
		}
		batch.Release()
	}
}

// TestCanceled checks that a scan with a cancelled context returns that error, however small the
// trace is and whichever goroutine is faster.
func TestCanceled(t *testing.T) {
	trace := open(t, sample, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, table := range []string{"events", "processes", "stacks"} {
		for range 100 {
			reader, err := trace.Scan(ctx, etl2parquet.Scan{Table: table})
			if err != nil {
				t.Fatal(err)
			}
			for reader.Next() {
			}
			if err := reader.Err(); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: error %v", table, err)
			}
			reader.Release()
		}
	}
}

// TestAtOnce checks that concurrent scans of one trace work, and find the same problems.
func TestAtOnce(t *testing.T) {
	data := testenv.ReadFile(t, sample)
	clear(data[20<<10 : 21<<10]) // damages buffers
	trace, err := etl2parquet.OpenReader(t.Context(), bytes.NewReader(data), int64(len(data)), "damaged.etl", etl2parquet.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	want := rowsOf(t, trace, etl2parquet.Scan{Table: "problems"})
	if len(want) == 0 {
		t.Fatal("no problem is reported for a damaged trace")
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if got := rowsOf(t, trace, etl2parquet.Scan{Table: "problems"}); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %d problems, want %d", len(got), len(want))
			}
			rowsOf(t, trace, etl2parquet.Scan{})
		})
	}
	wait.Wait()
}

func TestNotATrace(t *testing.T) {
	for _, path := range []string{"README.md", "nosuch.etl", "testdata"} {
		if trace, err := etl2parquet.Open(t.Context(), path, etl2parquet.Options{}); err == nil {
			t.Errorf("%s is opened", path)
			trace.Close()
		}
	}
}

// infoOf returns the description of a trace.
func infoOf(t testing.TB, trace *etl2parquet.Trace) *facts.Info {
	t.Helper()
	info, err := trace.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// TestTable looks up tables: one of the trace's by each of its names, one without rows, none.
func TestTable(t *testing.T) {
	trace := openWith(t, "testdata/sample.etl", etl2parquet.Options{})
	for name, rows := range map[string]int64{
		"": 449, "events": 449, "Thread/CSwitch": 120, "thread_cswitch": 120, "events/Thread/CSwitch": 120, "Registry/Open": 0,
	} {
		table, err := trace.Table(name)
		if err != nil || table.Rows != rows || table.Doc == "" || !table.Schema.HasField("time_ns") || table.Definition.Column("time_ns") < 0 {
			t.Errorf("%q: %q, %d rows, %v", name, table.Name, table.Rows, err)
		}
		listed := slices.ContainsFunc(trace.Tables(), func(other etl2parquet.Table) bool { return other.Name == table.Name })
		if listed != (rows > 0) {
			t.Errorf("%q is among the tables: %v", table.Name, listed)
		}
	}
	if _, err := trace.Table("Thread/CSwich"); !errors.Is(err, etl2parquet.ErrNoTable) {
		t.Errorf("no such table: %v", err)
	}
}
