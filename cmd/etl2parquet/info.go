package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

func (a *app) infoCommand() *cobra.Command {
	f := new(traceFlags)
	var o info.Options
	var tables bool
	return newCommand("info", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.info(cmd.Context(), f, args, o, tables) },
	}, jsonOption(&o.JSON, "print a JSON object for each trace, one a line, with complete lists, and one for the files left out"), []option{
		{flag: "long", value: &o.Long, usage: "print all about each of several traces"},
		{flag: "tables", value: &tables, usage: "list the tables of the trace, and their rows"},
	}, indexOption(&f.index), f.schemas.flags(), f.source.flags())
}

// info describes traces.
func (a *app) info(ctx context.Context, f *traceFlags, args []string, o info.Options, tables bool) error {
	defer relaxGC()()
	r, err := a.open(ctx, f, args)
	if err != nil {
		return err
	}
	defer r.close()
	if tables {
		return r.infoTables(o.JSON)
	}
	r.bar = progress.New(a.err, progress.Auto, len(r.Files.Files), r.Files.Size())
	r.bar.Indexes = true
	o.Width, o.Style = pageWidth(a.out), a.style()
	report := info.NewReport(a.out, o)
	r.ShareDescriptions(r.ctx)
	err = r.each(func(t *inputs.Trace) error {
		description, err := r.describe(t)
		if err == nil {
			r.aside(func() { report.Add(description, t.Head()) })
		}
		return err
	})
	switch {
	case isClosedPipe(a.out.err) && r.Failed > 0:
		return r.result()
	case err != nil:
		return err
	}
	f.schemas.tellBeside(a, r.Options.Schemas)
	err = report.End()
	if err == nil && o.JSON && len(r.Files.LeftOut) > 0 {
		err = texts.WriteJSONLines(a.out, []any{map[string]any{"left_out": r.Files.LeftOut}})
	}
	if err != nil {
		return err
	}
	return r.result()
}
