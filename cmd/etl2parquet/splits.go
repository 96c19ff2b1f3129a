package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// splitsFlags are the flags of splits.
type splitsFlags struct {
	table     string
	max       int
	asJSON    bool
	index     string
	selection selectionFlags
	content   contentFlags
	schemas   schemaFlags
	source    sourceFlags
}

// defaultSplits does not depend on the machine, so that the splits do not either.
const defaultSplits = 16

func (a *app) splitsCommand() *cobra.Command {
	f := &splitsFlags{content: newContentFlags()}
	cmd := &cobra.Command{
		Use:   "splits INPUT...",
		Short: "Divide a table of traces into parts for parallel readers",
		Long: `Divides the rows of a table into parts and prints a token for each, one a line.
"etl2parquet cat --split TOKEN" prints the rows of a part, in any order and on any
machine that has the trace. All parts together, one after another, are what "cat"
prints with the same flags.

A part is a range of time. Tables that hold no events, such as processes and stacks,
have one part in each trace. The parts depend on the trace and the selection, not on
the machine. A token holds the path of its trace, and is refused if the trace has
changed.

With --json each line is an object: token, input, table, rows (null if unknown), and
from and to, between which its rows are (null if there are none).`,
		Example: `  etl2parquet splits boot.etl --table Thread/CSwitch --max 4 | xargs -P 4 -n 1 etl2parquet cat --split > rows.ndjson
  etl2parquet splits boot.etl --index boot.index | xargs -n 1 etl2parquet cat --index boot.index --split
  etl2parquet splits traces/ --provider DNS --json | jq -r '[.input, .from, .to] | @tsv'`,
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.splits(cmd.Context(), f, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.table, "table", "", "divide this `table`; without it, the table of all events")
	flags.IntVar(&f.max, "max", defaultSplits, "the largest `number` of parts of each trace")
	flags.BoolVar(&f.asJSON, "json", false, "print an object for each part")
	flags.StringVar(&f.index, "index", "", "write what was learned of the traces to this `file`, for --index of cat, so that it need not read all of them again")
	f.selection.add(flags)
	f.content.add(flags)
	f.schemas.add(flags)
	f.source.add(cmd)
	f.complete(cmd)
	return cmd
}

// complete completes the flags.
func (f *splitsFlags) complete(cmd *cobra.Command) {
	complete(cmd, map[string]cobra.CompletionFunc{"payload": f.content.payload.complete, "messages": f.content.messages.complete, "table": completeTables},
		"max", "from", "to", "event", "provider", "process")
}

// splits prints the splits of traces, and writes their indexes.
func (a *app) splits(ctx context.Context, f *splitsFlags, args []string) error {
	index, err := newIndexWriter(f.index)
	if err != nil {
		return err
	}
	err = a.printSplits(ctx, f, args, index)
	return errors.Join(err, index.end(err == nil || errors.Is(err, errSomeFailed)))
}

func (a *app) printSplits(ctx context.Context, f *splitsFlags, args []string, index *indexWriter) error {
	if f.max < 1 {
		return usagef("--max %d: it must be 1 or more", f.max)
	}
	selection, err := f.selection.parse()
	if err != nil {
		return err
	}
	o := &pipeline.Options{Workers: runtime.GOMAXPROCS(0), Memory: pipeline.DefaultMemory, Selection: selection, TempDir: f.source.tempDir}
	f.content.set(o)
	if o.Schemas, err = f.schemas.open(); err != nil {
		return err
	}
	defer f.schemas.complain(a, o.Schemas)
	options, servers, err := f.source.options(a.patience)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failed := 0
	fail := func(name string, err error) { failed++; a.failInput(name, err) }
	in, err := f.source.find(ctx, args, a.in, servers, fail)
	if err != nil {
		return err
	}
	p := &splitPrinter{app: a, flags: f, options: o, index: index}
	s := &inputs.Reader{Options: options, Stdin: a.in, Progress: inputs.NewProgress(len(in.Files), in.Size())}
	s.Fail = func(_ *inputs.File, name string, err error) { fail(name, err) }
	s.Visit = func(t *inputs.Trace) error {
		err := errors.Join(p.trace(ctx, t), t.Close())
		if err != nil && ctx.Err() == nil && a.out.err == nil { // else that is what is told
			s.Fail(t.File, t.Name(), inputs.WithoutPath(t.File.Path, err))
		}
		if a.out.err != nil {
			stop() // the output cannot be written; the other traces need not be read
		}
		return ctx.Err()
	}
	interrupted := s.Each(ctx, in.Files)
	switch {
	case a.out.err != nil:
		return a.out.err
	case interrupted != nil:
		return interrupted
	}
	p.reportWithout(fail)
	return resultOf(ctx, p.done, failed)
}

// splitPrinter prints the splits of one trace after another.
type splitPrinter struct {
	*app
	flags   *splitsFlags
	options *pipeline.Options
	index   *indexWriter
	done    int            // traces with splits
	without []withoutTable // traces
}

// withoutTable is a trace that has no such table.
type withoutTable struct {
	name string
	err  error
}

// trace prints the splits of a trace.
func (p *splitPrinter) trace(ctx context.Context, t *inputs.Trace) error {
	if err := t.Open(); err != nil {
		return err
	}
	source, err := pipeline.OpenSource(ctx, t.Input(), p.options)
	if err != nil {
		return err
	}
	list, err := p.plan(source)
	if err == nil || errors.Is(err, pipeline.ErrNoTable) {
		err = errors.Join(err, p.index.add(source))
	}
	err = errors.Join(err, source.Close())
	if errors.Is(err, pipeline.ErrNoTable) {
		p.without = append(p.without, withoutTable{t.Name(), err})
		return nil
	}
	if err != nil {
		return err
	}
	p.done++
	for i := range list {
		if err := p.print(&list[i], t); err != nil {
			return err
		}
	}
	return nil
}

func (p *splitPrinter) plan(source *pipeline.Source) ([]pipeline.PlannedSplit, error) {
	table, err := source.Table(p.flags.table)
	if err != nil {
		return nil, err
	}
	return source.Splits(table, p.options, p.flags.max)
}

// splitLine is the object of a split.
type splitLine struct {
	Token string  `json:"token"`
	Input string  `json:"input"`
	Table string  `json:"table"`
	Rows  *int64  `json:"rows"`
	From  *string `json:"from"`
	To    *string `json:"to"`
}

func (p *splitPrinter) print(s *pipeline.PlannedSplit, t *inputs.Trace) error {
	s.Path, s.Inner = t.File.Path, t.Inner
	if t.File.IsStdin() {
		s.Path = inputs.Stdin
	}
	if !p.flags.asJSON {
		_, err := fmt.Fprintln(p.out, s.Token())
		return err
	}
	line := splitLine{Token: s.Token(), Input: t.Name(), Table: s.Table, From: timeText(s.First), To: timeText(s.Last)}
	if s.Rows >= 0 {
		line.Rows = &s.Rows
	}
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}

// timeText returns a time for JSON; there is none for the zero time.
func timeText(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := index.Instant(t.UnixNano()).String()
	return &text
}

// reportWithout reports the traces without the table: as failures, unless another trace has it.
func (p *splitPrinter) reportWithout(fail func(name string, err error)) {
	for _, w := range p.without {
		if p.done == 0 {
			fail(w.name, w.err)
		} else {
			p.complain("%s: no splits: %s", printable(w.name), printable(w.err.Error()))
		}
	}
}
