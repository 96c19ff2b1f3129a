package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/describe"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading"
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
		return r.Result()
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
	return r.Result()
}

// describe makes the index pass for info, without the facts about processes, images and files.
func (r *job) describe(t *inputs.Trace) (*facts.Info, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	p := r.bar.Next(t.Name(), t.Taken)
	defer r.bar.Finish(p, false)
	p.FileBytes.Store(t.Size)
	o := r.Reading()
	o.Indexed = func(bytes, events int64) { p.IndexedBytes.Add(bytes); p.Events.Add(events) }
	info, err := reading.ReadInfo(r.ctx, t.Reader(), t.Size, t.Path(), o)
	if err == nil {
		info.File = t.Name()
	}
	return info, err
}

// infoTables lists the tables in which each trace has rows, or may have.
func (r *job) infoTables(asJSON bool) error {
	return r.describeTables("", describe.Options{JSON: asJSON})
}

// describeTables explains the tables of each trace that match a name, or lists all.
func (r *job) describeTables(table string, o describe.Options) error {
	o.Width, o.Style = pageWidth(r.out), r.style()
	several := false
	r.ShareDescriptions(r.ctx)
	err := r.eachTrace(func(t *inputs.Trace, trace *etl2parquet.Trace) error {
		if several && !o.JSON {
			fmt.Fprintln(r.out)
		}
		several = true
		return describe.Trace(r.ctx, r.out, t.Name(), trace, table, o)
	})
	if err != nil {
		return err
	}
	return r.Result()
}
