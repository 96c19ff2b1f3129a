package etl2parquet_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

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

// row identifies a row of several traces.
type row struct {
	trace string
	time  int64
	ref   int64
}

// TestMergedByTime compares the merged rows of traces with those of each, sorted by time.
func TestMergedByTime(t *testing.T) {
	paths := testenv.SharedOr(t, "traces/diaghub*.etl", "testdata/sample.etl", "testdata/sample-compressed.etl")
	for _, table := range []string{"", "event_header", "processes"} {
		t.Run("table "+table, func(t *testing.T) {
			traces := openAll(t, paths, etl2parquet.Options{Workers: 2})
			columns := []string{"time_ns", "event_ref"}
			if table == "processes" {
				columns = []string{"process_id", "parent_process_id"}
			}
			var want []row
			for _, trace := range traces.All() {
				for _, r := range scanned(t, trace, etl2parquet.Scan{Table: table, Columns: columns}, "") {
					r.trace = trace.Name()
					want = append(want, r)
				}
			}
			if table != "processes" {
				slices.SortStableFunc(want, func(a, b row) int { return cmp.Compare(a.time, b.time) })
			}
			got := scanned(t, traces, etl2parquet.Scan{Table: table, Columns: columns}, "trace")
			if !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%d rows, want %d; they differ from row %d on", len(got), len(want), firstDifference(got, want))
			}
			swapped := scanned(t, traces, etl2parquet.Scan{Table: table, Columns: columns[1:]}, "trace")
			if len(swapped) != len(want) || len(want) > 0 && swapped[len(want)-1].time != want[len(want)-1].ref {
				t.Errorf("%d rows without the time, want %d in the same order", len(swapped), len(want))
			}
		})
	}
}

func firstDifference(a, b []row) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// scannable is a trace, or several.
type scannable interface {
	Scan(ctx context.Context, s etl2parquet.Scan) (array.RecordReader, error)
}

// scanned returns the rows of a scan: the name of the trace, if it is a column, and the numbers that follow.
func scanned(t *testing.T, of scannable, s etl2parquet.Scan, trace string) (list []row) {
	t.Helper()
	reader, err := of.Scan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	for reader.Next() {
		columns := reader.RecordBatch().Columns()
		for i := range int(reader.RecordBatch().NumRows()) {
			var r row
			c := columns
			if trace != "" {
				r.trace, c = c[0].(*array.String).Value(i), c[1:]
			}
			numbers := []*int64{&r.time, &r.ref}
			for j := range c {
				if !c[j].IsNull(i) {
					*numbers[j] = c[j].(*array.Int64).Value(i)
				}
			}
			list = append(list, r)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestOpenAllOfSome checks that an input that cannot be read does not prevent the others, and that
// traces of one file name have different names.
func TestOpenAllOfSome(t *testing.T) {
	folder := t.TempDir()
	sample := testenv.ReadFile(t, "testdata/sample.etl")
	for name, data := range map[string][]byte{"a/x.etl": sample, "b/x.etl": sample, "bad.etl": []byte("no trace")} {
		path := filepath.Join(folder, name)
		testenv.WriteFile(t, path, data)
	}
	traces := openAll(t, []string{folder}, etl2parquet.Options{})
	if failed := traces.Failed(); len(failed) != 1 || filepath.Base(failed[0].Input) != "bad.etl" || failed[0].Err == nil {
		t.Errorf("failed: %v", failed)
	}
	all := traces.All()
	if len(all) != 2 || all[0].Name() == all[1].Name() || !strings.HasPrefix(all[0].Name(), "x-") {
		t.Errorf("traces %v", all)
	}
	n := 0
	for e, err := range traces.Events(t.Context(), etl2parquet.Scan{Selection: facts.Selection{Events: []string{"CSwitch"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		if id, ok := e.Field("new_thread_id"); n == 0 && (!ok || id != int64(5208)) {
			t.Errorf("first event: new_thread_id %v", id)
		}
		n++
	}
	if n != 240 {
		t.Errorf("%d events, want 240", n)
	}
	if _, err := traces.Scan(t.Context(), etl2parquet.Scan{Table: "nothing"}); !errors.Is(err, etl2parquet.ErrNoTable) {
		t.Errorf("unknown table: %v", err)
	}
	if _, err := traces.Scan(t.Context(), etl2parquet.Scan{Columns: []string{"nothing"}}); !errors.Is(err, etl2parquet.ErrNoColumn) {
		t.Errorf("unknown column: %v", err)
	}
	if _, err := etl2parquet.OpenAll(t.Context(), []string{filepath.Join(folder, "bad.etl")}, etl2parquet.Options{}); err == nil {
		t.Error("no trace can be read, and there is no error")
	}
}

// TestOpenURL opens a trace on a web server, and one on a server that does not answer.
func TestOpenURL(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	defer server.Close()
	traces := openAll(t, []string{server.URL + "/sample.etl", "http://127.0.0.1:1/x.etl"}, etl2parquet.Options{})
	if all, failed := traces.All(), traces.Failed(); len(all) != 1 || len(failed) != 1 || failed[0].Input != "http://127.0.0.1:1/x.etl" {
		t.Errorf("%d traces, failed: %v", len(all), failed)
	}
}
