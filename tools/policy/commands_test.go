package policy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// notRun are the blocks of commands that TestCommandsOfPages leaves out, by a text in them, and why.
var notRun = map[string]string{
	"git clone https://":   "network; the test begins with a clone",
	"export SIZE=40MB":     "measures for minutes, and needs a quiet machine",
	"bench/cat.sh":         "measures for minutes, and needs a quiet machine",
	"make bench":           "measures for minutes: the block with -bench Methods is what it runs",
	"-bench Methods":       "measures for minutes, and needs a quiet machine",
	"-run Compressibility": "measures for minutes",
	"etl2parquet bench ":   "measures for minutes, and needs a quiet machine",
	"bench/ladder.py":      "network, and needs two builds and a quiet machine",
	"bench/sizes.py":       "the Python environment of other writers; TRACE... stands for traces",
	"bench/flat.sh":        "measures for minutes; TRACE... stands for traces",
	"make dist ":           "the parts release and check of CI run make dist-test; the others take network and root",
	"chromium --headless":  "writes the pictures of the README with a browser",
}

// edits are what the pages say to do before the next commands. The block that begins with a text becomes a
// file, or goes behind a text of a file that exists.
var edits = []struct{ block, file, behind string }{
	{"event Freeze", "schema/kernel.txt", "  dscp_tag u8: DSCP value put into outgoing packets, 0 to 63.\n\n"},
	{"Job/Freeze.\n", "internal/engine/rows/testdata/kernel/job.txtar", ""},
	{"5 v0 Reload=1 Stop", "knowledge/providers/Microsoft-Windows-Kernel-Prm.txt", "DurationInUs:u64\n"},
	{"-- rows of cpu_samples", "views/module_samples/view.sql", ""},
	{"# module_samples", "views/module_samples/view.md", ""},
	{"-- two modules/trace --", "views/module_samples/rows.txtar", ""},
	{"-- samples/traces --", "views/module_samples/proof.txtar", ""},
	{"package export", "internal/doors/export/busy.go", ""},
	{"// Package names", "internal/doors/names/names.go", ""},
	{"package main", "cmd/etl2parquet/names.go", ""},
	{"names INPUT...", "cmd/etl2parquet/help/names.txt", ""},
}

// lines are lists that pages name in a sentence, and what to add to them.
var lines = []struct{ sentence, file, behind, added string }{
	{"Add `busyFormat` to `All` in `format.go`", "internal/doors/export/format.go", "return []*Format{", "busyFormat, "},
	{"Add `{\"names\", a.namesCommand}` in `commands.go`", "cmd/etl2parquet/commands.go", "return []namedCommand{\n", `{"names", a.namesCommand},`},
}

var pageBlock = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// TestCommandsOfPages runs the commands of the pages for developers in a clean clone of each page, in order.
func TestCommandsOfPages(t *testing.T) {
	testenv.All(t, "compiles much of the repository, and runs tests of other packages")
	pages, err := filepath.Glob("docs/dev/*.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-trimpath") // so that the clones share what is compiled
	t.Setenv("CI", "")
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	shell(t, ".", "go build -o "+bin+" ./cmd/etl2parquet")
	all := ""
	for _, page := range append(pages, "CONTRIBUTING.md") {
		page = filepath.ToSlash(page)
		text := textOf(t, page)
		all += text
		t.Run(page, func(t *testing.T) {
			clone := filepath.Join(t.TempDir(), "etl2parquet")
			shell(t, ".", "git clone -q . "+clone+" && cp testdata/sample.etl "+clone+"/trace.etl && ln -s "+filepath.Dir(testenv.Shared(t, "traces"))+" "+filepath.Dir(clone)+"/shared")
			before := 0
			for _, at := range pageBlock.FindAllStringSubmatchIndex(text, -1) {
				prose, kind, block := text[before:at[0]], text[at[2]:at[3]], text[at[4]:at[5]]
				before = at[1]
				for _, l := range lines {
					if strings.Contains(prose, l.sentence) {
						insert(t, filepath.Join(clone, l.file), l.behind, l.added)
					}
				}
				for _, e := range edits {
					if strings.HasPrefix(block, e.block) {
						insert(t, filepath.Join(clone, e.file), e.behind, block)
					}
				}
				if kind != "sh" && kind != "bash" && kind != "console" {
					continue
				}
				reason := ""
				for text := range notRun {
					if strings.Contains(block, text) {
						reason = notRun[text]
					}
				}
				if reason == "" {
					shell(t, clone, strings.ReplaceAll(block, "/path/to/duckdb", interop.FindDuckDB(t)))
				}
			}
		})
	}
	for text := range notRun {
		if !strings.Contains(all, text) {
			t.Errorf("no page has a block with %s", text)
		}
	}
}

// insert adds a text to a file: behind a text in it or, without one, as a new file.
func insert(t *testing.T, file, behind, added string) {
	t.Helper()
	text := added
	if behind == "" {
		if _, err := os.Stat(file); err == nil {
			t.Fatalf("%s exists", file)
		}
	} else if text = strings.Replace(textOf(t, file), behind, behind+added, 1); text == textOf(t, file) {
		t.Fatalf("%s has no %s", file, behind)
	}
	testenv.WriteFile(t, file, text)
}

// shell runs a script in a folder.
func shell(t *testing.T, folder, script string) {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, out[max(0, len(out)-4000):])
	} else {
		t.Logf("%s\n%s", script, out[max(0, len(out)-1000):])
	}
}
