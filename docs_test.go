package etl2parquet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestReadmeIsShort checks that a reader gets through README.md: longer texts belong into pages.
func TestReadmeIsShort(t *testing.T) {
	if n := strings.Count(readText(t, "README.md"), "\n"); n > 140 {
		t.Errorf("%d lines, more than 140", n)
	}
}

// TestGoProgram runs the program in docs/go.md over two traces: it is short, and prints the events of
// both in time order.
func TestGoProgram(t *testing.T) {
	testenv.Sequential(t)
	page, err := os.ReadFile("docs/go.md")
	if err != nil {
		t.Fatal(err)
	}
	program := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(page)
	if program == nil {
		t.Fatal("docs/go.md has no program")
	}
	if n := strings.Count(string(program[1]), "\n"); n > 25 {
		t.Errorf("%d lines", n)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	modules, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/etl2parquet/etl2parquet"
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for name, text := range map[string]string{
		"main.go": string(program[1]),
		"go.sum":  string(sums),
		"go.mod":  strings.Replace(string(modules), "module "+module, "module example\n\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+root, 1),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".", filepath.Join(root, "testdata/sample.etl"), filepath.Join(root, "testdata/sample-compressed.etl"))
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 2*449 {
		t.Fatalf("%d lines, want %d", len(lines), 2*449)
	}
	for i := range lines[1:] {
		if lines[i+1][:15] < lines[i][:15] {
			t.Fatalf("line %d is earlier than the one before: %s", i+1, lines[i+1])
		}
	}
}
