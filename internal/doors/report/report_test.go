package report_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/doors/report"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// open opens traces written as text, by name.
func open(t testing.TB, texts map[string]string) *etl2parquet.Traces {
	t.Helper()
	folder := t.TempDir()
	for name, text := range texts {
		testenv.WriteFile(t, filepath.Join(folder, name+".etl"), etltest.MustParse(t, text))
	}
	path := folder
	if len(texts) == 1 {
		for name := range texts {
			path = filepath.Join(folder, name+".etl")
		}
	}
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

// write returns the page of traces.
func write(t testing.TB, traces *etl2parquet.Traces, o report.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(context.Background(), traces, &b, o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var dataOf = regexp.MustCompile(`<script type="application/json" id="data">"([A-Za-z0-9+/=]*)"</script>`)

// data returns the data of a page as JSON, a value a line.
func data(t testing.TB, page []byte) string {
	t.Helper()
	found := dataOf.FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no data")
	}
	packed, err := base64.StdEncoding.DecodeString(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", " "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	numbers = regexp.MustCompile(`\[[\s\d,-]+\]`)
	program = regexp.MustCompile(`(?m)^ "program": .*\n`)
)

// brief returns data with its lists of numbers in a line each: numbers that follow each other and are
// equal are written once, with their number.
func brief(text string) string {
	text = program.ReplaceAllString(text, "")
	return numbers.ReplaceAllStringFunc(text, func(list string) string {
		fields := strings.Fields(strings.NewReplacer("[", "", "]", "", ",", " ").Replace(list))
		var parts []string
		for i := 0; i < len(fields); {
			n := 1
			for i+n < len(fields) && fields[i+n] == fields[i] {
				n++
			}
			if n > 2 {
				parts = append(parts, fmt.Sprintf("%s*%d", fields[i], n))
			} else {
				parts = append(parts, fields[i:i+n]...)
			}
			i += n
		}
		return "[" + strings.Join(parts, " ") + "]"
	})
}

// TestData compares the data of pages of small traces with golden files: the traces and the data are
// in testdata.
func TestData(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts := make(map[string]string)
			var golden *txtar.File
			for i := range archive.Files {
				if name, ok := strings.CutSuffix(archive.Files[i].Name, ".trace"); ok {
					texts[name] = string(archive.Files[i].Data)
				} else {
					golden = &archive.Files[i]
				}
			}
			got := brief(data(t, write(t, open(t, texts), report.Options{}))) + "\n"
			if *testenv.Update {
				if golden == nil {
					archive.Files = append(archive.Files, txtar.File{Name: "data"})
					golden = &archive.Files[len(archive.Files)-1]
				}
				golden.Data = []byte(got)
				testenv.WriteFile(t, path, txtar.Format(archive))
				return
			}
			if golden == nil || got != string(golden.Data) {
				t.Errorf("the data differs from %s; got\n%s", path, got)
			}
		})
	}
}
