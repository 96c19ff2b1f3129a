package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// infoFlags are the flags of info.
type infoFlags struct {
	traceFlags
	asJSON, tables bool
}

func (a *app) infoCommand() *cobra.Command {
	f := new(infoFlags)
	return newCommand("info", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.info(cmd.Context(), f, args) },
	}, jsonOption(&f.asJSON, "print JSON, with complete lists"), []option{
		{flag: "tables", value: &f.tables, usage: "list the tables of the trace, and their rows"},
	}, indexOption(&f.index), f.schemas.flags(), f.source.flags())
}

// info describes traces.
func (a *app) info(ctx context.Context, f *infoFlags, args []string) error {
	defer relaxGC()()
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	if f.tables {
		return f.printTables(r)
	}
	r.bar = progress.New(a.err, progress.Auto, len(r.in.Files), r.in.Size())
	r.bar.Indexes = true
	summaries, sessions := []*index.Summary{}, new(info.Sessions)
	err = r.each(func(t *inputs.Trace) error {
		r.in.Single = r.in.Single && t.IsWhole()
		summary, err := r.summary(t)
		if err != nil {
			return err
		}
		sessions.Add(t, summary)
		summaries = append(summaries, summary)
		if !f.asJSON {
			r.aside(func() { a.printSummary(summary, len(summaries) > 1) })
		}
		return nil
	})
	switch {
	case isClosedPipe(a.out.err) && r.failed > 0:
		return r.result()
	case err != nil:
		return err
	}
	found := sessions.Find()
	if !f.asJSON {
		info.WriteSessions(a.out, found)
	} else if err := a.printSummaries(summaries, r.in.Single); err != nil {
		return err
	}
	return r.result()
}

func (a *app) printSummary(s *index.Summary, more bool) {
	if more {
		fmt.Fprintln(a.out)
	}
	info.Write(a.out, pageWidth(a.out), terminalWidth(a.out), s)
}

// printSummaries prints the object of a single trace, or the array of several.
func (a *app) printSummaries(summaries []*index.Summary, single bool) error {
	switch {
	case !single:
		return printJSON(a.out, summaries)
	case len(summaries) == 1:
		return printJSON(a.out, summaries[0])
	}
	return nil // the only trace failed
}

// summary makes the index pass for info, without the facts about processes, images and files.
func (r *reading) summary(t *inputs.Trace) (*index.Summary, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	p := r.bar.Next(t.Name(), t.Taken)
	defer r.bar.Finish(p, false)
	o := r.options
	o.Progress = &p.Progress
	p.FileBytes.Store(t.Size)
	x, err := o.IndexForInfo(r.ctx, t.Input())
	if err != nil {
		return nil, err
	}
	summary, err := x.Summary(r.ctx, t.Name(), o.Workers)
	return summary, errors.Join(err, x.Close())
}
