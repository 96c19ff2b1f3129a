package policy

import (
	"encoding/json"
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
	if n := strings.Count(textOf(t, "README.md"), "\n"); n > 140 {
		t.Errorf("%d lines, more than 140", n)
	}
}

// goFile is a whole file in a page: a block of Go, perhaps after a line that ends with the file's path.
var goFile = regexp.MustCompile("(?ms)(?:`([^`\n]+\\.go)`:\n\n)?^```go\n(package .*?|// Package .*?)^```$")

// TestGoFiles compiles the files in docs/dev/adding.md and the program in docs/go.md, as if they were in the
// repository. It runs the program over two traces: it is short, uses only what other modules can import,
// and prints the events of both in time order.
func TestGoFiles(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	dir := t.TempDir()
	args := []string{"build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", dir + string(filepath.Separator)}
	add := func(path, text string) {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s exists", path)
		}
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		testenv.WriteFile(t, file, text)
		overlay.Replace[filepath.Join(here, filepath.FromSlash(path))] = file
		args = append(args, "./"+filepath.ToSlash(filepath.Dir(path)))
	}
	programs := goFile.FindAllStringSubmatch(textOf(t, "docs/go.md"), -1)
	if len(programs) != 1 || strings.Count(programs[0][2], "\n") > 25 || strings.Contains(programs[0][2], root+"/internal") {
		t.Fatalf("docs/go.md has no program, several, a long one or one that others cannot compile: %q", programs)
	}
	add("tools/policy/example/main.go", programs[0][2])
	for _, file := range goFile.FindAllStringSubmatch(textOf(t, "docs/dev/adding.md"), -1) {
		add(file[1], file[2])
	}
	if len(args) < 5+4 {
		t.Fatalf("files of only these packages: %v", args[5:])
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	testenv.WriteFile(t, args[2], text)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "example"), "testdata/sample.etl", "testdata/sample-compressed.etl").CombinedOutput()
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
