package interop_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// hostileTexts are texts that CSV, terminals or readers may take for something else.
var hostileTexts = []string{
	"", " ", " a", "a ", "a", `"`, `""`, `a"b`, `a,b`, `,`, "a;b\tc", "\t", "\n", "\r", "\r\n", "a\nb", "a\r\nb\r", "\n\n", "a\n\n\"b\"\n,",
	`C:\new\table\u0041`, `\`, `a\`, `\"`, `\N`, "NULL", "null", "NaN", "nan", "NA", "N/A", "None", "<NA>", "true", "1", "1e5", "2024-05-01", "#comment", "'a'", "'", "=1+1",
	"a\x00b", "\x00", "\x1b[31mred\x1b]0;t\a", "\x7f\u009b", "\u2028", "\u2029x", "\u202egnp.exe\u202c", "\u200f", "\ufeff", "\ufffd", "日本 😀 Ångström", strings.Repeat(`",`+"\n", 3000),
}

// hostileTrace returns a trace with an event for each text, whose number is N: A is the text, in
// UTF-16, and B the text in UTF-8, which every third event lacks. The last two texts are invalid.
func hostileTrace(t *testing.T) []byte {
	t.Helper()
	var text strings.Builder
	text.WriteString("trace buffersize=65536\nstream\n")
	event := func(i int, units []uint16, bytes string) {
		data := binary.LittleEndian.AppendUint16(nil, uint16(2*len(units)))
		for _, u := range units {
			data = binary.LittleEndian.AppendUint16(data, u)
		}
		more := ""
		if i%3 != 0 {
			more = ",B:cstr8/utf8"
			data = append(binary.LittleEndian.AppendUint16(data, uint16(len(bytes))), bytes...)
		}
		fmt.Fprintf(&text, "event64 provider=12345678-0000-0000-0000-000000000000 traits=Hostile schema=Text(N:i32,A:cstr16%s) payload=i32:%d,hex:%x\n", more, i, data)
	}
	for i, s := range hostileTexts {
		event(i, utf16.Encode([]rune(s)), s)
	}
	n := len(hostileTexts)
	event(n, []uint16{'a', 0xd800, 'b', 0xdc00}, "a\xffb\xed\xa0\x80\xe2\x80")
	event(n+1, []uint16{0xdfff, '"', ','}, "\xc3\n")
	return etltest.MustParse(t, text.String())
}

// TestCSV writes hostile texts as CSV by cat and by query: Python's csv, pandas, DuckDB and Polars read
// texts and nulls equal to those of the Arrow stream.
func TestCSV(t *testing.T) {
	python := interop.NewEngines(t)
	duckdb := interop.FindDuckDB(t)
	dir := t.TempDir()
	program := builtProgram(t)
	trace := filepath.Join(dir, "hostile.etl")
	testenv.WriteFile(t, trace, hostileTrace(t))
	write := func(name string, args ...string) string {
		path := filepath.Join(dir, name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		cmd := exec.Command(program, args...)
		cmd.Stdout, cmd.Stderr = file, os.Stderr
		cmd.Env = append(os.Environ(), "ETL2PARQUET_DUCKDB="+duckdb)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		return path
	}
	cat := []string{"cat", trace, "--table", "hostile_text", "--columns", "n,a,b", "--format"}
	question := struct {
		Arrow string   `json:"arrow"`
		CSV   []string `json:"csv"`
	}{write("a.arrows", append(slices.Clone(cat), "arrow")...), []string{
		write("cat.csv", append(slices.Clone(cat), "csv")...),
		write("query.csv", "query", trace, "SELECT n, a, b FROM hostile_text ORDER BY n", "--format", "csv"),
	}}
	var answer struct {
		Rows      int                 `json:"rows"`
		Different map[string][]string `json:"different"` // by file and reader
	}
	python.Run(t, "read_csv.py", question, &answer)
	if answer.Rows != len(hostileTexts)+2 {
		t.Errorf("%d rows of %d texts", answer.Rows, len(hostileTexts)+2)
	}
	if len(answer.Different) != 8 {
		t.Errorf("answers of %d readers, want 8", len(answer.Different))
	}
	for reader, list := range answer.Different {
		for _, text := range list {
			t.Errorf("%s: %s", reader, text)
		}
	}
}
