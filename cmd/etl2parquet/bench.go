package main

import (
	"context"
	"runtime"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
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
	return r.Result()
}

// benchFlags are the flags of bench.
type benchFlags struct {
	traceFlags // the workers of its resources are the largest number of the list
	options    bench.Options
	workers    commaList
	part       texts.Size
}

// defaultWorkers returns powers of two below a number of processors, and the number.
func defaultWorkers(processors int) (list []string) {
	for n := 1; n < processors; n *= 2 {
		list = append(list, strconv.Itoa(n))
	}
	return append(list, strconv.Itoa(processors))
}

const maxRounds = 1000

// check checks the flags, and completes the options.
func (f *benchFlags) check() error {
	o := &f.options
	o.Part = int64(f.part)
	for _, text := range f.workers {
		n, err := strconv.Atoi(text)
		if err != nil {
			return usagef("--workers %s: a list of numbers is wanted, as in 1,2,4", text)
		}
		if err := checkWorkers(n); err != nil {
			return err
		}
		if !slices.Contains(o.Workers, n) {
			o.Workers = append(o.Workers, n)
		}
	}
	if len(o.Workers) == 0 {
		return usagef("--workers: name at least one number")
	}
	slices.Sort(o.Workers)
	f.resources.workers = slices.Max(o.Workers)
	return nil
}
