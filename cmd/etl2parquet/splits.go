package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// splitsFlags are the flags of splits.
type splitsFlags struct {
	traceFlags
	table  string
	max    int
	asJSON bool
	output string // file for the indexes; "" writes none
}

// defaultSplits does not depend on the machine, so neither do the splits.
const defaultSplits = 16

func (a *app) splitsCommand() *cobra.Command {
	f := &splitsFlags{max: defaultSplits}
	return newCommand("splits", &cobra.Command{
		Args:              f.source.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.splits(cmd.Context(), f, args) },
	}, []option{
		{flag: "table", value: &f.table, complete: completeTables, usage: "divide this `table`; without it, the table of all events"},
		{flag: "max", value: &f.max, usage: "the maximum `number` of parts of each trace"},
	}, jsonOption(&f.asJSON, "print an object for each part"), []option{
		{flag: "index", value: &f.output, complete: completeFiles, usage: "write the indexes of the traces to this `file`, for --index of cat, which then need not read the whole traces"},
	}, f.selection.flags(), f.content.flags(), f.schemas.flags(), f.source.flags())
}

// splits prints the splits of traces, and writes their indexes.
func (a *app) splits(ctx context.Context, f *splitsFlags, args []string) error {
	index, err := newIndexWriter(f.output)
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
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	p := &splitPrinter{reading: r, flags: f, index: index}
	if err := r.each(p.trace); err != nil {
		return err
	}
	p.reportWithout()
	return r.result()
}

// splitPrinter prints the splits of one trace after another.
type splitPrinter struct {
	*reading
	flags   *splitsFlags
	index   *indexWriter
	without []withoutTable // traces
}

// withoutTable is a trace that has no such table.
type withoutTable struct {
	name string
	err  error
}

// trace prints the splits of a trace.
func (p *splitPrinter) trace(t *inputs.Trace) error {
	source, err := p.source(t)
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
	return source.Splits(table, &p.options, p.flags.max)
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

// timeText returns a time for JSON, or nil for the zero time.
func timeText(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := index.Instant(t.UnixNano()).String()
	return &text
}

// reportWithout reports the traces without the table: as failures, unless another trace has it.
func (p *splitPrinter) reportWithout() {
	p.done -= len(p.without)
	for _, w := range p.without {
		if p.done == 0 {
			p.fail(w.name, w.err)
		} else {
			p.warn("%s: no splits: %s", printable(w.name), printable(w.err.Error()))
		}
	}
}
