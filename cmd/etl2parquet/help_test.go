package main

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestHelp compares the help of each command, and what a shell completes for its arguments and flags,
// with testdata/help.golden.
func TestHelp(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // the help has the number of processors
	var text strings.Builder
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		fmt.Fprintf(&text, "=== %s ===\n%s", cmd.CommandPath(), outputOf(t, append(words, "--help")...))
		if cmd.Name() != "help" && !under(cmd, "completion") {
			fmt.Fprintf(&text, "--- completions: %s\n", completionsOf(t, append(words, "")...))
			cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				if f.NoOptDefVal == "" {
					fmt.Fprintf(&text, "--- completions of --%s: %s\n", f.Name, completionsOf(t, append(words, "--"+f.Name, "")...))
				}
			})
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(new(app).rootCommand())
	testenv.Golden(t, "testdata/help.golden", text.String())
}

// under reports whether a command is another one, or below it.
func under(cmd *cobra.Command, name string) bool {
	for ; cmd != nil; cmd = cmd.Parent() {
		if cmd.Name() == name {
			return true
		}
	}
	return false
}

// outputOf runs a command line that must succeed, and returns what it prints.
func outputOf(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); status != exitDone {
		t.Fatalf("%q: exit status %d: %s", args, status, &stderr)
	}
	return stdout.String()
}

// completionsOf returns the completions of a command line: the first ones of many, and the directive.
func completionsOf(t *testing.T, args ...string) string {
	t.Helper()
	list := strings.Fields(strings.ReplaceAll(outputOf(t, append([]string{"__complete"}, args...)...), "\t", " "))
	return strings.Join(list[:min(len(list), 8)], " ")
}
