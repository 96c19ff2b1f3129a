// Etl2parquet converts Windows ETW traces (.etl) into Parquet, and tells what
// is in them.
//
//	etl2parquet convert INPUT... -o DIR    traces into a dataset
//	etl2parquet plan INPUT... -o FILE      inputs shared out among several processes
//	etl2parquet check DIR [--json]         whether a dataset is whole
//	etl2parquet clean DIR                  removes what interrupted runs left
//	etl2parquet info INPUT... [--json]     what is in a trace
//	etl2parquet describe [TABLE] [--json]  tables and columns
//	etl2parquet version                    of the program
//
// Results go to standard output, everything else to standard error. The exit
// status is 0 if all is done (damage and losses are reported), 1 if it failed,
// 2 for a wrong command line, 3 if some inputs failed and the others are done,
// and 130 if it was interrupted. Any other status is a failure as well.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/remote"
)

func main() {
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore) // so that a second signal kills
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// app is one run of the program.
type app struct {
	in       io.Reader
	out      *output
	err      io.Writer
	patience remote.Patience // with servers
}

// run runs the program and returns its exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{in: stdin, out: &output{Writer: stdout}, err: stderr, patience: remote.DefaultPatience}
	return a.run(ctx, args)
}

func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	begun := false // what is wrong before is wrong with the command line
	root.PersistentPreRun = func(*cobra.Command, []string) { begun = true }
	err := root.ExecuteContext(ctx)
	if err != nil && !begun && !errors.As(err, new(usageError)) {
		err = usageError{err}
	}
	if err == nil && a.out.err != nil {
		err = fmt.Errorf("write to standard output: %w", a.out.err)
	}
	return a.exit(err)
}

// output remembers the first error, so that a full disk does not pass for success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

func (a *app) rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "etl2parquet",
		Short: "Converts Windows ETW traces (.etl) into Parquet",
		Long: `Converts Windows ETW traces (.etl) into Parquet that DuckDB, Spark, pandas,
Polars and ClickHouse read as it is, on any system, without Windows.`,
		Example: `  etl2parquet info trace.etl                    what is in the trace
  etl2parquet convert trace.etl -o dataset      one trace
  etl2parquet convert traces/ -o dataset        all traces in a folder
  duckdb -init dataset/views.sql                query them`,
		Args:          cobra.ArbitraryArgs, // see unknownCommand
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       toolVersion(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	cmd.SuggestionsMinimumDistance = 2
	// The program by itself only helps, so its usage is not a line worth printing.
	cmd.SetUsageTemplate(strings.Replace(cmd.UsageTemplate(), "{{if .Runnable}}", "{{if and .Runnable .HasParent}}", 1))
	cmd.SetVersionTemplate("etl2parquet {{.Version}}\n")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
	})
	cmd.AddCommand(a.convertCommand(), a.planCommand(), a.checkCommand(), a.cleanCommand(), a.infoCommand(), a.describeCommand(), a.versionCommand())
	return cmd
}

// unknownCommand is the error of a command that there is not, with what may
// have been meant.
func unknownCommand(root *cobra.Command, name string) error {
	if _, err := os.Stat(name); err == nil || strings.HasSuffix(strings.ToLower(name), ".etl") {
		return usageError{fmt.Errorf("%q is no command; to convert it: etl2parquet convert %s -o DIR", name, shellQuoted(name))}
	}
	if similar := root.SuggestionsFor(name); len(similar) > 0 {
		return usageError{fmt.Errorf("unknown command %q; did you mean %s?", name, strings.Join(similar, " or "))}
	}
	return usageError{fmt.Errorf("unknown command %q; see etl2parquet --help", name)}
}
