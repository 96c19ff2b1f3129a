package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/doors/query"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

var (
	consolePattern = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	tracePattern   = regexp.MustCompile(`\b[\w.]+\.etl\b`)
)

// TestTours runs the commands of docs/tours in a shell, and compares their output with the page's. A
// command begins with "$ "; its further lines are indented by two spaces. -update replaces the output.
func TestTours(t *testing.T) {
	testenv.Tool(t, "sh")
	t.Setenv(query.Variable, interop.NewDuckDB(t))
	pages, err := filepath.Glob("../../docs/tours/*.md")
	if err != nil || len(pages) < 3 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			linkTraces(t, string(text), dir)
			got := consolePattern.ReplaceAllStringFunc(string(text), func(block string) string {
				return "```console\n" + runConsole(t, dir, block) + "```"
			})
			if *update {
				if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("the output differs; -update replaces it (-want +got):\n%s", diff)
			}
			for line := range strings.Lines(got) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 110 {
					t.Errorf("a line of %d characters: %s", n, line)
				}
			}
		})
	}
}

// linkTraces puts the traces that a page names into a folder.
func linkTraces(t *testing.T, page, dir string) {
	t.Helper()
	for _, name := range tracePattern.FindAllString(page, -1) {
		trace, err := os.ReadFile(testenv.Shared(t, "traces/"+name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), trace, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// runConsole runs the commands of a block, and returns them, each with its output.
func runConsole(t *testing.T, dir, block string) string {
	t.Helper()
	var commands []string
	inCommand := false
	for line := range strings.Lines(block) {
		switch {
		case strings.HasPrefix(line, "$ "):
			commands, inCommand = append(commands, line), true
		case inCommand && strings.HasPrefix(line, "  "):
			commands[len(commands)-1] += line
		default:
			inCommand = false
		}
	}
	var text strings.Builder
	for _, command := range commands {
		cmd := exec.Command("sh", "-c", strings.TrimPrefix(command, "$ "))
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s%v: %s", command, err, &stderr)
		}
		text.WriteString(command + string(out))
	}
	return text.String()
}
