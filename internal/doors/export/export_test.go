package export

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	pprof "github.com/google/pprof/profile"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// traceText returns the text of a trace of testdata.
func traceText(t *testing.T, name string) string {
	t.Helper()
	text := testenv.ReadFile(t, filepath.Join("testdata", name+".txt"))
	return strings.Replace(string(text), "\\\\LONG", "\\\\"+strings.Repeat("x", 4000), 1)
}

// writeTrace writes a trace from its text.
func writeTrace(t *testing.T, path, text string) {
	t.Helper()
	trace := etltest.MustParse(t, text)
	testenv.WriteFile(t, path, trace)
}

// openText opens a trace of testdata.
func openText(t *testing.T, name string) *etl2parquet.Traces {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".etl")
	writeTrace(t, path, traceText(t, name))
	traces, err := etl2parquet.OpenAll(t.Context(), []string{path}, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
	})
	return traces
}

// write returns the file of a format.
func write(t *testing.T, f *Format, traces *etl2parquet.Traces, o Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(t.Context(), traces, &b, o); err != nil {
		t.Fatalf("%s: %v", f.Name, err)
	}
	return b.Bytes()
}

// readable returns a file as text that a person can review, and checks that the format is valid.
func readable(t *testing.T, f *Format, file []byte) string {
	t.Helper()
	switch f {
	case pprofFormat:
		p, err := pprof.ParseData(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.CheckValid(); err != nil {
			t.Error(err)
		}
		return p.String()
	case perfettoFormat:
		return protoText(t, file)
	}
	if !utf8.Valid(file) {
		t.Errorf("%s: invalid UTF-8", f.Name)
	}
	if strings.HasSuffix(f.Extension, ".json") && !json.Valid(file) {
		t.Errorf("%s: invalid JSON", f.Name)
	}
	return string(file)
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testenv.Golden(t, filepath.Join("testdata", name), got)
}

// TestGolden compares the files of a small trace with files that a person has reviewed.
func TestGolden(t *testing.T) {
	for _, f := range profiles() {
		t.Run(f.Name, func(t *testing.T) {
			golden(t, "small."+f.Name+".golden", readable(t, f, write(t, f, openText(t, "small"), Options{})))
		})
	}
	t.Run("waits", func(t *testing.T) {
		golden(t, "waits.golden", string(write(t, foldedFormat, openText(t, "small"), Options{Of: Waits})))
	})
	t.Run("by process", func(t *testing.T) {
		golden(t, "process.golden", string(write(t, speedscopeFormat, openText(t, "small"), Options{ByProcess: true, Idle: true})))
	})
}

// profiles returns the formats that have samples.
func profiles() []*Format {
	return []*Format{perfettoFormat, firefoxFormat, speedscopeFormat, pprofFormat, foldedFormat}
}

// TestHostileNames writes names that have quotes, ends of lines, marks of the formats, invalid text and
// 4,000 letters: all files stay valid.
func TestHostileNames(t *testing.T) {
	const lines = 1
	for _, f := range profiles() {
		text := readable(t, f, write(t, f, openText(t, "hostile"), Options{}))
		if !strings.Contains(text, strings.Repeat("x", 4000)) {
			t.Errorf("%s: the long name is cut", f.Name)
		}
		if n := strings.Count(text, "\n"); f == foldedFormat && n != lines {
			t.Errorf("%d lines, want %d:\n%s", n, lines, text)
		}
	}
}

// TestDeterministic writes a real trace with any number of workers, on disk and in memory: the bytes
// are equal.
func TestDeterministic(t *testing.T) {
	path := testenv.Shared(t, "traces/net.4.5.2.x86.etl")
	formats := profiles()
	if testing.Short() {
		formats = []*Format{perfettoFormat, pprofFormat} // in the order of the events, and of what was counted
	}
	for _, f := range formats {
		var want []byte
		for _, workers := range []int{1, 4} {
			traces, err := etl2parquet.OpenAll(t.Context(), []string{path}, etl2parquet.Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			got := write(t, f, traces, Options{})
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s: the bytes depend on the workers", f.Name)
			}
			if err := traces.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCancelled checks that an interrupted export returns that it was interrupted.
func TestCancelled(t *testing.T) {
	traces := openText(t, "small")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range profiles() {
		if err := f.Write(ctx, traces, new(bytes.Buffer), Options{}); err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
