package etl2parquet_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

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
