package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
	"github.com/etl2parquet/etl2parquet/internal/doors/query"
)

// TestReadme runs the commands of README.md that "go run" begins, one after another as a reader would,
// and compares what they print with the block below each.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := os.CopyFS(root+"/testdata", os.DirFS("../../testdata")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	if err := os.MkdirAll("cmd/etl2parquet", 0o777); err != nil { // so that the next step is "go run"
		t.Fatal(err)
	}
	const program = "go run ./cmd/etl2parquet "
	compared := 0
	for _, block := range strings.Split(string(page), "\n    "+program)[1:] {
		command, rest, _ := strings.Cut(block, "\n\n")
		lines := regexp.MustCompile(`(?m)^    .*\n`).FindStringIndex(rest)
		args := wordsOf(strings.ReplaceAll(strings.TrimSuffix(command, "\n    make test"), "\n      ", " "))
		if args[0] == "query" {
			if _, err := query.Find(); err != nil {
				t.Logf("%v: %v", args, err)
				continue
			}
		}
		var stdout, stderr bytes.Buffer
		a := &app{
			program: "/tmp/go-build1/exe/etl2parquet", in: strings.NewReader(""), out: &output{Writer: &stdout}, err: &stderr,
			patience: remote.DefaultPatience, ticker: neverTicks,
		}
		if status := a.run(t.Context(), args); status != exitDone {
			t.Fatalf("%v: exit status %d: %s", args, status, &stderr)
		}
		if lines == nil {
			continue
		}
		want := blockAt(rest[lines[0]:])
		got := stdout.String()
		if before, _, ok := strings.Cut(want, "...\n"); ok {
			want, got = before, got[:min(len(got), len(before))]
		}
		if diff := cmp.Diff(withoutTimes(want), withoutTimes(got)); diff != "" {
			t.Errorf("%v: -README +output:\n%s", args, diff)
		}
		compared++
	}
	if compared == 0 {
		t.Error("README.md has no command with its output")
	}
}

// wordsOf returns the words of a command line of which some are in double quotes.
func wordsOf(line string) (list []string) {
	for _, word := range regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1) {
		list = append(list, strings.Trim(word, `"`))
	}
	return list
}

// blockAt returns the indented block at the start of a text, without its indent.
func blockAt(text string) string {
	var block strings.Builder
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "    ") {
			break
		}
		block.WriteString(strings.TrimPrefix(line, "    "))
	}
	return strings.TrimRight(block.String(), "\n") + "\n"
}

// withoutTimes leaves out how long a conversion took, and the bytes of files, which have the version of
// the program.
func withoutTimes(text string) string {
	text = regexp.MustCompile(`events in .* events/s\)`).ReplaceAllString(text, "events")
	return regexp.MustCompile(` +\d+\.\d KiB( written|  100)`).ReplaceAllString(text, " $1")
}
