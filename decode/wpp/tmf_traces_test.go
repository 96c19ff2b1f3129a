package wpp_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// realFiles reads the TMF files of drivers whose source is public.
func realFiles(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, path := range testenv.SharedFiles(t, "tmf/*.tmf") {
		data := testenv.ReadFile(t, path)
		files[filepath.Base(path)] = data
	}
	return files
}

// typeLine matches the first line of a message, argumentLine an argument.
var (
	typeLine     = regexp.MustCompile(`(?m)^#typev \S+ (\d+) "`)
	argumentLine = regexp.MustCompile(`(?m), Item\w+(\(.*\))? -- \d+$`)
)

// TestRealFiles checks that all files parse without a fault, to all their messages.
// Each file has one message GUID, and most messages twice, once for each of two PDBs.
func TestRealFiles(t *testing.T) {
	files := realFiles(t)
	messages, faults, arguments, statements, lines := 0, 0, 0, 0, 0
	for name, data := range files {
		tmf, err := wpp.ParseTMF(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, e := range tmf.Errors {
			t.Errorf("%s: %v", name, e)
		}
		faults += tmf.Faults
		messages += len(tmf.Messages)
		numbers := make(map[string]bool)
		for _, match := range typeLine.FindAllSubmatch(data, -1) {
			numbers[string(match[1])] = true
		}
		if len(tmf.Messages) == 0 || len(tmf.Messages) != len(numbers) {
			t.Errorf("%s: %d messages of %d", name, len(tmf.Messages), len(numbers))
		}
		statements += len(typeLine.FindAll(data, -1))
		lines += len(argumentLine.FindAll(data, -1))
		for _, m := range tmf.Messages {
			if m.GUID.String()+".tmf" != name || m.Class == "" || m.File == "" || m.Line == 0 || m.Function == "" || m.Flags == "" || m.Level == 0 || len(m.Message) == 0 {
				t.Errorf("%s: %+v", name, m)
			}
			arguments += len(m.Fields)
			if found, ok := tmf.Lookup(m.Key()); !ok || found != m {
				t.Fatalf("%s: message %d is not found", name, m.ID)
			}
		}
	}
	t.Logf("SCORE tmf: %d files, %d messages in %d statements, %d arguments in %d lines, %d errors", len(files), messages, statements, arguments, lines, faults)
}
