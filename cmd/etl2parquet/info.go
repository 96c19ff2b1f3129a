package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/decode"
)

func (a *app) infoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info INPUT...",
		Short: "Tell what is in a trace",
		Long: `Tells what is in a trace: its session, system, clock and time, buffers, events
by header, provider and type, and what is lost or damaged. Payloads are not
decoded, which makes it fast.

An INPUT is a file, a folder (with all .etl files in it and below), or a
pattern. With --json, one file gives an object; several, a folder or a pattern
give an array.`,
		Example: `  etl2parquet info boot.etl
  etl2parquet info boot.etl --json | jq .events_lost
  etl2parquet info traces/ --json | jq -r '.[] | [.file, .events] | @tsv'`,
		Args:              someInputs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.info(cmd.Context(), args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with all there is")
	return cmd
}

func (a *app) info(ctx context.Context, args []string, asJSON bool) error {
	in := findInputs(args, func(name string, err error) { a.complain("%s: %v", name, err) })
	bar := newProgress(a.err, len(in.files), in.size())
	bar.indexes = true
	bar.start()
	summaries := []*convert.Summary{}
	failed := in.failed
	for i := range in.files {
		s, err := summarise(ctx, &in.files[i], bar.next(in.files[i].size))
		bar.finish(false)
		if ctx.Err() != nil {
			break
		}
		bar.aside(func() {
			if err != nil {
				failed++
				a.complain("%s: %s", in.files[i].name, printable(inputError(in.files[i].path, err)))
				return
			}
			summaries = append(summaries, s)
			if !asJSON {
				if len(summaries) > 1 {
					fmt.Fprintln(a.out)
				}
				printSummary(a.out, s)
			}
		})
	}
	bar.done()
	if asJSON && ctx.Err() == nil {
		if err := a.printSummaries(summaries, in.single); err != nil {
			return err
		}
	}
	return resultOf(ctx, len(summaries), failed)
}

// printSummaries prints the object of a single trace, or the array of several.
func (a *app) printSummaries(summaries []*convert.Summary, single bool) error {
	switch {
	case !single:
		return printJSON(a.out, summaries)
	case len(summaries) == 1:
		return printJSON(a.out, summaries[0])
	}
	return nil // it failed
}

func summarise(ctx context.Context, in *input, p *convert.Progress) (*convert.Summary, error) {
	file, err := os.Open(in.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	f, err := decode.NewFile(file, in.size)
	if err != nil {
		return nil, err
	}
	p.FileBytes.Store(f.Size())
	x, err := convert.BuildIndex(ctx, f, runtime.GOMAXPROCS(0), func(bytes, events int64) {
		p.IndexedBytes.Add(bytes)
		p.Events.Add(events)
	})
	if err != nil {
		return nil, err
	}
	return x.Summary(in.name), nil
}
