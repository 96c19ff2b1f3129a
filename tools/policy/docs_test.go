package policy

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
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

// TestGoFiles compiles the files in docs/dev/adding.md and the programs in docs/go.md, as if they were in the
// repository. The programs are short and use only what other modules can import. Over two traces the first one
// prints the events of both in time order, and the second one what stands out in them.
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
	if len(programs) != 2 {
		t.Fatalf("docs/go.md has %d programs", len(programs))
	}
	for i, name := range []string{"events", "question"} {
		text := programs[i][2]
		if strings.Count(text, "\n") > 31 || strings.Contains(text, root+"/internal") {
			t.Errorf("this program is long, or others cannot compile it: %s", text)
		}
		add("tools/policy/"+name+"/main.go", text)
	}
	for _, file := range goFile.FindAllStringSubmatch(textOf(t, "docs/dev/adding.md"), -1) {
		add(file[1], file[2])
	}
	if len(args) < 5+5 {
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
	run := func(t *testing.T, name string, inputs ...string) []string {
		out, err := exec.Command(filepath.Join(dir, name), inputs...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %.2000s", err, out)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	lines := run(t, "events", "testdata/sample.etl", "testdata/sample-compressed.etl")
	if len(lines) != 2*449 {
		t.Fatalf("%d lines, want %d", len(lines), 2*449)
	}
	for i := range lines[1:] {
		if lines[i+1][:15] < lines[i][:15] {
			t.Fatalf("line %d is earlier than the one before: %s", i+1, lines[i+1])
		}
	}
	t.Run("question", func(t *testing.T) {
		t.Setenv("ETL2PARQUET_DUCKDB", interop.FindDuckDB(t))
		findings := strings.Join(run(t, "question", "testdata"), "\n")
		if !strings.Contains(findings, `"trace":"sample",`) || !strings.Contains(findings, `"trace":"sample-compressed",`) {
			t.Errorf("findings: %.2000s", findings)
		}
	})
}

// TestHouse checks that the walk through the house names each package that is not only for tests.
func TestHouse(t *testing.T) {
	walk := textOf(t, "docs/dev/architecture.md")
	for _, p := range goPackages(t) {
		isInner := strings.Contains(p.name, "/internal/") // of the program
		if !p.other && p.name != root && !forTests(p.name) && !isInner && !strings.Contains(walk, "`"+p.name+"`") {
			t.Errorf("docs/dev/architecture.md does not name %s", p.name)
		}
	}
}

// TestPathsOfPages checks that pages for developers name no file or folder that is gone.
func TestPathsOfPages(t *testing.T) {
	exists, top := map[string]bool{}, map[string]bool{}
	for _, name := range repositoryFiles(t) {
		for ; name != "."; name = path.Dir(name) {
			exists[name] = true
			top[name] = top[name] || path.Dir(name) == "."
		}
	}
	for _, e := range edits {
		exists[e.file] = true
	}
	for page := range exists {
		if path.Ext(page) != ".md" || !strings.HasPrefix(page, "docs/dev/") && page != "CONTRIBUTING.md" {
			continue
		}
		for _, span := range codeSpan.FindAllString(fencedBlock.ReplaceAllString(textOf(t, page), ""), -1) {
			name := strings.Trim(span, "`/")
			first, _, isPath := strings.Cut(name, "/")
			if isPath && top[first] && !strings.ContainsAny(name, " \n*<") && !exists[name] {
				t.Errorf("%s: there is no %s", page, name)
			}
		}
	}
}

// TestPlanted checks that each bug of tools/planted/bugs.txt still has one place in the code.
func TestPlanted(t *testing.T) {
	bugs := strings.Split(textOf(t, "tools/planted/bugs.txt"), "\n== ")[1:]
	for _, bug := range bugs {
		heading, lines, _ := strings.Cut(bug, "\n")
		_, file, _ := strings.Cut(heading, " ")
		var old []string
		for line := range strings.Lines(lines) {
			if text, isOld := strings.CutPrefix(line, "-"); isOld {
				old = append(old, text)
			}
		}
		text := strings.TrimSuffix(strings.Join(old, ""), "\n")
		if n := strings.Count(textOf(t, file), text); text == "" || n != 1 {
			t.Errorf("bug %s: %s has its text %d times", heading, file, n)
		}
	}
	if len(bugs) == 0 {
		t.Error("the list has no bugs")
	}
}
