package main

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/doors/bench"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	traceFlags // the workers of its resources are the largest number of the list
	asJSON     bool
	workers    commaList
	rounds     int
	profiles   string // folder for the profiles; "" keeps none
	against    string
	python     string
}

func (a *app) benchCommand() *cobra.Command {
	f := &benchFlags{workers: defaultWorkers(runtime.GOMAXPROCS(0)), rounds: 5, python: "python3"}
	return newCommand("bench", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.bench(cmd.Context(), f, args) },
	}, jsonOption(&f.asJSON, "print JSON, with the spread of all rounds"), []option{
		{flag: "workers", value: &f.workers, usage: "numbers of workers to measure: `LIST`"},
		{flag: "rounds", value: &f.rounds, usage: "rounds to measure, after one to warm up"},
	}, f.resources.memoryFlags(), []option{
		{flag: "profiles", value: &f.profiles, complete: completeFolders, usage: "keep the profile of each round in this `folder`"},
		{flag: "against", value: &f.against, complete: completeWords(bench.Peers...), usage: "compare with this `program`, if it is installed: etl-parser or dissect"},
		{flag: "python", value: &f.python, complete: completeFiles, usage: "the Python `program` that has it"},
	}, f.schemas.flags(), f.source.flags())
}

// defaultWorkers returns powers of two below a number of processors, and the number.
func defaultWorkers(processors int) (list []string) {
	for n := 1; n < processors; n *= 2 {
		list = append(list, strconv.Itoa(n))
	}
	return append(list, strconv.Itoa(processors))
}

const maxRounds = 1000

func (f *benchFlags) options() (*bench.Options, error) {
	if f.against != "" && !slices.Contains(bench.Peers, f.against) {
		return nil, usagef("--against %s: there are %s", f.against, strings.Join(bench.Peers, " and "))
	}
	if f.rounds < 1 || f.rounds > maxRounds {
		return nil, usagef("--rounds %d: there must be 1 to %d", f.rounds, maxRounds)
	}
	o := &bench.Options{Program: toolVersion(), Rounds: f.rounds}
	for _, text := range f.workers {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, usagef("--workers %s: a list of numbers is wanted, as in 1,2,4", text)
		}
		if err := checkWorkers(n); err != nil {
			return nil, err
		}
		if !slices.Contains(o.Workers, n) {
			o.Workers = append(o.Workers, n)
		}
	}
	if len(o.Workers) == 0 {
		return nil, usagef("--workers: name at least one number")
	}
	if f.against != "" && !slices.Contains(o.Workers, 1) {
		o.Workers = append(o.Workers, 1) // for the comparison: a peer has one worker
	}
	slices.Sort(o.Workers)
	f.resources.workers = slices.Max(o.Workers)
	if f.profiles != "" {
		if err := os.MkdirAll(f.profiles, 0o777); err != nil {
			return nil, err
		}
	}
	o.Profiles = f.profiles
	return o, nil
}

// bench measures each input in turn.
func (a *app) bench(ctx context.Context, f *benchFlags, args []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	if f.against != "" {
		if o.Peer, err = bench.FindPeer(ctx, f.against, f.python); err != nil {
			return err
		}
	}
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	o.Convert.Options = r.options
	if terminalWidth(a.err) > 0 {
		o.Notice = func(text string) { a.warn("%s", printable(text)) }
	}
	report := bench.NewReport(o)
	if !f.asJSON {
		report.WriteMachine(a.out)
	}
	err = r.each(func(t *inputs.Trace) error {
		if err := t.Open(); err != nil {
			return err
		}
		measured, err := bench.Measure(r.ctx, t.Input(), o)
		if err != nil {
			return err
		}
		report.Traces = append(report.Traces, measured)
		if !f.asJSON {
			measured.Write(a.out, pageWidth(a.out))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if f.asJSON {
		if err := printJSON(a.out, report); err != nil {
			return err
		}
	}
	return r.result()
}
