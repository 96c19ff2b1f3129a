package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestWidths checks that no line of what people read is wider than the terminal, in character cells:
// every help, and pages about real traces.
func TestWidths(t *testing.T) {
	traces := append(testenv.SharedOr(t, "traces/net.4.5.2.x86.etl"), testenv.SharedOr(t, "traces/diaghub*.etl")...)
	out := filepath.Join(t.TempDir(), "out")
	var commands [][]string
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		commands = append(commands, append(words, "-h"))
		if !under(cmd, "completion") { // its texts are cobra's
			commands = append(commands, append(words, "--help"))
		}
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(new(app).rootCommand())
	commands = append(commands,
		[]string{"convert", sampleTrace, "-o", out}, []string{"convert", sampleTrace, "-o", out},
		[]string{"describe"}, []string{"describe", "context_switches"}, []string{"describe", "event_header"}, []string{"describe", "Thread/CSwitch"}, []string{"describe", "Process"},
		[]string{"describe", out}, []string{"describe", out, "processes"}, []string{"describe", out, "Etl2parquet.Sample/FileSaved"},
		[]string{"describe", sampleTrace}, []string{"info", sampleTrace}, []string{"info", sampleTrace, "--tables"},
		[]string{"catalog", "list", "Microsoft-Windows-DotNET*"}, []string{"catalog", "show", "Microsoft-Windows-PowerShell"},
		[]string{"catalog", "show", "Microsoft-Windows-DotNETRuntime", "GC/*"}, []string{"explain", "0x0524", "CSwitch", "EVENT_TRACE_FLAG_CSWITCH"},
		[]string{"check", out},
	)
	if len(traces) > 0 {
		commands = append(commands,
			append([]string{"info"}, traces...), []string{"info", traces[0]}, []string{"describe", traces[0]}, []string{"describe", traces[0], "GC/Start"},
			append([]string{"symbols", "list"}, traces...), []string{"convert", traces[1], "-o", out}, []string{"describe", out},
		)
	}
	for _, args := range commands {
		for _, columns := range []int{80, 100, 160}[:testenv.Times(t, 1, 3, 3, 3)] {
			t.Setenv("COLUMNS", fmt.Sprint(columns))
			var stdout, stderr bytes.Buffer
			if status := run(t.Context(), args, strings.NewReader(""), &stdout, &stderr); status != exitDone {
				t.Fatalf("%q: exit status %d: %s", args, status, &stderr)
			}
			if stdout.Len() == 0 {
				t.Errorf("%q prints nothing", args)
			}
			for line := range strings.Lines(stdout.String()) {
				line = strings.TrimSuffix(line, "\n")
				isCommand := strings.HasPrefix(line, "  etl2parquet query ") // of convert: its words must stay on a line
				if n := texts.Width(line); n > columns && !isCommand {
					t.Errorf("%d columns: %q prints a line of %d: %s", columns, args, n, line)
				}
			}
		}
	}
}
