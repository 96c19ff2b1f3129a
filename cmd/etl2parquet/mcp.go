package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/doors/agent"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	traceFlags
	views viewFlags
	roots []string
	time  time.Duration
}

func (a *app) mcpCommand() *cobra.Command {
	f := &mcpFlags{time: 2 * time.Minute}
	return newCommand("mcp", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.mcp(cmd.Context(), f, args) },
	}, []option{
		{flag: "root", value: &f.roots, complete: completeFolders, usage: "let calls name traces below this `folder`, and write pages there; repeatable"},
		{flag: "max-time", value: &f.time, within: atLeast(int64(time.Second)), usage: "limit on the time of a call"},
	}, f.views.flags(), f.cache.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(), f.resources.flags(), f.source.limitFlags())
}

// checkArgs requires something to read. Standard input has the messages of the agent.
func (f *mcpFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && f.roots == nil {
		return usagef("nothing to read: name a trace, or a folder of traces with --root; see %s --help", cmd.CommandPath())
	}
	for _, arg := range args {
		if arg == inputs.Stdin {
			return usagef("standard input cannot be a trace (-): the agent's messages come from there")
		}
	}
	return nil
}

// mcp serves an agent on standard input and output until it closes them.
func (a *app) mcp(ctx context.Context, f *mcpFlags, args []string) error {
	for _, root := range f.roots {
		if err := checkRoot(root); err != nil {
			return usageError{fileError("root", root, err)}
		}
	}
	set, err := f.views.set()
	if err != nil {
		return err
	}
	o := agent.Options{
		Views:   set,
		Version: toolVersion(), Inputs: args, Roots: f.roots, Time: f.time, Words: messageOf,
		Bound: func(d *answers.DuckDB) { f.resources.bound(d, true) },
		Open: func(ctx context.Context, from *reach.Files, notes io.Writer) (*answers.Traces, func(), error) {
			r, err := a.inside(from, notes).begin(ctx, &f.traceFlags)
			if err != nil {
				return nil, nil, err
			}
			return r.Traces, r.close, nil
		},
	}
	key, err := f.redact.key(a.err)
	if err != nil {
		return err
	}
	if key != nil {
		names, err := redact.NewKey(key)
		if err != nil {
			return err
		}
		o.Mask = names.Mask().Text
	}
	return agent.Serve(ctx, io.NopCloser(a.in), mcpOutput{a.out}, o)
}

// inside returns a program that reads traces within this one: it prints nothing, its notes go elsewhere, and it opens
// only these files because of inputs.
func (a *app) inside(from *reach.Files, notes io.Writer) *app {
	return &app{out: new(output), err: notes, from: from, patience: a.patience, ticker: a.ticker, minIndexed: a.minIndexed}
}

// checkRoot checks that a folder exists.
func checkRoot(name string) error {
	path, err := inputs.LocalPath(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a folder")
	}
	return err
}

// mcpOutput is standard output, which stays open.
type mcpOutput struct{ io.Writer }

// Close implements [io.Closer].
func (mcpOutput) Close() error { return nil }
