package formats

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const sample = "../../testdata/sample.etl"

// openSample runs the index pass of the sample.
func openSample(t testing.TB) *pipeline.Source {
	t.Helper()
	data := testenv.ReadFile(t, sample)
	s, err := pipeline.OpenSource(t.Context(), pipeline.Input{Name: sample, Size: int64(len(data)), Trace: bytes.NewReader(data)}, options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func options() *pipeline.Options {
	return &pipeline.Options{Workers: 3, Memory: pipeline.DefaultMemory}
}

// write writes at most limit rows of a table to w, 0 for all and a negative limit for none. It
// returns the error of the pass, and checks that all memory of the allocator is released.
func write(t testing.TB, s *pipeline.Source, table string, w io.Writer, f *Format, limit int64, o Options) (rows int64, err error) {
	t.Helper()
	found, err := s.Table(table)
	if err != nil {
		t.Fatal(err)
	}
	if o.Allocator == nil {
		o.Allocator = new(Pool)
	}
	allocator := memory.NewCheckedAllocator(o.Allocator)
	defer allocator.AssertSize(t, 0)
	o.Allocator = allocator
	c := options()
	c.Limit = limit
	f.Prepare(c)
	if o.Columns != nil {
		c.Selection.Columns = f.Needs(found, o.Columns)
		if found, err = pipeline.Project(found, c.Selection.Columns); err != nil {
			t.Fatal(err)
		}
	}
	c.Selection.Tables = []string{found.Name}
	sink, err := f.NewWriter(w, found, o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Rows(t.Context(), c, sink)
	err = errors.Join(err, sink.Close(err))
	return sink.Rows(), err
}

// TestFind checks that each format has one name, by which it is found.
func TestFind(t *testing.T) {
	for _, f := range All() {
		if got, err := Find(f.Name); err != nil || got != f {
			t.Errorf("%s: %v, %v", f, got, err)
		}
	}
	if _, err := Find("xml"); err == nil {
		t.Error("xml is a format")
	}
}

// TestLimit checks that each format has as many rows as the limit allows, and that its bytes do not
// depend on the number of workers.
func TestLimit(t *testing.T) {
	s := openSample(t)
	for _, table := range []string{"Thread/CSwitch", "processes"} {
		all, err := write(t, s, table, io.Discard, Arrow, 0, Options{})
		if err != nil || all < 4 {
			t.Fatalf("%s: %d rows, %v", table, all, err)
		}
		for _, f := range All() {
			if f.IsWhole {
				continue // it has no rows of this table
			}
			for _, limit := range []int64{-1, 1, 2, all - 1, all, all + 1, 1 << 40, 0} {
				var out bytes.Buffer
				got, err := write(t, s, table, &out, f, limit, Options{})
				want := min(max(limit, 0), all)
				if limit == 0 {
					want = all
				}
				if err != nil || got != want || rowsIn(t, f, out.Bytes()) != want {
					t.Errorf("%s as %s, limit %d: %d rows counted, %d read, want %d, error %v", table, f, limit, got, rowsIn(t, f, out.Bytes()), want, err)
				}
			}
		}
	}
}

// rowsIn counts the rows of a stream.
func rowsIn(t testing.TB, f *Format, stream []byte) (n int64) {
	t.Helper()
	lines := int64(bytes.Count(stream, []byte{'\n'}))
	switch f {
	case NDJSON:
		return lines
	case Text:
		return lines - int64(bytes.Count(stream, []byte("\n    ")))
	case CSV:
		return lines - 1
	case Table:
		if !bytes.Contains(stream, []byte("──")) { // only the names of columns, on several lines
			return 0
		}
		return lines - 2
	case JSON:
		var rows []map[string]any
		if err := json.Unmarshal(stream, &rows); err != nil {
			t.Fatal(err)
		}
		return int64(len(rows))
	case Parquet:
		return parquettest.Open(t, stream).NumRows()
	}
	r, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		n += r.RecordBatch().NumRows()
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return n
}

// TestNoRows checks that a stream without rows names its columns, if the format can.
func TestNoRows(t *testing.T) {
	s := openSample(t)
	for _, f := range All() {
		if f.IsWhole {
			continue // it has no rows of this table
		}
		var out bytes.Buffer
		if _, err := write(t, s, "TcpIp/Fail", &out, f, 0, Options{}); err != nil {
			t.Fatal(err)
		}
		if n := rowsIn(t, f, out.Bytes()); n != 0 {
			t.Errorf("%s: %d rows", f, n)
		}
		if has := strings.Contains(out.String(), "event_ref"); has != (f != NDJSON && f != JSON && f != Text) {
			t.Errorf("%s names its columns: %v", f, has)
		}
	}
}

// TestColumns checks that a stream has the requested columns, in that order.
func TestColumns(t *testing.T) {
	s := openSample(t)
	for f, want := range map[*Format]string{
		NDJSON: `{"process_name":"Idle","timestamp":"2024-05-01T12:00:00.250200000Z"}` + "\n",
		JSON:   "[\n" + `{"process_name":"Idle","timestamp":"2024-05-01T12:00:00.250200000Z"}` + "\n]\n",
		CSV:    "process_name,timestamp\nIdle,2024-05-01T12:00:00.250200000Z\n",
		Table:  "process_name  timestamp\n────────────  ──────────────────────────────\nIdle          2024-05-01T12:00:00.250200000Z\n",
	} {
		var out bytes.Buffer
		_, err := write(t, s, "Process/DCStart", &out, f, 1, Options{Columns: []string{"process_name", "timestamp"}})
		if err != nil || out.String() != want {
			t.Errorf("%s: got %s, error %v; want %s", f, &out, err, want)
		}
	}
}

// TestTableCells checks the cells of each type of column in a table.
func TestTableCells(t *testing.T) {
	s := openSample(t)
	var out bytes.Buffer
	if _, err := write(t, s, "stacks", &out, Table, 1, Options{Columns: []string{"process_id", "kernel_frames", "functions"}, Width: 60}); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if utf8.RuneCountInString(line) > 60 {
			t.Errorf("a line is wider than the terminal: %s", line)
		}
	}
	if !strings.Contains(out.String(), `["`) {
		t.Errorf("no list in the table:\n%s", &out)
	}
}

var errBroken = errors.New("broken")

// breaking fails after some writes.
type breaking struct{ left int }

func (w *breaking) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

// TestBroken checks that an error of the writer ends the pass with that error, and that all
// memory is released.
func TestBroken(t *testing.T) {
	s := openSample(t)
	for _, f := range All() {
		const most = 1000
		whole := breaking{most}
		if _, err := write(t, s, "", &whole, f, 0, Options{}); err != nil {
			t.Fatal(err)
		}
		for writes := range most - whole.left {
			if _, err := write(t, s, "", &breaking{writes}, f, 0, Options{}); !errors.Is(err, errBroken) {
				t.Errorf("%s, broken after %d writes: error %v", f, writes, err)
			}
		}
	}
}
