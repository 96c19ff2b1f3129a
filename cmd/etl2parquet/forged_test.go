package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// hostileName begins a line of its own choice, and controls a terminal.
const hostileName = "\nFORGED\x1b\a\r\u009b\u2028\u202e\u2066\x7f"

// forgedTrace returns the sample trace with hostile names and values of the same lengths, in a file with such a name.
func forgedTrace(t *testing.T) (path string) {
	t.Helper()
	trace := testenv.ReadFile(t, sampleTrace)
	wide := func(text string) (b []byte) {
		for _, unit := range utf16.Encode([]rune(text)) {
			b = append(b, byte(unit), byte(unit>>8))
		}
		return b
	}
	for _, name := range []string{"Etl2parquet.Sample", "FileSaved", "save.cpp", "Chunks", "notepad.exe", "explorer.exe", "SAMPLE", "NT Kernel Logger", "request ", "item 1", "notes\\", "ntdll.dll", "ntoskrnl.exe"} {
		name8 := []byte(hostileName)[:min(len(name), len(hostileName))]
		for !bytes.Equal(bytes.ToValidUTF8(name8, nil), name8) {
			name8 = name8[:len(name8)-1]
		}
		name16 := []rune(hostileName)[:min(len(name), len([]rune(hostileName)))]
		trace = bytes.ReplaceAll(trace, []byte(name), append(name8, bytes.Repeat([]byte{'x'}, len(name)-len(name8))...))
		trace = bytes.ReplaceAll(trace, wide(name), wide(string(name16)+strings.Repeat("x", len(name)-len(name16))))
	}
	file := "hostile.etl"
	if runtime.GOOS != "windows" {
		file = "h" + hostileName + ".etl"
	}
	path = filepath.Join(t.TempDir(), file)
	testenv.WriteFile(t, path, trace)
	return path
}

// checkLines checks that no line of an output is one that the trace chose, and that none controls a terminal.
func checkLines(t *testing.T, door, output string) {
	t.Helper()
	for line := range strings.Lines(output) {
		text := strings.TrimSuffix(line, "\n")
		bad := strings.IndexFunc(text, func(r rune) bool {
			return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u202e' || r == '\u2066'
		})
		if bad >= 0 || strings.HasPrefix(text, "FORGED") {
			t.Errorf("%s: %.200q", door, line)
		}
	}
	if !strings.Contains(output, "FORGED") {
		t.Errorf("%s shows nothing of the trace: %.1000s", door, output)
	}
}

// endingWriter ends what writes to it.
type endingWriter context.CancelFunc

func (end endingWriter) Write(p []byte) (int, error) { end(); return len(p), nil }

// TestForgedLines prints a trace whose names and values have line breaks and control characters.
func TestForgedLines(t *testing.T) {
	trace := forgedTrace(t)
	whole := testenv.ReadFile(t, trace)
	damaged := strings.TrimSuffix(trace, ".etl") + " damaged.etl"
	testenv.WriteFile(t, damaged, append(bytes.Clone(whole[:len(whole)-5000]), 1))
	out := filepath.Join(t.TempDir(), "h"+hostileName)
	testenv.WriteFile(t, filepath.Join(out, "events", "h"+hostileName+".parquet"), "") // of no trace
	for _, args := range [][]string{
		{"cat", trace, "--format", "text"},
		{"cat", trace, "--format", "text", "--table", "processes"},
		{"cat", trace, "--format", "ndjson"},
		{"cat", trace, "--table", "no such"},
		{"cat", trace, "--process", "no such", "--strict"},
		{"info", trace},
		{"info", trace, "--json"},
		{"info", trace, damaged},
		{"cat", damaged, "--format", "csv"}, // as on a terminal
		{"cat", damaged, "--table", "problems", "--format", "text"},
		{"describe", trace},
		{"describe", trace, "no such"},
		{"explain", hostileName},
		{"export", trace, "--format", "folded", "-o", "-"},
		{"export", trace, "--format", "speedscope", "-o", "-"},
		{"export", trace, "--format", "pcapng", "-o", "-"},
		{"report", trace, "-o", filepath.Join(t.TempDir(), "h"+hostileName+".html")},
		{"symbols", "list", trace},
		{"check", out},
		{"convert", trace, "-o", out},
		{"convert", trace, "-o", out, "--dry-run"},
		{"plan", trace, "--shards", "1", "-o", trace},
		{"splits", trace, "--json"},
		{"check", trace},
		{"bench", trace, "--rounds", "1", "--workers", "1"},
		{"catalog", "list", hostileName},
		{"catalog", "show", hostileName},
		{"catalog", "build", trace, "-o", out},
		{"cat", trace, "--format", "text", "--follow"},
	} {
		var stdout, stderr bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		out := io.Writer(&stdout)
		if slices.Contains(args, "--follow") {
			out = io.MultiWriter(&stdout, endingWriter(cancel))
		}
		run(ctx, args, strings.NewReader(""), out, &stderr)
		cancel()
		if slices.Contains(args, "csv") {
			exact := bytes.Clone(stdout.Bytes())
			stdout.Reset()
			safe := &texts.SafeWriter{W: &stdout}
			if _, err := safe.Write(exact); err != nil || !bytes.Contains(exact, []byte("\nFORGED\x1b")) {
				t.Fatalf("%v: %.500q", err, exact)
			}
		}
		checkLines(t, strings.Join(args[:1], " ")+" "+strings.Join(args[2:], " "), stdout.String()+stderr.String())
	}
}

// TestForgedLinesSQL asks SQL and an agent's questions about such a trace.
func TestForgedLinesSQL(t *testing.T) {
	testenv.Slow(t, "statements and an agent's calls")
	t.Setenv(answers.Variable, interop.NewDuckDB(t))
	trace := forgedTrace(t)
	for _, args := range [][]string{
		{"SELECT DISTINCT provider_name, event_name, process_name, fields FROM events"},
		{"SELECT DISTINCT provider_name, event_name, process_name, fields FROM events", "--format", "ndjson"},
		{"SELECT event_name::INTEGER FROM events WHERE event_name LIKE '%FORGED%'"},
		{"SELECT error(provider_name) FROM events WHERE provider_name LIKE '%FORGED%'"},
		{"FROM \"" + hostileName + "\""},
	} {
		var stdout, stderr bytes.Buffer
		run(t.Context(), append([]string{"query", trace}, args...), nil, &stdout, &stderr)
		checkLines(t, args[0], stdout.String()+stderr.String())
	}
	s := startMCP(t, "--root", filepath.Dir(trace), trace)
	for _, c := range []struct {
		tool string
		args arguments
	}{
		{"info", nil},
		{"describe", nil},
		{"describe", arguments{"name": hostileName}},
		{"query", arguments{"sql": "FROM events"}},
		{"query", arguments{"sql": "SELECT error(provider_name) FROM events WHERE provider_name LIKE '%FORGED%'"}},
		{"find", arguments{"text": "forge"}},
		{"report", arguments{"output": "r" + hostileName + ".html"}},
		{"info", arguments{"input": hostileName}},
	} {
		text, _ := s.call(t, c.tool, c.args)
		checkLines(t, "mcp "+c.tool, text)
	}
}
