package etl2parquet_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// wholeFile is a whole file in a page: a block of Go after a line that ends with the file's path.
var wholeFile = regexp.MustCompile("(?ms)`([^`\n]+\\.go)`:\n\n```go\n(package .*?|// Package .*?)^```$")

// TestAddingPage compiles the files in docs/dev/adding.md, as if they were in the repository.
func TestAddingPage(t *testing.T) {
	testenv.Sequential(t)
	page, err := os.ReadFile("docs/dev/adding.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	packages := make(map[string]bool)
	dir := t.TempDir()
	for _, file := range wholeFile.FindAllSubmatch(page, -1) {
		path := filepath.FromSlash(string(file[1]))
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s exists", path)
		}
		copied := filepath.Join(dir, filepath.Base(filepath.Dir(path))+"_"+filepath.Base(path))
		if err := os.WriteFile(copied, file[2], 0o666); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(root, path)] = copied
		packages["./"+filepath.ToSlash(filepath.Dir(path))] = true
	}
	if len(packages) < 3 {
		t.Fatalf("files of only %d packages", len(packages))
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"list", "-export", "-overlay", name, "-f", "{{with .Export}}compiled{{end}}"}
	for p := range packages {
		args = append(args, p)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %.2000s", err, out)
	}
}
