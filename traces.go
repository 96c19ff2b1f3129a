package etl2parquet

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
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
}

// InputError is the error for an input that cannot be read.
type InputError struct {
	Input string // as it was named or found
	Err   error
}

func (e *InputError) Error() string { return e.Input + ": " + e.Err.Error() }

// Unwrap returns why the input cannot be read.
func (e *InputError) Unwrap() error { return e.Err }

// OpenAll opens the traces at paths: files, archives, folders with traces and archives, patterns,
// and URLs of web servers and buckets. Traces of one recording name each other's processes, images
// and files. All traces stay open, with their indexes in memory, until Close.
//
// Inputs that cannot be read are left out: see [Traces.Failed]. If no input can be read, OpenAll
// returns the joined errors of all.
func OpenAll(ctx context.Context, paths []string, o Options) (*Traces, error) {
	servers := inputs.NewServers(inputs.ServerOptions{TempDir: o.TempDir})
	urls, err := servers.Find(ctx, paths)
	if err != nil {
		return nil, err
	}
	o.complete()
	t := &Traces{options: o}
	fail := func(name string, err error) { t.failed = append(t.failed, InputError{name, err}) }
	found := inputs.Find(paths, nil, urls, fail)
	others := siblings.SessionFiles(found.LocalPaths())
	reader := &inputs.Reader{
		Options:  archive.Options{TempDir: o.TempDir, Space: archive.NewSpace(archive.DefaultSpool)},
		Progress: inputs.NewProgress(len(found.Files), found.Size()),
		Fail:     func(_ *inputs.File, name string, err error) { fail(name, err) },
		Visit: func(in *inputs.Trace) error {
			if err := t.add(ctx, in, others); err != nil {
				fail(in.Name(), errors.Join(inputs.WithoutPath(in.File.Path, err), in.Close()))
			}
			return ctx.Err()
		},
	}
	if err := reader.Each(ctx, found.Files); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if len(t.list) == 0 {
		var errs []error
		for i := range t.failed {
			errs = append(errs, &t.failed[i])
		}
		return nil, cmp.Or(errors.Join(errs...), errors.New("the inputs have no trace"))
	}
	t.name()
	return t, nil
}

// add opens a trace.
func (t *Traces) add(ctx context.Context, in *inputs.Trace, others map[string][]string) error {
	if err := in.Open(); err != nil {
		return err
	}
	o := t.options
	if in.IsWhole() {
		o.Siblings = slices.Concat(o.Siblings, others[in.File.Path])
	}
	trace, err := openInput(ctx, in.Input(), o)
	if err != nil {
		return err
	}
	if in.IsWhole() && !in.File.IsStdin() {
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
// tables come trace by trace. A column that a trace lacks is NULL in its rows. Columns of one name
// must have one type. It is an error if no trace has the table. Scan.Split must be "". The reader
// must be released.
func (t *Traces) Scan(ctx context.Context, s Scan) (array.RecordReader, error) {
	if s.Split != "" {
		return nil, errors.New("a split belongs to one trace")
	}
	if s.As != nil {
		return nil, errors.New("the rows of several traces have the columns of all")
	}
	m := &merger{memory: t.options.Allocator, left: math.MaxInt64}
	if s.Limit != 0 {
		m.left = max(s.Limit, 0)
	}
	m.users.Store(1)
	s.Workers = max(1, cmp.Or(s.Workers, t.options.Workers)/len(t.list))
	s.Memory = cmp.Or(s.Memory, t.options.Memory) / int64(len(t.list))
	table, with, err := t.tableOf(s.Table)
	if err != nil {
		return nil, err
	}
	if err := m.begin(table.Definition, s.Columns); err != nil {
		return nil, err
	}
	for _, trace := range with {
		if err := m.add(ctx, trace, s); err != nil {
			m.Release()
			return nil, err
		}
	}
	return m, nil
}

// traceField is the first column of the rows of several traces.
var traceField = arrow.Field{Name: schema.TraceColumn.Name, Type: arrow.BinaryTypes.String}

// begin makes the schema of rows of a table: the wanted columns, or all of them.
func (m *merger) begin(t *schema.Table, wanted []string) (err error) {
	m.table, m.columns = t, wanted
	if wanted != nil {
		if t, err = pipeline.Project(t, wanted); err != nil {
			return err
		}
	} else {
		for i := range t.Columns {
			m.columns = append(m.columns, t.Columns[i].Name)
		}
	}
	m.schema = arrow.NewSchema(append([]arrow.Field{traceField}, recordbatch.Schema(t).Fields()...), nil)
	if m.timeAt = slices.Index(m.columns, timeColumn); m.timeAt < 0 && m.table.Column(timeColumn) >= 0 {
		m.timeAt = len(m.columns)
		m.columns = append(slices.Clip(m.columns), timeColumn)
	}
	return nil
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
