package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
	"github.com/etl2parquet/etl2parquet/internal/inputs/plan"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// planFlags are the flags of plan.
type planFlags struct {
	traceFlags
	output  string
	shards  int
	dataset string
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
			case f.shards == 0:
				return usagef("no number of processes: give it with --shards N")
			}
			return a.plan(cmd.Context(), f, args)
		},
	}, outputOption(&f.output, "write the plan to this `file` (required)", completeFiles), []option{
		{flag: "shards", value: &f.shards, within: &span{1, plan.MaxShards}, usage: "`number` of processes (required)"},
		{flag: "dataset", value: pathValue{&f.dataset}, complete: completeFolders, usage: "the `folder`, or s3://bucket/folder, that the traces will be converted into: traces in it keep their names"},
	}, f.source.flags())
}

// plan writes a plan, without reading the traces.
func (a *app) plan(ctx context.Context, f *planFlags, args []string) error {
	if err := checkReplaced("output", f.output, planBegin); err != nil {
		return err
	}
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	p := plan.New(f.shards, toolVersion(), r.Files.Files)
	names, err := f.names(r)
	if err != nil {
		return err
	}
	err = r.each(func(t *inputs.Trace) error {
		name, err := names.Of(r.ctx, t)
		if err != nil {
			return &answers.EndFileError{Err: err}
		}
		p.Add(t, name)
		return nil
	})
	switch {
	case err != nil:
		return err
	case r.Done == 0:
		a.warn("no trace in any of the inputs: no plan")
		return answers.ErrAllFailed
	}
	sessions, err := batch.FindSessions(r.ctx, r.Archive, r.Files.Files)
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
	least, most := p.Extremes()
	fmt.Fprintf(a.out, "%s in %s for %s, of %s to %s each\n", counted(int64(r.Done), "trace"), counted(int64(len(p.Inputs)), "file"),
		counted(int64(p.Shards), "shard"), texts.RoundSize(least), texts.RoundSize(most))
	return r.Result()
}

// pipeName returns the name of standard input or of a pipe in a message.
func pipeName(f *inputs.File) string {
	if f.IsStdin() {
		return "standard input"
	}
	return "the pipe " + f.Name
}

// names returns the names of the traces, including those that the dataset, if any, already has.
func (f *planFlags) names(r *job) (*batch.TraceNames, error) {
	for _, file := range r.Files.Files {
		if file.IsPipe() {
			return nil, usagef("%s cannot be planned: it can be read only once", pipeName(file))
		}
	}
	if f.dataset == "" {
		return batch.NewTraceNames(r.ctx, nil, r.Files.Files)
	}
	out, err := r.Servers.Store(f.dataset)
	if err != nil {
		return nil, usagef("--dataset %s: %w", f.dataset, err)
	}
	d := bundle.NewDataset(out)
	if err := d.Load(r.ctx); err != nil {
		return nil, fmt.Errorf("--dataset %s: %w", f.dataset, err)
	}
	names, err := batch.NewTraceNames(r.ctx, d, r.Files.Files)
	if err != nil {
		return nil, fmt.Errorf("--dataset: %w", err)
	}
	return names, nil
}
