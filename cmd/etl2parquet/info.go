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
	cmd := &cobra.Command{
		Use:   "info INPUT...",
		Short: "Report what is in a trace",
		Long: `Reports what is in a trace: its session, system, clock and time span, its
buffers, and its events by header, provider and type; what was lost or is
damaged; and how many payloads are read whole, in part or not at all (raw), and
whether --manifest or --tmf would help. It reads the trace once, and buffers with
texts in payloads a second time.

An INPUT is a file, a folder (all .etl files and archives in it and below), a
pattern ('logs/**/*.etl': ** is any number of folders), s3://bucket/key,
http(s)://..., or - for standard input. With --json, a single trace prints an
object; several inputs, a folder, a pattern or an archive print an array.

--tables lists the tables in which a trace has rows, or may have, with their
columns in JSON: always an array, an object per trace and table.`,
		Example: `  etl2parquet info boot.etl
  etl2parquet info boot.etl --tables
  etl2parquet info boot.etl --json | jq .events_lost
  etl2parquet info traces/ --json | jq -r '.[] | [.file, .events] | @tsv'`,
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.info(cmd.Context(), f, args) },
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON, with complete lists")
	cmd.Flags().BoolVar(&f.tables, "tables", false, "list the tables of the trace, and their rows")
	addIndex(cmd.Flags(), &f.index)
	f.schemas.add(cmd.Flags())
	f.source.add(cmd)
	return cmd
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
