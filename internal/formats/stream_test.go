package formats

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

const sample = "../../testdata/sample.etl"

// openSample runs the index pass of the sample.
func openSample(t testing.TB) *pipeline.Source {
	t.Helper()
	data, err := os.ReadFile(sample)
	if err != nil {
		t.Fatal(err)
	}
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

// write writes a table to w, and returns the error of the pass. It checks that all memory of
// the allocator is released.
func write(t testing.TB, s *pipeline.Source, table string, w io.Writer, o Options) error {
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
	shown := o.Columns
	c := options()
	if shown != nil {
		c.Selection.Columns = Needed(found, o.Format, shown)
		if found, err = pipeline.Project(found, c.Selection.Columns); err != nil {
			t.Fatal(err)
		}
	}
	c.Selection.Tables = []string{found.Name}
	sink, err := NewWriter(w, found, o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Rows(t.Context(), c, sink)
	return errors.Join(err, sink.Close(err))
}

// TestLimit checks that the limit on rows is respected, up to the table's rows.
func TestLimit(t *testing.T) {
	s := openSample(t)
	for _, format := range Formats {
		var whole bytes.Buffer
		if err := write(t, s, "Thread/CSwitch", &whole, Options{Format: format, Limit: -1}); err != nil {
			t.Fatal(err)
		}
		all := rowsIn(t, format, whole.Bytes())
		if all < 100 {
			t.Fatalf("%s: %d rows in all", format, all)
		}
		for _, limit := range []int64{0, 1, 2, 63, all - 1, all, all + 1, 1 << 40} {
			var out bytes.Buffer
			err := write(t, s, "Thread/CSwitch", &out, Options{Format: format, Limit: limit})
			if want := limit <= all; errors.Is(err, ErrLimit) != want || !want && err != nil {
				t.Errorf("%s, limit %d of %d rows: error %v", format, limit, all, err)
			}
			if got, want := rowsIn(t, format, out.Bytes()), min(limit, all); got != want {
				t.Errorf("%s, limit %d: %d rows, want %d", format, limit, got, want)
			}
		}
	}
}

// rowsIn counts the rows of a stream.
func rowsIn(t testing.TB, format string, stream []byte) (n int64) {
	t.Helper()
	lines := int64(bytes.Count(stream, []byte{'\n'}))
	switch format {
	case "ndjson":
		return lines
	case "csv":
		return max(lines-1, 0)
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
	for _, format := range Formats {
		var out bytes.Buffer
		if err := write(t, s, "TcpIp/Fail", &out, Options{Format: format, Limit: -1}); err != nil {
			t.Fatal(err)
		}
		if n := rowsIn(t, format, out.Bytes()); n != 0 {
			t.Errorf("%s: %d rows", format, n)
		}
		if has := strings.Contains(out.String(), "event_ref"); has != (format != "ndjson") {
			t.Errorf("%s names its columns: %v", format, has)
		}
	}
}

// TestColumns checks that a stream has the requested columns, in that order.
func TestColumns(t *testing.T) {
	s := openSample(t)
	for format, want := range map[string]string{
		"ndjson": `{"process_name":"Idle","timestamp":"2024-05-01T12:00:00.250200000Z"}` + "\n",
		"csv":    "process_name,timestamp\nIdle,2024-05-01T12:00:00.250200000Z\n",
	} {
		var out bytes.Buffer
		err := write(t, s, "Process/DCStart", &out, Options{Format: format, Columns: []string{"process_name", "timestamp"}, Limit: 1})
		if !errors.Is(err, ErrLimit) || out.String() != want {
			t.Errorf("%s: got %s, error %v; want %s", format, &out, err, want)
		}
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
	for _, format := range Formats {
		const most = 1000
		whole := breaking{most}
		if err := write(t, s, "", &whole, Options{Format: format, Limit: -1}); err != nil {
			t.Fatal(err)
		}
		for writes := range most - whole.left {
			if err := write(t, s, "", &breaking{writes}, Options{Format: format, Limit: -1}); !errors.Is(err, errBroken) {
				t.Errorf("%s, broken after %d writes: error %v", format, writes, err)
			}
		}
	}
}
