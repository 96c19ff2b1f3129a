package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExplainPage runs the examples of docs/explain.md: blocks of a command, an empty line
// and its output.
func TestExplainPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/explain.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, block := range codeBlocks(string(page)) {
		command, want, ok := strings.Cut(block, "\n\n")
		if !ok {
			continue
		}
		examples++
		var out, complaints bytes.Buffer
		if status := run(context.Background(), strings.Fields(command)[1:], nil, &out, &complaints); status != exitDone {
			t.Errorf("%s: exit status %d: %s", command, status, &complaints)
		}
		if diff := cmp.Diff(want, strings.TrimSuffix(out.String(), "\n")); diff != "" {
			t.Errorf("%s: -page +output:\n%s", command, diff)
		}
	}
	if examples < 5 {
		t.Errorf("only %d examples", examples)
	}
}

// codeBlocks returns the indented blocks of a page, without their indent.
func codeBlocks(page string) (blocks []string) {
	var block []string
	for line := range strings.Lines(page + "end\n") {
		line = strings.TrimSuffix(line, "\n")
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented || line == "" && block != nil:
			block = append(block, code)
		case block != nil:
			blocks = append(blocks, strings.TrimRight(strings.Join(block, "\n"), "\n"))
			block = nil
		}
	}
	return blocks
}
