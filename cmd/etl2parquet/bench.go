package main

import (
	"context"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/bench"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

func (a *app) benchCommand() *cobra.Command {
	f := &benchFlags{workers: defaultWorkers(runtime.GOMAXPROCS(0)), options: bench.Options{Program: toolVersion(), Rounds: 5}, part: bench.DefaultPart}
	return newCommand("bench", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.bench(cmd.Context(), f, args) },
	}, jsonOption(&f.options.JSON, "print a JSON object for each trace, one a line, with the spread of all rounds"), []option{
		{flag: "workers", value: &f.workers, usage: "numbers of workers to measure: `LIST`"},
		{flag: "part", value: &f.part, within: atLeast(0), usage: "measure this much of a trace, from its beginning; 0: all", complete: completeWords("64MiB", "256MiB", "1GiB")},
		{flag: "rounds", value: &f.options.Rounds, within: &span{1, maxRounds}, usage: "rounds to measure, after one to warm up"},
	}, f.resources.memoryFlags(), f.schemas.flags(), f.source.flags())
}

// bench measures each input in turn.
func (a *app) bench(ctx context.Context, f *benchFlags, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	o := &f.options
	o.Convert.Options, o.Width, o.Style = r.Options, pageWidth(a.out), a.style()
	if terminalWidth(a.err) > 0 {
		o.Notice = func(text string) { a.note(printable(text)) }
	}
	report := bench.NewReport(o)
	report.Begin(a.out, o)
	err = r.each(func(t *inputs.Trace) error {
		if err := t.Open(); err != nil {
			return err
		}
		return report.Add(r.ctx, a.out, t.Input(), o)
	})
	if err != nil {
		return err
	}
	return r.result()
}
