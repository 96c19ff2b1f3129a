package reading

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/reach"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// Options say how traces are read. The zero value is valid.
type Options struct {
	// Options are those of opening a trace and of each pass over it. Workers, Memory and Facts have
	// defaults. With Once, a trace is opened for what Selection selects, and rows that need more are
	// the error [ErrOnly]; without Once, Selection is not used. A [Scan] has its own Payload, Limit and
	// Strict.
	pipeline.Options
	Siblings  []string         // paths of other traces of the same recording
	From      *reach.Files     // that may be opened; nil: all
	Allocator memory.Allocator // of record batches; nil is Go's
	Cache     string           // the folder in which questions keep tables and indexes; "" keeps none
	OnNote    func(string)     // unless nil, is called with what an answer does not say
	MaxDuckDB int64            // bounds the memory of DuckDB; 0 leaves it to DuckDB
}

// Note passes on what an answer does not say.
func (o *Options) Note(text string) {
	if o.OnNote != nil {
		o.OnNote(text)
	}
}

// complete replaces zero values by the defaults.
func (o *Options) complete() {
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Facts = cmp.Or(o.Facts, o.Memory, pipeline.DefaultMemory)
	o.Memory = cmp.Or(o.Memory, pipeline.DefaultMemoryOf(o.Workers, 0))
	if o.Allocator == nil {
		o.Allocator = memory.DefaultAllocator
	}
	if !o.Once {
		o.Selection = selection.Selection{}
	}
}

// pass returns the options of a pass that makes all rows. Pseudonyms are the open trace's.
func (o *Options) pass() *pipeline.Options {
	p := o.Options
	p.Once, p.Selection, p.Redact = false, selection.Selection{}, nil
	return &p
}

// Trace is an open trace. It is safe for use from many goroutines.
type Trace struct {
	source  *pipeline.Source
	options Options
	file    io.Closer // nil: the caller closes it
	named   string    // as the user named it, or as it was found; "" for its path
	path    string    // absolute; "" if the trace is not a file, or the caller opened it
}

// OpenFile opens the trace in a file. The error of a file that exists and cannot be read is a
// [facts.InputError].
func OpenFile(ctx context.Context, path string, o Options) (*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	t, err := OpenReader(ctx, f, info.Size(), path, o)
	if err != nil {
		return nil, &facts.InputError{Input: path, Err: errors.Join(inputs.WithoutPath(path, err), f.Close())}
	}
	t.file, t.path = f, absolute(path)
	return t, nil
}

// OpenReader opens the trace in r, which the caller closes after the trace. If r has a method
// Unchanged() error, it is called after reading, and its error is returned instead of any other.
func OpenReader(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*Trace, error) {
	in := pipeline.Input{Name: name, Size: size, Trace: r}
	if c, ok := r.(interface{ Unchanged() error }); ok {
		in.Check = c.Unchanged
	}
	return openInput(ctx, in, o)
}

func openInput(ctx context.Context, in pipeline.Input, o Options) (*Trace, error) {
	o.complete()
	if err := siblings.Add(&in, o.Siblings, o.From); err != nil {
		return nil, err
	}
	source, err := pipeline.OpenSource(ctx, in, &o.Options)
	if err != nil {
		return nil, err
	}
	return &Trace{source: source, options: o}, nil
}

// absolute returns a path that other processes can use.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Close closes the trace. All readers must have been released.
func (t *Trace) Close() error {
	err := t.source.Close()
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	}
	return err
}

// Name returns the name of the trace in the column trace.
func (t *Trace) Name() string { return t.source.Name() }

// Input returns the path, URL or name by which the trace was opened or found.
func (t *Trace) Input() string { return cmp.Or(t.named, t.source.Input.Name) }

// Tables returns the tables in which the trace has rows, or may have, the table of all events first.
func (t *Trace) Tables() []pipeline.SourceTable { return t.source.Tables() }

// Table returns a table by any of its names. A known table that the trace lacks has no rows.
func (t *Trace) Table(name string) (pipeline.SourceTable, error) {
	wanted, err := t.source.Table(name)
	if err != nil {
		return pipeline.SourceTable{}, err
	}
	for _, table := range t.source.Tables() {
		if table.Name == wanted.Name {
			return table, nil
		}
	}
	return pipeline.SourceTable{Table: wanted}, nil
}

// Problems returns the problems that are known so far, in file order.
func (t *Trace) Problems() []facts.Problem { return t.source.Index.Found() }

// Info describes what is in the trace. The first call may read the trace once more.
func (t *Trace) Info(ctx context.Context) (*facts.Info, error) {
	return t.source.Index.Summary(ctx, t.fileName(), t.options.Workers)
}

// fileName returns the name that the trace has in its description.
func (t *Trace) fileName() string {
	if t.options.Redact != nil {
		return t.source.FileName()
	}
	return t.source.Input.Name
}

// ReadInfo describes the trace in r, without the facts that only rows need. The name becomes Info.File.
func ReadInfo(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*facts.Info, error) {
	o.complete()
	x, err := o.IndexForInfo(ctx, pipeline.Input{Name: name, Size: size, Trace: r})
	if err != nil {
		return nil, err
	}
	if o.Redact != nil {
		name = redact.FileName(o.Redact.TraceName(partname.OfTraces([]string{name})[0]))
	}
	s, err := x.Summary(ctx, name, o.Workers)
	if err = errors.Join(err, x.Close()); err != nil {
		return nil, err
	}
	return s, nil
}

// Mismatches returns the parts of a selection of events that match nothing in the trace according to the
// index. nothing is true if no event can match.
func (t *Trace) Mismatches(s selection.Selection) (list []facts.Mismatch, nothing bool, err error) {
	if err := s.Validate(); err != nil {
		return nil, false, err
	}
	m, err := t.source.Mismatches(&s)
	return m.List, m.Nothing != "", err
}
