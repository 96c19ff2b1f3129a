package etl2parquet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats"
	"github.com/etl2parquet/etl2parquet/internal/formats/logs"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Traces are several open traces, read together: rows begin with the column trace and are in time
// order. They are safe for use from many goroutines.
type Traces struct {
	list    []*Trace
	failed  []InputError
	inputs  []*inputs.Trace
	options Options
	one     bool // the inputs are one file, with one trace
}

// InputError is the error for an input that cannot be read.
type InputError struct {
	Input string // as it was named or found
	Err   error
}

func (e *InputError) Error() string { return e.Input + ": " + e.Err.Error() }

// Unwrap returns why the input cannot be read.
func (e *InputError) Unwrap() error { return e.Err }

// openFiles bounds the files of traces that stay open while none reads them.
const openFiles = 256

// OpenAll opens the traces at paths: files, archives, folders with traces and archives, patterns,
// and URLs of web servers and buckets. Traces of one recording name each other's processes, images
// and files; all traces describe each other's events, where nothing else does. All traces stay open, with their indexes in memory, until Close. Of many files only some
// are open at a time; one that has changed when it is opened again is an error.
//
// Inputs that cannot be read are left out: see [Traces.Failed]. If no input can be read, OpenAll
// returns the joined errors of all.
func OpenAll(ctx context.Context, paths []string, o Options) (*Traces, error) {
	servers := inputs.NewServers(inputs.ServerOptions{TempDir: o.TempDir})
	urls, err := servers.Find(ctx, paths)
	if err != nil {
		return nil, err
	}
	var absent []InputError
	found := inputs.Find(paths, nil, urls, func(name string, err error) { absent = append(absent, InputError{name, err}) })
	reader := &inputs.Reader{Options: archive.Options{TempDir: o.TempDir, Space: archive.NewSpace(archive.DefaultSpool)}, Most: openFiles}
	t, err := openFound(ctx, found, reader, o)
	if err != nil {
		return nil, err
	}
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

// openFound opens the traces in files that were found. It sets the reader's functions and its
// progress. There may be none that can be read.
func openFound(ctx context.Context, found *inputs.List, reader *inputs.Reader, o Options) (*Traces, error) {
	o.complete()
	o.from = found.From()
	if reader.Inner == "" { // else it is read alone, as when its split was made
		o.inputs = inputs.Descriptions(ctx, reader.Options, found.Files, o.Workers, func(*inputs.Trace) bool { return false })
	}
	among := siblings.Files(found.LocalPaths(), found.From())
	t := &Traces{options: o}
	fail := func(name string, err error) { t.failed = append(t.failed, InputError{name, err}) }
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

// One returns the trace if the inputs are one file, named by itself, that has one trace, alone or in
// an archive; otherwise nil, also if a folder or a pattern has one trace. [Trace.Write] writes its rows
// without the column trace.
func (t *Traces) One() *Trace {
	if !t.one {
		return nil
	}
	return t.list[0]
}

// Failed returns the inputs, and the entries of archives, that cannot be read.
func (t *Traces) Failed() []InputError { return t.failed }

// Close closes the traces. All readers must have been released.
func (t *Traces) Close() error {
	var errs []error
	for i := range t.list {
		errs = append(errs, t.list[i].Close(), t.inputs[i].Close())
	}
	return errors.Join(errs...)
}

// Events reads the events that a scan selects in all traces, in time order; events with the same
// time are in the order of the traces. See [Trace.Events].
func (t *Traces) Events(ctx context.Context, s Scan) iter.Seq2[*Event, error] {
	return eventsOf(func() (array.RecordReader, error) {
		if err := s.checkForEvents(); err != nil {
			return nil, err
		}
		s.Columns = eventColumns
		return t.Scan(ctx, s)
	}, "")
}

// Scan reads rows of a table of all traces, with the name of the trace as the first column. Rows of
// events are in time order, those with the same time in the order of the traces; rows of other
// tables come trace by trace. The columns are those of [Traces.Table], NULL in rows of traces that
// lack them, or those of Scan.As. Scan.Columns may name the column trace, which comes first
// nevertheless. It is an error if no trace has the table. Scan.Split must be "". OnMismatch reports
// what matches nothing in any of the traces, according to their indexes. The reader must be released.
//
// The error of one trace does not end the others: it is an [InputError], and the reader returns those
// of all such traces, joined, after the rows.
func (t *Traces) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	if s.Split != "" {
		return nil, errors.New("a split belongs to one trace")
	}
	return t.scan(ctx, s)
}

func (t *Traces) scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	m, err := t.newMerge(s, nil)
	if err != nil {
		return nil, err
	}
	return newReader(ctx, m.table, m.workers, t.options.Allocator, func(ctx context.Context, sink pipeline.Sink) error {
		return errors.Join(m.run(ctx, sink, false), errors.Join(m.failed...))
	}), nil
}

// Write writes the rows of [Traces.Scan] to w, and returns their number; see [Trace.Write]. If the only
// errors are those of single traces, the output is complete, without their other rows.
func (t *Traces) Write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	if s.Split != "" {
		return 0, errors.New("a split belongs to one trace")
	}
	return t.write(ctx, w, s, o)
}

func (t *Traces) write(ctx context.Context, w io.Writer, s Scan, o WriteOptions) (rows int64, err error) {
	format, limit, err := o.begin(&s)
	if err != nil {
		return 0, err
	}
	isChosen := s.Columns != nil
	if !isChosen {
		if s.Columns, err = t.columnsFor(format, &s); err != nil {
			return 0, err
		}
	}
	m, err := t.newMerge(s, format.Needs)
	if err != nil {
		return 0, err
	}
	shown := s.Columns
	if shown != nil && (isChosen || format.Name != formats.Text.Name) { // people read one log
		shown = slices.DeleteFunc(slices.Clone(shown), func(name string) bool { return name == schema.TraceColumn.Name })
		shown = append([]string{schema.TraceColumn.Name}, shown...)
	}
	var pass pipeline.Options
	format.Prepare(&pass)
	for _, of := range m.sources {
		of.plan.options.Form = pass.Form
	}
	sink, err := format.NewWriter(w, m.table, formats.Options{
		Columns: shown, Width: o.Width, Continues: o.continues, Allocator: new(formats.Pool), Zone: o.Zone, Keep: o.Keep, Limit: limit, ResourceOf: t.resourceOf(),
	})
	if err != nil {
		return 0, err
	}
	if err = m.run(ctx, sink, pass.Large); errors.Is(err, formats.ErrEnough) {
		err = nil
	}
	err = errors.Join(err, sink.Close(err))
	return sink.Rows(), errors.Join(append([]error{err}, m.failed...)...)
}

// columnsFor returns the columns that a format writes unless some are named.
func (t *Traces) columnsFor(f *formats.Format, s *Scan) ([]string, error) {
	wide, _, err := t.wideTable(s)
	if err != nil {
		return nil, err
	}
	return f.Columns(wide)
}

// resourceOf returns a function that describes what recorded a trace.
func (t *Traces) resourceOf() func(name string) logs.Resource {
	byName := make(map[string]logs.Resource)
	for _, trace := range t.list {
		byName[trace.Name()] = trace.resource()
	}
	return func(name string) logs.Resource { return byName[name] }
}

// Table returns a table of the traces, by any of its names. Its columns are those that it has in any
// of them, each as wide as all need; see [schema.Table.Widen].
func (t *Traces) Table(name string) (Table, error) {
	table, _, err := t.tableOf(name)
	return table, err
}

// tableOf returns a table, and the traces that know it.
func (t *Traces) tableOf(name string) (table Table, with []*Trace, err error) {
	var missing error
	var wide *schema.Table
	rows := int64(0)
	for _, trace := range t.list {
		own, err := trace.Table(name)
		switch {
		case errors.Is(err, ErrNoTable):
			missing = cmp.Or(missing, err)
			continue
		case err != nil:
			return Table{}, nil, err
		case wide == nil:
			wide = own.Definition
		case own.Definition.Name != wide.Name && own.Definition.Event != wide.Event:
			return Table{}, nil, fmt.Errorf("%w: %q means several: %s, %s; name one of them", ErrNoTable, name, wide.Name, own.Definition.Name)
		default:
			wide = wide.Widen(own.Definition)
		}
		if with = append(with, trace); own.Rows < 0 || rows < 0 {
			rows = -1
		} else {
			rows += own.Rows
		}
	}
	if wide == nil {
		return Table{}, nil, missing
	}
	return tableOf(wide, rows), with, nil
}
