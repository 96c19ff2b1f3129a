package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/progress"
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

func (a *app) infoCommand() *cobra.Command {
	var asJSON, tables bool
	var index string
	var schemas schemaFlags
	var from sourceFlags
	cmd := &cobra.Command{
		Use:   "info INPUT...",
		Short: "Report what is in a trace",
		Long: `Reports what is in a trace: its session, system, clock and time span, its
buffers, and its events by header, provider and type; what was lost or is
damaged; and how many payloads are read whole, in part or not at all (raw), and
whether --manifest or --tmf would help. It reads the trace once, and buffers whose
payloads have texts twice.

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
		Args:              from.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := schemas.open()
			if err != nil {
				return err
			}
			defer schemas.complain(a, files)
			if tables {
				return a.infoTables(cmd.Context(), &from, args, files, index, asJSON)
			}
			return a.info(cmd.Context(), &from, args, files, index, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with complete lists")
	cmd.Flags().BoolVar(&tables, "tables", false, "list the tables of the trace, and their rows")
	addIndex(cmd.Flags(), &index)
	schemas.add(cmd.Flags())
	from.add(cmd)
	return cmd
}

func (a *app) info(ctx context.Context, from *sourceFlags, args []string, files *catalog.Files, indexFile string, asJSON bool) error {
	defer collectLess()()
	options, servers, err := from.options(a.patience)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := 0
	fail := func(name string, err error) { failed++; a.failInput(name, err) }
	in, err := from.find(ctx, args, a.in, servers, fail)
	if err != nil {
		return err
	}
	bar := progress.New(a.err, progress.Auto, len(in.Files), in.Size())
	bar.Indexes = true
	summaries, sessions := []*index.Summary{}, new(info.Sessions)
	s := &inputs.Reader{Options: options, Stdin: a.in, Progress: bar.Progress}
	s.Fail = func(_ *inputs.File, name string, err error) { bar.Aside(func() { fail(name, err) }) }
	s.Visit = func(t *inputs.Trace) error {
		in.Single = in.Single && t.IsWhole()
		summary, err := summarise(ctx, t, files, indexFile, from.tempDir, bar)
		if err == nil {
			sessions.Add(t, summary)
		}
		err = errors.Join(err, t.Close())
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			s.Fail(t.File, t.Name(), inputs.WithoutPath(t.File.Path, err))
			return nil
		}
		summaries = append(summaries, summary)
		bar.Aside(func() {
			if !asJSON {
				a.printSummary(summary, len(summaries) > 1)
			}
		})
		if a.out.err != nil {
			stop() // the output cannot be written; the other traces need not be read
		}
		return ctx.Err()
	}
	bar.Start(a.ticker)
	interrupted := s.Each(ctx, in.Files)
	bar.End()
	switch {
	case isClosedPipe(a.out.err) && failed > 0:
		return resultOf(context.Background(), len(summaries), failed)
	case a.out.err != nil:
		return a.out.err
	case interrupted != nil:
		return interrupted
	}
	found := sessions.Find()
	if !asJSON {
		info.WriteSessions(a.out, found)
	} else if err := a.printSummaries(summaries, in.Single); err != nil {
		return err
	}
	return resultOf(ctx, len(summaries), failed)
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
	return nil // it failed
}

func summarise(ctx context.Context, t *inputs.Trace, files *catalog.Files, indexFile, tempDir string, bar *progress.Display) (*index.Summary, error) {
	if err := t.Open(); err != nil {
		return nil, err
	}
	p := bar.Next(t.Name(), t.Taken)
	defer bar.Finish(p, false)
	p.FileBytes.Store(t.Size)
	x, err := openIndex(ctx, t, indexFile, index.Options{
		Workers: runtime.GOMAXPROCS(0), Schemas: files, TempDir: tempDir, Without: index.AllFacts, Judge: t.Size > index.SmallTrace,
		Progress: func(bytes, events int64) {
			p.IndexedBytes.Add(bytes)
			p.Events.Add(events)
		},
	})
	if err != nil {
		return nil, err
	}
	summary, err := x.Summary(ctx, t.Name(), runtime.GOMAXPROCS(0))
	return summary, errors.Join(err, x.Close())
}

// openIndex makes the index pass, or takes the index from a file.
func openIndex(ctx context.Context, t *inputs.Trace, path string, o index.Options) (*index.Index, error) {
	if path != "" {
		return pipeline.ReadIndex(t.Input(), path, o)
	}
	f, err := decode.NewFile(t.Contents, t.Size)
	if err != nil {
		return nil, err
	}
	return index.Build(ctx, f, o)
}
