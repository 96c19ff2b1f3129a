package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// Texts that differ between runs.
var (
	times      = regexp.MustCompile(`\d+\.\d+s|(\d+m)?\d+s\b`)
	goroutines = regexp.MustCompile(`(?s)\ngoroutine \d.*?\nFAIL`)
)

// TestRun runs go test on a module with packages that pass, skip, fail, panic,
// and do not compile.
func TestRun(t *testing.T) {
	const golden = "testdata/module.txtar"
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	last := len(archive.Files) - 1
	for _, file := range archive.Files[:last] {
		path := filepath.Join(folder, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	status, err := run(folder, []string{"-count", "1", "-p", "1", "./..."}, os.Environ(), &stdout, &stderr)
	if status != 1 || err != nil {
		t.Fatalf("status %d, %v: %s%s", status, err, &stdout, &stderr)
	}
	got := strings.ReplaceAll(goroutines.ReplaceAllString(times.ReplaceAllString(stdout.String(), "TIME"), "FAIL"), "\r\n", "\n")
	if *update {
		archive.Files[last].Data = []byte(got)
		if err := os.WriteFile(golden, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(archive.Files[last].Data), got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestInMemory checks gotest's own argument.
func TestInMemory(t *testing.T) {
	for _, test := range []struct {
		args, want []string
		err        string
	}{
		{nil, nil, ""},
		{[]string{"-short", "./..."}, []string{"-short", "./..."}, ""},
		{[]string{"-memory=65535", "-short"}, []string{"-short"}, ""}, // no machine has as much
		{[]string{"-memory=much", "-short"}, nil, "-memory=much: it must be a number of GiB"},
	} {
		got, err := inMemory(test.args)
		if text := fmt.Sprint(err); err != nil && text != test.err || err == nil && test.err != "" {
			t.Errorf("%q: error %v, want %q", test.args, err, test.err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", test.args, diff)
		}
	}
}
