package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/engine/splits"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/schema"
)

// catFlags are the flags of cat.
type catFlags struct {
	traceFlags
	table   string
	columns []string
	format  choice
	limit   int64
	split   string
	as      string          // path of an Arrow stream with the columns of the rows
	part    *splits.Split   // that split names; nil: all rows
	opening reading.Options // set by choose, as the next
	scan    etl2parquet.Scan
	logFlags
	followFlags
	otlp otlpFlags
}

func (a *app) catCommand() *cobra.Command {
	f := &catFlags{limit: -1, format: choice{formats.NDJSON.Name, formats.Names(formats.All())}}
	return newCommand("cat", &cobra.Command{
		Args:              f.checkArgs,
		ValidArgsFunction: completeTraces,
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := f.checkSplit(cmd, args)
			if err = cmp.Or(err, f.checkOTLP(cmd), f.withMessages(cmd)); err != nil {
				return err
			}
			if f.follow {
				return a.follow(cmd, f, args)
			}
			return a.cat(cmd.Context(), f, args)
		},
	}, []option{
		{flag: "table", value: &f.table, complete: completeTables, usage: "print this `table`; without it, all events"},
		{flag: "columns", value: (*commaList)(&f.columns), complete: completeColumns, usage: "print these columns, in this order: `a,b,c`"},
		{flag: "format", value: &f.format, usage: "`format` of the rows: " + f.format.listed()},
		{flag: "limit", value: &f.limit, within: atLeast(0), shown: "0", usage: "stop after this `number` of rows"}, // the help omits a default of 0
		{flag: "as", value: &f.as, complete: completeFiles, usage: "print rows with the columns of this Arrow stream, a `file` that cat has written, of which only the schema is read"},
		{flag: "split", value: &f.split, usage: "print the part of a table with this `token` of \"etl2parquet splits\""},
	}, f.logFlags.flags(), f.otlp.flags(), f.followFlags.flags(), indexOption(&f.index), f.selection.flags(), f.content.flags(), f.redact.flags(), f.schemas.flags(), f.symbols.flags(),
		strictOption(&f.strict, "treat damage in a trace, or a selection that matches nothing, as an error"), f.resources.flags(), f.source.flags())
}

// cat prints the rows of traces.
func (a *app) cat(ctx context.Context, f *catFlags, args []string) error {
	if _, err := a.formatOf(f.format.value, true, "write it into a file with > FILE"); err != nil {
		return err
	}
	defer relaxGC()()
	r, err := a.open(ctx, &f.traceFlags, args)
	if err != nil {
		return err
	}
	defer r.close()
	if err := f.choose(r); err != nil {
		return err
	}
	traces, err := r.openPart(f)
	if err != nil {
		return err
	}
	if len(traces.All()) > 0 {
		err = r.catTraces(f, (*etl2parquet.Traces)(traces))
	}
	err = r.Close(r.ctx, traces, r.ofInputs(err))
	switch {
	case isClosedPipe(r.out.err) && r.Failed > 0:
		return answers.ErrSomeFailed
	case r.out.err != nil:
		return r.out.err
	case r.sent != nil && r.sent.result != nil:
		return r.sent.result
	}
	return cmp.Or(err, r.Result())
}

// withTraces opens traces together and calls do with them, unless all failed. The errors of single traces
// are reported and counted.
func (a *app) withTraces(ctx context.Context, f *traceFlags, args []string, do func(r *job, traces *etl2parquet.Traces) error) error {
	r, err := a.open(ctx, f, args)
	if err != nil {
		return err
	}
	defer r.close()
	err = r.Together(r.ctx, func(traces *reading.Traces) error { return r.ofInputs(do(r, (*etl2parquet.Traces)(traces))) })
	return cmp.Or(r.out.err, err, r.Result())
}

// ofInputs returns the error of reading inputs: nil if the output cannot be written, which is no fault of theirs.
func (r *job) ofInputs(err error) error {
	if r.out.err != nil {
		return nil
	}
	return err
}

// openPart opens the traces of cat, or that of its split.
func (r *job) openPart(f *catFlags) (*reading.Traces, error) {
	inner := ""
	if f.part != nil {
		if len(r.Files.Files) > 1 {
			return nil, usagef("--split is a part of one trace, and there are %d files", len(r.Files.Files))
		}
		inner = f.part.Inner
	}
	traces, err := r.Open(r.ctx, f.opening, inner)
	if err == nil && inner != "" && len(traces.All())+r.Failed == 0 {
		err = errors.Join(fmt.Errorf("the archive does not have the split's trace, %s", inner), traces.Close())
	}
	return traces, err
}

// choose chooses the rows and columns to print.
func (f *catFlags) choose(r *job) (err error) {
	f.opening, f.scan = r.Reading(), r.scan()
	f.scan.Columns, f.scan.Limit = f.columns, f.most()
	if f.scan.As, err = f.rowsAs(r.Files, r.app.in); err != nil {
		return err
	}
	format, err := formats.Find(f.format.value)
	if err != nil {
		return err
	}
	needed := f.columns
	if f.columns == nil && f.as == "" && f.table == "" && (f.part == nil || f.part.Brief) {
		if needed, err = format.Columns(schema.EventsTable()); err != nil {
			return err
		}
		if needed == nil { // the format has no columns of its own
			needed = formats.EventColumns
			f.scan.Columns = needed
		}
	}
	if f.part != nil {
		f.scan.Split, f.opening.Messages = f.split, f.part.Messages
		return nil
	}
	f.scan.Table = f.table
	// With the columns: that of the stack would cost the facts about code.
	only := reading.Scan{Table: f.table, Columns: needed, Selection: r.Options.Selection}
	if len(f.columns) == 1 && f.columns[0] == schema.TraceColumn.Name {
		only.Columns = nil // the rows are counted by another column
	}
	f.opening.Once, f.opening.Selection = true, only.TableSelection()
	return nil
}

// most returns the limit on rows as an option: --limit 0 means no rows.
func (f *catFlags) most() int64 {
	if f.limit == 0 {
		return -1
	}
	return max(f.limit, 0)
}

// catTraces prints the rows of the traces: of one without the column trace.
func (r *job) catTraces(f *catFlags, traces *etl2parquet.Traces) error {
	var mismatches []string
	s := f.scan
	s.OnMismatch = func(m facts.Mismatch) { mismatches = append(mismatches, m.Message) }
	write := traces.Write
	if one := traces.One(); one != nil {
		write = one.Write
	} else if s.Split != "" {
		write = traces.All()[0].Write
	}
	out, end := forFormat(r.out, f.format.value)
	if r.sent = r.sender(f); r.sent != nil {
		out = r.sent
	}
	rows, err := write(r.ctx, out, s, etl2parquet.WriteOptions{
		Format: etl2parquet.Format(f.format.value), Width: terminalWidth(r.out), Keep: f.grep.Regexp, Zone: f.zone(),
	})
	err = errors.Join(err, end())
	if r.sent != nil {
		r.sent.end(r, err)
	}
	if err != nil {
		return err
	}
	switch {
	case len(mismatches) > 0:
		r.warn("%s", printable(strings.Join(mismatches, "; ")))
	case rows == 0 && f.limit != 0 && f.part == nil && f.logFlags.grep.Regexp == nil: // a split may well have no rows
		if err := r.warnEmpty(traces, f.table); err != nil {
			return err
		}
	}
	var found problemLog
	for _, trace := range traces.All() {
		found.add(trace.Input(), trace.Problems())
	}
	const where = "cat --table problems"
	r.warnAll(found.lines(where, func(string) string { return "see " + where }))
	return nil
}

// warnEmpty explains an empty output if all names of the selection are right.
func (r *job) warnEmpty(traces *etl2parquet.Traces, name string) error {
	table, err := traces.Table(name)
	if err != nil {
		return err
	}
	with := ""
	if options := r.Options.Selection.Options(); len(options) > 0 {
		with = " with " + strings.Join(options, " and ")
	}
	r.warn("the table %s has no rows%s", table.Name, with)
	return nil
}

// rowsAs returns the table of --as, or nil.
func (f *catFlags) rowsAs(in *inputs.List, stdin io.Reader) (*schema.Table, error) {
	if f.as == "" {
		return nil, nil
	}
	from := stdin
	if f.as == inputs.Stdin {
		for _, file := range in.Files {
			if file.IsStdin() {
				return nil, usagef("standard input cannot be both a trace (-) and columns (--as -)")
			}
		}
	} else {
		file, err := os.Open(f.as)
		if err != nil {
			return nil, usageError{fileError("as", f.as, err)}
		}
		defer file.Close()
		from = file
	}
	reader, err := ipc.NewReader(from)
	if err != nil {
		return nil, usageError{fileError("as", f.as, errors.New("it is no Arrow stream, such as cat --format arrow writes"))}
	}
	defer reader.Release()
	table, err := etl2parquet.TableOf(reader.Schema())
	if err != nil {
		return nil, usageError{fileError("as", f.as, err)}
	}
	return table, nil
}

// flagsOfSplits are the flags whose values are part of a split.
var flagsOfSplits = []string{"table", "from", "to", "event", "provider", "process", "level", "keyword", "payload", "messages"}

func (f *catFlags) checkArgs(cmd *cobra.Command, args []string) error {
	if err := f.checkState(); err != nil {
		return err
	}
	if f.split != "" && len(args) == 0 {
		return nil // the split names it
	}
	return f.source.checkArgs(cmd, args)
}

// checkSplit parses --split, if it is given, and returns the inputs: by default the one that the split
// names.
func (f *catFlags) checkSplit(cmd *cobra.Command, args []string) ([]string, error) {
	if f.split == "" {
		return args, nil
	}
	for _, name := range flagsOfSplits {
		if cmd.Flags().Changed(name) {
			return nil, usagef("--split cannot be combined with --%s: a split has the table and the selection that it was made with", name)
		}
	}
	var err error
	if f.part, err = splits.Parse(f.split); err != nil {
		return nil, usagef("--split: %w", err)
	}
	if len(args) == 0 {
		args = []string{f.part.Path}
	}
	return args, nil
}

// flagsOfWholeTraces are the flags that cat cannot obey for a trace that grows.
var flagsOfWholeTraces = []string{"split", "as", "index", "strict", "files-from", "redact"}

// followFlags say whether traces grow, and how far they were printed.
type followFlags struct {
	follow bool
	state  string // path of the file that says so
}

func (f *followFlags) flags() []option {
	return []option{
		{flag: "follow", value: &f.follow, usage: "print events as the traces grow, until interrupted"},
		{flag: "state", value: &f.state, complete: completeFiles, usage: "with --follow: go on where the last run ended, as this `file` says"},
	}
}

// follow prints the events of traces that grow.
func (a *app) follow(cmd *cobra.Command, f *catFlags, args []string) error {
	for _, name := range flagsOfWholeTraces {
		if cmd.Flags().Changed(name) {
			return usagef("--follow cannot be combined with --%s", name)
		}
	}
	if f.table != "" && f.table != schema.EventsName {
		return usagef("--follow prints events: --table %s is of whole traces; select with --event", f.table)
	}
	format, err := a.formatOf(f.format.value, true, "write it into a file with > FILE")
	if err != nil {
		return err
	}
	r, err := a.begin(cmd.Context(), &f.traceFlags)
	if err != nil {
		return err
	}
	defer r.close()
	scan := reading.Scan{Table: f.table, Columns: f.columns, Selection: r.Options.Selection, Payload: r.Options.Payload, Limit: f.most()}
	shown, err := format.Columns(schema.EventsTable())
	if err != nil {
		return err
	}
	if shown == nil && f.columns == nil && f.table == "" {
		scan.Columns = formats.EventColumns
	}
	out, end := forFormat(r.out, f.format.value)
	if r.sent = r.sender(f); r.sent != nil {
		out = r.sent
	}
	_, err = reading.Follow(r.ctx, args, out, scan, reading.FollowOptions{
		Trace: r.Reading(), Write: reading.WriteOptions{Format: format.Name, Options: formats.Options{Keep: f.grep.Regexp, Zone: f.zone()}},
		State: f.state, OnMessage: func(text string) { r.warn("%s", printable(text)) },
	})
	if errors.Is(err, reading.ErrNotFollowed) {
		err = usageError{fmt.Errorf("--follow: %w", err)}
	}
	if r.sent != nil {
		r.endSent(err)
		err = cmp.Or(err, r.sent.result)
	}
	return errors.Join(err, end())
}

// endSent reports what became of the records. An interrupt is the usual end of following.
func (r *job) endSent(err error) {
	if errors.Is(err, context.Canceled) && r.sent.failed == nil {
		err = nil
	}
	r.sent.end(r, err)
}

// checkState checks the flag --state.
func (f *catFlags) checkState() error {
	if f.state == "" {
		return nil
	}
	if !f.follow {
		return usagef("--state needs --follow")
	}
	if info, err := os.Stat(filepath.Dir(f.state)); err != nil || !info.IsDir() {
		return usagef("--state %s: there is no folder %s", f.state, filepath.Dir(f.state))
	}
	return nil
}
