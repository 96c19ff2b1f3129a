package answers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/reading"
)

// The results of work over several inputs, whose errors have been reported.
var (
	ErrAllFailed  = errors.New("all inputs failed")
	ErrSomeFailed = errors.New("some inputs failed")
)

// ResultOf returns the error of work over several inputs: whether some or all failed.
func ResultOf(done, failed int) error {
	switch {
	case failed == 0:
		return nil
	case done == 0:
		return ErrAllFailed
	}
	return ErrSomeFailed
}

// Result returns the error of the inputs so far; see [ResultOf].
func (t *Traces) Result() error { return ResultOf(t.Done, t.Failed) }

// Fail counts and reports an input that cannot be read.
func (t *Traces) Fail(name string, err error) {
	t.Failed++
	if t.OnFail != nil {
		t.OnFail(name, err)
	}
}

// Find finds the inputs that arguments and a list name. It counts and reports those that do not exist.
func (t *Traces) Find(ctx context.Context, args, list []string) error {
	urls, err := t.Servers.Find(ctx, slices.Concat(args, list))
	if err != nil {
		return err
	}
	t.Files = inputs.FindIn(t.From, args, list, urls, t.Fail)
	if t.OnFound != nil {
		t.OnFound()
	}
	return nil
}

// Dataset returns the only input if it is a dataset, else nil. It counts its traces, and reports as inputs that failed
// the commit records that cannot be read.
func (t *Traces) Dataset(ctx context.Context, list []string) (*bundle.Dataset, error) {
	if len(list) != 1 {
		return nil, nil
	}
	name, err := inputs.LocalPath(list[0])
	if err != nil {
		return nil, nil // finding the inputs reports it
	}
	if !inputs.IsBucketURL(name) {
		if info, err := t.From.Stat(name); err != nil || !info.IsDir() {
			return nil, nil
		}
		if err := t.From.CheckLinks(name); err != nil {
			return nil, err
		}
	}
	s, err := t.Servers.Store(name)
	if err != nil {
		return nil, &StoreError{err}
	}
	d := bundle.NewDataset(s)
	if found, err := d.HasRecords(ctx); err != nil || !found {
		return nil, err
	}
	summary, err := d.Summary(ctx)
	if err != nil {
		return nil, err
	}
	t.Done += summary.Traces
	for _, record := range summary.Damaged {
		t.Fail(name, fmt.Errorf("%s cannot be read: the answer may lack its traces; see etl2parquet check", record))
	}
	return d, nil
}

// StoreError is the error for a name that no store of datasets can have.
type StoreError struct{ Err error }

func (e *StoreError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *StoreError) Unwrap() error { return e.Err }

// EndFileError is an error of one trace that concerns its whole file: the other traces in it are left out.
type EndFileError struct{ Err error }

func (e *EndFileError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *EndFileError) Unwrap() error { return e.Err }

// newReader returns a reader of the files.
func (t *Traces) newReader() *inputs.Reader {
	return &inputs.Reader{Options: t.Archive, Stdin: t.Stdin}
}

// Each visits the traces, one after another, and closes each. If visit fails, Each counts and reports
// the trace and goes on with the next one; see [EndFileError]. The progress may be nil. The error is that of the
// context.
func (t *Traces) Each(ctx context.Context, p *inputs.Progress, visit func(t *inputs.Trace) error) error {
	reader := t.newReader()
	if reader.Progress = p; p == nil {
		reader.Progress = inputs.NewProgress(len(t.Files.Files), t.Files.Size())
	}
	reader.Fail = func(_ *inputs.File, name string, err error) { t.Fail(name, err) }
	reader.Visit = func(in *inputs.Trace) error {
		err := errors.Join(visit(in), in.Close())
		switch {
		case err == nil:
			t.Done++
		case ctx.Err() != nil:
		case errors.As(err, new(*EndFileError)):
			return err
		default:
			t.Fail(in.Name(), inputs.WithoutPath(in.File.Path, err))
		}
		return ctx.Err()
	}
	return reader.Each(ctx, t.Files.Files)
}

// Reading returns the options for opening traces.
func (t *Traces) Reading() reading.Options {
	o := &t.Options
	return reading.Options{From: t.From, Options: pipeline.Options{
		Workers: o.Workers, Memory: o.Facts, Schemas: o.Schemas, Messages: o.Messages, Symbols: o.Symbols, Redact: o.Redact,
		Index: o.Index, Indexes: o.Indexes, Inputs: o.Inputs, TempDir: o.TempDir,
	}}
}

// EachOpen opens the traces, one after another, and calls do for each; see Each. They describe each other's events.
func (t *Traces) EachOpen(ctx context.Context, do func(*inputs.Trace, *reading.Trace) error) error {
	t.ShareDescriptions(ctx)
	return t.Each(ctx, nil, func(in *inputs.Trace) error {
		return t.WithOpen(ctx, in, func(trace *reading.Trace) error { return do(in, trace) })
	})
}

// WithOpen opens a trace, calls do, and closes the trace.
func (t *Traces) WithOpen(ctx context.Context, in *inputs.Trace, do func(*reading.Trace) error) error {
	if err := in.Open(); err != nil {
		return err
	}
	trace, err := reading.OpenReader(ctx, in.Reader(), in.Size, in.Path(), t.Reading())
	if err != nil {
		return err
	}
	return errors.Join(do(trace), trace.Close())
}

// ShareDescriptions makes the traces that were found describe each other's events.
func (t *Traces) ShareDescriptions(ctx context.Context) {
	t.Options.Inputs = inputs.Descriptions(ctx, t.Archive, t.Files.Files, t.Options.Workers, func(*inputs.Trace) bool { return false })
}

// Open opens the traces together, or only the one at a path in an archive. It counts and reports those that cannot be
// read.
func (t *Traces) Open(ctx context.Context, o reading.Options, inner string) (*reading.Traces, error) {
	reader := t.newReader()
	reader.Inner, reader.Most = inner, t.OpenFiles.Traces
	opened, err := reading.Open(ctx, t.Files, reader, o)
	if err != nil {
		return nil, err
	}
	for _, failed := range opened.Failed() {
		t.Fail(failed.Input, failed.Err)
	}
	return opened, nil
}

// Together opens the traces together, with kept indexes, and calls do with them, unless all failed. It counts and
// reports the errors of single traces.
func (t *Traces) Together(ctx context.Context, do func(*reading.Traces) error) error {
	indexes, o := t.Indexes(), t.Reading()
	if indexes != nil {
		o.Indexes = indexes
	}
	traces, err := t.Open(ctx, o, "")
	if err != nil {
		return err
	}
	indexes.End()
	if len(traces.All()) > 0 {
		if err = do(traces); errors.Is(err, index.ErrStale) {
			indexes.Drop()
		}
	}
	return t.Close(ctx, traces, err)
}

// Close closes traces that Open has opened, and returns the error of what was done with them: that of single traces
// is counted and reported.
func (t *Traces) Close(ctx context.Context, traces *reading.Traces, err error) error {
	before := t.Failed
	if all := traces.All(); err != nil && len(all) == 1 && ctx.Err() == nil && !errors.As(err, new(*facts.InputError)) {
		err = &facts.InputError{Input: all[0].Input(), Err: err}
	}
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var others []error
	for _, err := range list {
		if failed := new(facts.InputError); errors.As(err, &failed) {
			t.Fail(failed.Input, inputs.WithoutPath(failed.Input, failed.Err))
		} else {
			others = append(others, err)
		}
	}
	t.Done = len(traces.All()) - (t.Failed - before)
	return errors.Join(errors.Join(others...), traces.Close())
}
