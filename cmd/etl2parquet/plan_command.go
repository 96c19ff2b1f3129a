package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/inputs/plan"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// planFlags are the flags of plan.
type planFlags struct {
	output  string
	shards  int
	dataset string
	source  sourceFlags
}

func (a *app) planCommand() *cobra.Command {
	f := &planFlags{}
	return newCommand("plan", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.output == "":
				return usagef("no output: name the file for the plan with -o FILE")
			case f.shards < 1 || f.shards > plan.MaxShards:
				return usagef("--shards %d: there must be 1 to %d", f.shards, plan.MaxShards)
			}
			return a.plan(cmd.Context(), f, args)
		},
	}, outputOption(&f.output, "write the plan to this `file` (required)", completeFiles), []option{
		{flag: "shards", value: &f.shards, usage: "`number` of processes (required)"},
		{flag: "dataset", value: &f.dataset, complete: completeFolders, usage: "the `folder`, or s3://bucket/folder, that the traces will be converted into: traces in it keep their names"},
	}, f.source.flags())
}

func (a *app) plan(ctx context.Context, f *planFlags, args []string) error {
	options, servers, err := f.source.options(a.patience)
	if err != nil {
		return err
	}
	failed := 0
	fail := func(name string, err error) { failed++; a.failInput(name, err) }
	in, err := f.source.find(ctx, args, a.in, servers, fail)
	if err != nil {
		return err
	}
	p := plan.New(f.shards, toolVersion(), in.Files)
	names, err := f.names(ctx, servers, in.Files)
	if err != nil {
		return err
	}
	s := &inputs.Reader{Options: options, Progress: inputs.NewProgress(len(in.Files), in.Size())}
	s.Fail = func(_ *inputs.File, name string, err error) { fail(name, err) }
	traces := 0
	s.Visit = func(t *inputs.Trace) error {
		defer t.Close() // no error: it was not opened
		name, err := names.Of(ctx, t)
		if err != nil {
			return err
		}
		traces++
		p.Add(t, name)
		return nil
	}
	if err := s.Each(ctx, in.Files); err != nil {
		return err
	}
	if traces == 0 {
		a.warn("no trace in any of the inputs: no plan")
		return errAllFailed
	}
	sessions, err := batch.FindSessions(ctx, options, in.Files)
	if err != nil {
		return err
	}
	for _, files := range sessions.Files() {
		p.Together(files)
	}
	p.Share()
	if err := p.Write(f.output); err != nil {
		return fileError("output", f.output, err)
	}
	a.printPlan(p, traces)
	return resultOf(ctx, traces, failed)
}

// names returns the names of the traces, including those that the dataset, if any, already has.
func (f *planFlags) names(ctx context.Context, servers *servers, files []*inputs.File) (*batch.TraceNames, error) {
	for _, file := range files {
		if file.IsStdin() {
			return nil, usagef("standard input cannot be planned: it can be read only once")
		}
	}
	if f.dataset == "" {
		return batch.NewTraceNames(ctx, nil, files)
	}
	out, err := servers.Store(f.dataset)
	if err != nil {
		return nil, usagef("--dataset %s: %w", f.dataset, err)
	}
	d := bundle.NewDataset(out)
	if err := d.Load(ctx); err != nil {
		return nil, fmt.Errorf("--dataset %s: %w", f.dataset, err)
	}
	names, err := batch.NewTraceNames(ctx, d, files)
	if err != nil {
		return nil, fmt.Errorf("--dataset: %w", err)
	}
	return names, nil
}

func (a *app) printPlan(p *plan.Plan, traces int) {
	least, most := p.Extremes()
	fmt.Fprintf(a.out, "%s in %s for %s, of %s to %s each\n", counted(int64(traces), "trace"), counted(int64(len(p.Inputs)), "file"),
		counted(int64(p.Shards), "shard"), bytesize.Round(least), bytesize.Round(most))
}
