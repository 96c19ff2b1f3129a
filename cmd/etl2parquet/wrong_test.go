package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// shellWords returns the words of a command line, which may be in quotes.
func shellWords(line string) (words []string) {
	for line != "" {
		word, rest, _ := strings.Cut(line, " ")
		if line[0] == '\'' || line[0] == '"' {
			word, rest, _ = strings.Cut(line[1:], line[:1])
		}
		words, line = append(words, word), strings.TrimSpace(rest)
	}
	return words
}

// TestWrongCommandLines runs the command lines of testdata/wrong.golden, whose lines begin with "$ ",
// one after another in a folder with some files, and compares what they print on standard error, and
// their exit statuses. -update writes the file. None of them writes anything.
func TestWrongCommandLines(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("messages of the system differ")
	}
	const golden = "testdata/wrong.golden"
	want := testenv.ReadFile(t, golden)
	sample := testenv.ReadFile(t, sampleTrace)
	before, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	t.Chdir(folder)
	for name, data := range map[string][]byte{"sample.etl": sample, "notes.txt": []byte("notes\n"), "notes/readme.md": []byte("#\n")} {
		testenv.WriteFile(t, name, data)
	}
	outputOf(t, "convert", "sample.etl", "-o", "dataset", "--quiet")
	t.Setenv("ETL2PARQUET_DUCKDB", filepath.Join(folder, "no duckdb"))
	var got strings.Builder
	count := 0
	for line := range strings.Lines(string(want)) {
		command, ok := strings.CutPrefix(line, "$ etl2parquet")
		if !ok {
			continue
		}
		count++
		words := shellWords(strings.TrimSpace(command))
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), words, strings.NewReader(""), &stdout, &stderr)
		if status == exitDone {
			t.Errorf("%s: status 0", strings.TrimSpace(line))
		}
		if lines := bytes.Count(stderr.Bytes(), []byte("\n")); lines != 1 {
			t.Errorf("%s: %d lines of errors", strings.TrimSpace(line), lines)
		}
		fmt.Fprintf(&got, "%s%s= %d\n\n", line, strings.ReplaceAll(stderr.String(), folder, "DIR"), status)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("a wrong command line has written something")
	}
	if *testenv.Update {
		testenv.WriteFile(t, filepath.Join(before, golden), got.String())
	} else if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	t.Logf("%d command lines", count)
}
