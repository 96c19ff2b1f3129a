package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/doors/agent"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// mcp serves an agent on standard input and output until it closes them.
func (a *app) mcp(ctx context.Context, f *mcpFlags, args []string) error {
	for _, root := range f.roots {
		if err := checkRoot(root); err != nil {
			return usageError{fileError("root", root, err)}
		}
	}
	o := agent.Options{
		Version: toolVersion(), Inputs: args, Roots: f.roots, Time: f.time, Words: messageOf,
		Bound: func(d *answers.DuckDB) { f.resources.bound(d, true) },
		Open: func(ctx context.Context, from *reach.Files, notes io.Writer) (*answers.Traces, func(), error) {
			r, err := (&app{out: new(output), err: notes, from: from, patience: a.patience, ticker: a.ticker, minIndexed: a.minIndexed}).begin(ctx, &f.traceFlags)
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
