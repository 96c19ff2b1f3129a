package etl2parquet_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// rowsIn counts the rows in the bytes of a format.
func rowsIn(t *testing.T, f etl2parquet.Format, data []byte) int {
	t.Helper()
	switch f {
	case etl2parquet.FormatNDJSON:
		return bytes.Count(data, []byte{'\n'})
	case etl2parquet.FormatCSV:
		records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return len(records) - 1
	case etl2parquet.FormatJSON:
		var list []map[string]any
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		return len(list)
	case etl2parquet.FormatTable:
		_, rows, hasRule := bytes.Cut(data, []byte("─\n")) // without rows, only the names are printed
		if !hasRule {
			return 0
		}
		return bytes.Count(rows, []byte{'\n'})
	case etl2parquet.FormatText:
		return bytes.Count(data, []byte{'\n'}) - bytes.Count(data, []byte("\n    "))
	case etl2parquet.FormatECS:
		return bytes.Count(data, []byte{'\n'})
	case etl2parquet.FormatOTLP:
		return bytes.Count(data, []byte(`"timeUnixNano":`))
	case etl2parquet.FormatArrow:
		r, err := ipc.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Release()
		n := 0
		for r.Next() {
			n += int(r.RecordBatch().NumRows())
		}
		return n
	case etl2parquet.FormatParquet:
		return int(parquettest.Open(t, data).NumRows())
	}
	t.Fatalf("no test reads %s", f)
	return 0
}

// isOfAll reports whether a format has rows of the table of all events only, with all their columns.
func isOfAll(f etl2parquet.Format) bool {
	return f == etl2parquet.FormatOTLP || f == etl2parquet.FormatECS
}

// TestWrite checks for each format that the rows are those of the scan, and that the bytes do not
// depend on the number of workers.
func TestWrite(t *testing.T) {
	one, many := open(t, sample, 1), open(t, sample, 4)
	for _, f := range etl2parquet.Formats() {
		for name, s := range map[string]etl2parquet.Scan{
			"all events":  {},
			"columns":     {Table: "Thread/CSwitch", Columns: []string{"timestamp", "new_thread_id"}},
			"a selection": {Table: "event_header", Selection: facts.Selection{Providers: []string{"Etl2parquet*"}}},
			"no events":   {Table: "processes"},
			"no rows":     {Table: "TcpIp/Fail"},
			"limit":       {Limit: 7},
			"limit of 1":  {Table: "processes", Limit: 1},
			"no limit":    {Table: "processes", Limit: 1 << 40},
			"none":        {Table: "Thread/CSwitch", Limit: -1},
		} {
			t.Run(fmt.Sprintf("%s/%s", f, name), func(t *testing.T) {
				var first, other bytes.Buffer
				if isOfAll(f) && s.Table != "" {
					if n, err := one.Write(t.Context(), &first, s, etl2parquet.WriteOptions{Format: f}); err == nil || n+int64(first.Len()) != 0 {
						t.Errorf("%d rows, %d bytes, %v", n, first.Len(), err)
					}
					return
				}
				rows, err := one.Write(t.Context(), &first, s, etl2parquet.WriteOptions{Format: f})
				if err != nil {
					t.Fatal(err)
				}
				if want := len(rowsOf(t, one, s)); int(rows) != want || rowsIn(t, f, first.Bytes()) != want {
					t.Errorf("%d rows, %d in the bytes, want %d", rows, rowsIn(t, f, first.Bytes()), want)
				}
				if _, err := many.Write(t.Context(), &other, s, etl2parquet.WriteOptions{Format: f}); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(first.Bytes(), other.Bytes()) {
					t.Errorf("%d bytes with a worker, other %d bytes with four", first.Len(), other.Len())
				}
			})
		}
	}
	if _, err := one.Write(t.Context(), io.Discard, etl2parquet.Scan{}, etl2parquet.WriteOptions{Format: "xml"}); err == nil {
		t.Error("xml is a format")
	}
}

// TestLimits checks that a limit takes the first rows, of one trace and of several.
func TestLimits(t *testing.T) {
	trace := open(t, sample, 2)
	all := rowsOf(t, trace, etl2parquet.Scan{})
	for _, n := range []int{1, 2, len(all) - 1, len(all), len(all) + 1} {
		got := rowsOf(t, trace, etl2parquet.Scan{Limit: int64(n)})
		if want := all[:min(n, len(all))]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("limit %d: %d rows, want %d", n, len(got), len(want))
		}
	}
	traces := openAll(t, []string{sample}, etl2parquet.Options{})
	for _, n := range []int64{-1, 1, 5} {
		events := 0
		for _, err := range traces.Events(t.Context(), etl2parquet.Scan{Limit: n}) {
			if err != nil {
				t.Fatal(err)
			}
			events++
		}
		if events != max(int(n), 0) {
			t.Errorf("limit %d: %d events", n, events)
		}
	}
	stacks := 0
	for s, err := range trace.Stacks(t.Context(), etl2parquet.Scan{Limit: 3}) {
		if err != nil || s.Stack == nil {
			t.Fatal(s, err)
		}
		stacks++
	}
	if stacks != 3 {
		t.Errorf("%d events with stacks, want 3", stacks)
	}
	if _, err := trace.Splits(t.Context(), etl2parquet.Scan{Limit: 3}, 2); err == nil {
		t.Error("a scan with a limit has splits")
	}
}

// TestWriteSplits checks that the lines of all splits, one after another, are the lines of the table.
func TestWriteSplits(t *testing.T) {
	trace := open(t, sample, 2)
	s := etl2parquet.Scan{Table: "Thread/CSwitch"}
	var whole, parts bytes.Buffer
	if _, err := trace.Write(t.Context(), &whole, s, etl2parquet.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	splits, err := trace.Splits(t.Context(), s, 3)
	if err != nil || len(splits) != 3 {
		t.Fatalf("%d splits, %v", len(splits), err)
	}
	for _, split := range splits {
		if _, err := trace.Write(t.Context(), &parts, etl2parquet.Scan{Split: split.Token}, etl2parquet.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if whole.String() != parts.String() {
		t.Errorf("%d bytes of all splits, want %d", parts.Len(), whole.Len())
	}
}

// TestStrict checks the errors of strict scans, and what is reported otherwise.
func TestStrict(t *testing.T) {
	trace := open(t, sample, 2)
	var reported []facts.Mismatch
	s := etl2parquet.Scan{Selection: facts.Selection{Events: []string{"CSwich"}}, OnMismatch: func(m facts.Mismatch) { reported = append(reported, m) }}
	rows, err := trace.Write(t.Context(), io.Discard, s, etl2parquet.WriteOptions{})
	if err != nil || rows != 0 || len(reported) == 0 || len(reported[0].Nearest) == 0 {
		t.Errorf("%d rows, %v, reported %+v", rows, err, reported)
	}
	s.Strict = true
	if _, err := trace.Write(t.Context(), io.Discard, s, etl2parquet.WriteOptions{}); !errors.Is(err, etl2parquet.ErrNothingSelected) {
		t.Errorf("error %v", err)
	}
	data := testenv.ReadFile(t, sample)
	damaged := bytes.Clone(data)
	copy(damaged[len(damaged)/2:], strings.Repeat("\xff", 4096))
	broken, err := etl2parquet.OpenReader(t.Context(), bytes.NewReader(damaged), int64(len(damaged)), "damaged.etl", etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer broken.Close()
	if len(broken.Problems()) == 0 || len(trace.Problems()) != 0 {
		t.Errorf("problems %v, and %v of the whole trace", broken.Problems(), trace.Problems())
	}
	if _, err := broken.Write(t.Context(), io.Discard, etl2parquet.Scan{Strict: true}, etl2parquet.WriteOptions{}); !errors.Is(err, etl2parquet.ErrDamaged) {
		t.Errorf("error %v", err)
	}
}

// TestOnly checks that a trace that was opened for one scan has the same rows, and no others.
func TestOnly(t *testing.T) {
	whole := open(t, sample, 2)
	only := etl2parquet.Scan{Table: "thread_cswitch", Columns: []string{"timestamp", "new_thread_id"}}
	trace := openWith(t, sample, etl2parquet.Options{Only: &only})
	if got, want := rowsOf(t, trace, only), rowsOf(t, whole, only); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	others := map[string]func() error{
		"a scan": func() error { _, err := trace.Scan(t.Context(), etl2parquet.Scan{Table: "processes"}); return err },
		"a write": func() error {
			_, err := trace.Write(t.Context(), io.Discard, etl2parquet.Scan{}, etl2parquet.WriteOptions{})
			return err
		},
		"splits":   func() error { _, err := trace.Splits(t.Context(), only, 2); return err },
		"an index": func() error { return trace.WriteIndex(io.Discard) },
	}
	for name, read := range others {
		if err := read(); !errors.Is(err, etl2parquet.ErrOnly) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// changing is a file that has changed.
type changing struct{ *bytes.Reader }

var errChanging = errors.New("it changes")

func (changing) Unchanged() error { return errChanging }

// TestUnchanged checks that a reader that knows of changes is asked.
func TestUnchanged(t *testing.T) {
	data := testenv.ReadFile(t, sample)
	trace, err := etl2parquet.OpenReader(t.Context(), changing{bytes.NewReader(data)}, int64(len(data)), sample, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer trace.Close()
	if _, err := trace.Write(t.Context(), io.Discard, etl2parquet.Scan{}, etl2parquet.WriteOptions{}); !errors.Is(err, errChanging) {
		t.Errorf("error %v", err)
	}
}

// TestLogsOfTraces writes real traces as records of logs: each event is one, and nothing in them
// controls a terminal.
func TestLogsOfTraces(t *testing.T) {
	for _, path := range testenv.SharedTraces(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			trace := openWith(t, path, etl2parquet.Options{Messages: etl2parquet.MessagesAll})
			events := 0
			for _, err := range trace.Events(t.Context(), etl2parquet.Scan{}) {
				if err != nil {
					t.Fatal(err)
				}
				events++
			}
			for _, f := range []etl2parquet.Format{etl2parquet.FormatText, etl2parquet.FormatOTLP, etl2parquet.FormatECS} {
				var out bytes.Buffer
				rows, err := trace.Write(t.Context(), &out, etl2parquet.Scan{}, etl2parquet.WriteOptions{Format: f})
				if err != nil || int(rows) != events || rowsIn(t, f, out.Bytes()) != events {
					t.Errorf("%s: %d rows counted, %d written, of %d events, %v", f, rows, rowsIn(t, f, out.Bytes()), events, err)
				}
				for line := range bytes.Lines(out.Bytes()) {
					line = bytes.TrimSuffix(line, []byte{'\n'})
					if !utf8.Valid(line) || bytes.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
						t.Fatalf("%s: control characters, or no UTF-8: %q", f, line)
					}
					if f != etl2parquet.FormatText && !json.Valid(line) {
						t.Fatalf("%s: no JSON: %.2000s", f, line)
					}
				}
			}
		})
	}
}
