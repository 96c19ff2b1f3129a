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
	workers    []string
	rounds     int
	profiles   string // folder for the profiles; "" keeps none
	against    string
	python     string
}

func (a *app) benchCommand() *cobra.Command {
	f := new(benchFlags)
	cmd := &cobra.Command{
		Use:   "bench INPUT...",
		Short: "Measure what conversions of a trace cost, and which stages of them",
		Long: `Converts a trace on this machine, with each number of workers in turn, in several
rounds. Prints events and bytes per second, by elapsed time and by processor time
(per core), and each stage's share of the processor time: the index pass (read,
hash, walk from event to event), attribution, decoding to columns, encoding. Each
stage also has a rate: the events and bytes that one core would process in it.

The stages come from Go's profiler, which samples the conversions a hundred times a
second: small traces are converted several times in each round. --profiles keeps the
profiles, for "go tool pprof".

Datasets are written below --temp-dir and removed. Measure on a machine that does
nothing else.

--against runs another program over the same trace: the Python package etl-parser or
dissect.etl, once for headers only and once for payloads too.`,
		Example: `  etl2parquet bench trace.etl
  etl2parquet bench trace.etl --json > this-machine.json
  etl2parquet bench trace.etl --workers 1,2,4,8 --rounds 3
  etl2parquet bench trace.etl --against etl-parser`,
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.bench(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.asJSON, "json", false, "print JSON, with the spread of all rounds")
	flags.StringSliceVar(&f.workers, "workers", defaultWorkers(runtime.GOMAXPROCS(0)), "numbers of workers to measure: `LIST`")
	flags.IntVar(&f.rounds, "rounds", 5, "rounds to measure, after one to warm up")
	f.resources.addMemory(flags)
	flags.StringVar(&f.profiles, "profiles", "", "keep the profile of each round in this `folder`")
	flags.StringVar(&f.against, "against", "", "compare with this `program`, if it is installed: etl-parser or dissect")
	flags.StringVar(&f.python, "python", "python3", "the Python `program` that has it")
	f.schemas.add(flags)
	f.source.add(cmd)
	return cmd
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
