package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Traces are several open traces, read together: rows begin with the column trace and are in time
// order. They are safe for use from many goroutines.
type Traces struct {
	list    []*Trace
	failed  []facts.InputError
	inputs  []*inputs.Trace
	options Options
	sources Sources
	one     bool // the inputs are one file, with one trace
}

// Sources are where traces were found.
type Sources struct {
	Paths   []string // as the user named them; nil if the traces were not opened by OpenAll
	Files   *inputs.List
	Archive archive.Options
	Servers *inputs.Servers // as Paths
}

// Sources returns where the traces were found.
func (t *Traces) Sources() Sources { return t.sources }

// Options returns the options that the traces were opened with, with their defaults.
func (t *Traces) Options() Options { return t.options }

// Open opens the traces in files that were found. It sets the functions of the reader and its progress.
// Traces of one recording name each other's processes, images and files, and all traces describe each
// other's events. Inputs that cannot be read are left out, perhaps all: see [Traces.Failed]. All traces
// stay open until Close, but of many files only some at a time, as the reader says.
func Open(ctx context.Context, found *inputs.List, reader *inputs.Reader, o Options) (*Traces, error) {
	o.complete()
	o.From = found.From()
	if reader.Inner == "" { // else it is read alone, as when its split was made
		o.Inputs = inputs.Descriptions(ctx, reader.Options, found.Files, o.Workers, func(*inputs.Trace) bool { return false })
	}
	among := siblings.Files(found.LocalPaths(), found.From())
	t := &Traces{options: o, sources: Sources{Files: found, Archive: reader.Options}}
	fail := func(name string, err error) { t.failed = append(t.failed, facts.InputError{Input: name, Err: err}) }
	reader.Progress = inputs.NewProgress(len(found.Files), found.Size())
	reader.Options.Held = true
	reader.Fail = func(_ *inputs.File, name string, err error) { fail(name, err) }
	reader.Visit = func(in *inputs.Trace) error {
		if err := t.add(ctx, in, among); err != nil {
			fail(in.Name(), errors.Join(inputs.WithoutPath(in.File.Path, err), in.Close()))
		}
		return ctx.Err()
	}
	if err := reader.Each(ctx, found.Files); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	t.one = found.Single && len(t.list) == 1 && len(t.failed) == 0
	t.name()
	return t, nil
}

// openFiles bounds the files of traces that stay open while none reads them.
const openFiles = 256

// OpenAll finds the traces at paths and URLs, and opens them; see [Open]. If no input can be read, it returns the
// joined errors of all.
func OpenAll(ctx context.Context, paths []string, o Options) (*Traces, error) {
	servers := inputs.NewServers(inputs.ServerOptions{TempDir: o.TempDir})
	urls, err := servers.Find(ctx, paths)
	if err != nil {
		return nil, err
	}
	var absent []facts.InputError
	found := inputs.Find(paths, nil, urls, func(name string, err error) {
		absent = append(absent, facts.InputError{Input: name, Err: err})
	})
	reader := &inputs.Reader{Options: archive.Options{TempDir: o.TempDir, Space: archive.NewSpace(archive.DefaultSpool)}, Most: openFiles}
	t, err := Open(ctx, found, reader, o)
	if err != nil {
		return nil, err
	}
	t.sources.Paths, t.sources.Servers = paths, servers
	t.failed = append(absent, t.failed...)
	if len(t.list) == 0 {
		var errs []error
		for i := range t.failed {
			errs = append(errs, &t.failed[i])
		}
		return nil, cmp.Or(errors.Join(errs...), errors.New("the inputs have no trace"))
	}
	return t, nil
}

// add opens a trace.
func (t *Traces) add(ctx context.Context, in *inputs.Trace, among *siblings.Among) error {
	if err := in.Open(); err != nil {
		return err
	}
	o, input := t.options, in.Input()
	if in.IsWhole() {
		o.Siblings, input.Place = slices.Concat(o.Siblings, among.Siblings[in.File.Path]), among.Places[in.File.Path]
	}
	trace, err := openInput(ctx, input, o)
	if err != nil {
		return err
	}
	trace.named = in.Name()
	if in.IsWhole() && !in.File.IsPipe() {
		trace.path = in.File.Path
	}
	t.list, t.inputs = append(t.list, trace), append(t.inputs, in)
	return nil
}

// name gives the traces distinct names.
func (t *Traces) name() {
	var paths []string
	for _, in := range t.inputs {
		paths = append(paths, in.Path())
	}
	for i, name := range partname.OfTraces(paths) {
		t.list[i].source.Rename(name)
	}
}

// All returns the traces, in the order of the inputs. They are closed with t.
func (t *Traces) All() []*Trace { return t.list }

// One returns the trace if the inputs are one file, named by itself, that has one trace; else nil.
func (t *Traces) One() *Trace {
	if !t.one {
		return nil
	}
	return t.list[0]
}

// Failed returns the inputs, and the entries of archives, that cannot be read.
func (t *Traces) Failed() []facts.InputError { return t.failed }

// Close closes the traces. All readers must have been released.
func (t *Traces) Close() error {
	var errs []error
	for _, trace := range t.list {
		errs = append(errs, trace.Close())
	}
	for _, in := range t.inputs {
		errs = append(errs, in.Close())
	}
	return errors.Join(errs...)
}

// Table returns a table of the traces, by any of its names. Its columns are those that it has in any
// of them, each as wide as all need; see [schema.Table.Widen].
func (t *Traces) Table(name string) (pipeline.SourceTable, error) {
	table, _, err := t.tableOf(name)
	return table, err
}

// tableOf returns a table, and the traces that know it.
func (t *Traces) tableOf(name string) (wide pipeline.SourceTable, with []*Trace, err error) {
	var missing error
	for _, trace := range t.list {
		table, err := trace.Table(name)
		switch {
		case errors.Is(err, pipeline.ErrNoTable):
			missing = cmp.Or(missing, err)
			continue
		case err != nil:
			return pipeline.SourceTable{}, nil, err
		case wide.Table == nil:
			wide.Table = table.Table
		case table.Name != wide.Name && table.Event != wide.Event:
			return pipeline.SourceTable{}, nil, fmt.Errorf("%w: %q means several: %s, %s; name one of them", pipeline.ErrNoTable, name, wide.Name, table.Name)
		default:
			wide.Table = wide.Widen(table.Table)
		}
		if with = append(with, trace); table.Rows < 0 || wide.Rows < 0 {
			wide.Rows = -1
		} else {
			wide.Rows += table.Rows
		}
	}
	if wide.Table == nil {
		return pipeline.SourceTable{}, nil, missing
	}
	return wide, with, nil
}

// errSplit is the error of reading a split of several traces.
var errSplit = errors.New("a split belongs to one trace")

// Scan reads rows of a table of all traces, with the name of the trace as the first column. Rows of
// events are in time order, those with the same time in the order of the traces; rows of other tables
// come trace by trace. The columns are those of [Traces.Table], or those of Scan.As, NULL in rows of
// traces that lack them. The reader must be released. The error of one trace, a [facts.InputError], does
// not end the others: the reader returns those of all such traces, joined, after the rows.
func (t *Traces) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	if s.Split != "" {
		return nil, errSplit
	}
	return t.scan(ctx, s)
}

func (t *Traces) scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	m, err := t.newMerge(s, nil)
	if err != nil {
		return nil, err
	}
	return newRecordReader(ctx, m.table, m.workers, t.options.Allocator, func(ctx context.Context, sink pipeline.Sink) error {
		return errors.Join(m.run(ctx, sink, false), errors.Join(m.failed...))
	}), nil
}

// wideTable returns the table that the rows of a scan are of, without the column trace, and the traces
// that know it.
func (t *Traces) wideTable(s *Scan) (*schema.Table, []*Trace, error) {
	if s.As == nil {
		table, with, err := t.tableOf(s.Table)
		return table.Table, with, err
	}
	wide := *s.As
	if wide.Name = ""; s.Split == "" {
		table, _, err := t.tableOf(s.Table)
		if err != nil {
			return nil, nil, err
		}
		wide.Name = table.Name
	}
	wide.Columns = slices.DeleteFunc(slices.Clone(wide.Columns), isTraceColumn)
	return &wide, t.list, nil
}

func isTraceColumn(c schema.Column) bool { return c.Name == schema.TraceColumn.Name }
