package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/bench"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

const maxRounds = 1000

func (a *app) benchCommand() *cobra.Command {
	o := &bench.Options{Program: toolVersion(), Rounds: 5}
	var f traceFlags
	part := texts.Size(bench.DefaultPart)
	return newCommand("bench", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Part = int64(part)
			return a.bench(cmd.Context(), &f, o, args)
		},
	}, jsonOption(&o.JSON, "print a JSON object for each trace, one a line"), []option{
		{flag: "part", value: &part, within: atLeast(0), usage: "measure this much of a trace, from its beginning; 0: all", complete: completeWords("64MiB", "256MiB", "1GiB")},
		{flag: "rounds", value: &o.Rounds, within: &span{1, maxRounds}, usage: "rounds to measure, after one to warm up"},
	}, f.resources.flags(), f.schemas.flags(), f.source.flags())
}

// bench measures each input in turn.
func (a *app) bench(ctx context.Context, f *traceFlags, o *bench.Options, args []string) error {
	r, err := a.open(ctx, f, args)
	if err != nil {
		return err
	}
	defer r.close()
	o.Convert.Options, o.Width, o.Style = r.Options, pageWidth(a.out), a.style()
	if terminalWidth(a.err) > 0 {
		o.Notice = func(text string) { a.note(printable(text)) }
	}
	err = r.each(func(t *inputs.Trace) error {
		if err := t.Open(); err != nil {
			return err
		}
		return bench.Trace(r.ctx, a.out, t.Input(), o)
	})
	if err != nil {
		return err
	}
	return r.Result()
}
