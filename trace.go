package etl2parquet

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// Options are how to read a trace. The zero value is fine.
type Options struct {
	// Workers is how many goroutines read, decode and fill columns in each scan; 0
	// is as many as there are processors.
	Workers int
	// Memory is about how many bytes a scan uses at most, beside the record batches
	// that its caller keeps; 0 is 512 MiB, and 100 MiB for each worker beyond four.
	Memory int64
	// Descriptions describe events that neither the trace nor the library describes; see
	// [OpenDescriptions]. nil: none.
	Descriptions *Descriptions
	// Messages are the messages of events that the column message has. By default it has
	// those of WPP and of events without fields, of which nothing else says what they mean.
	Messages MessageMode
	// Symbols name functions of native code; see [OpenSymbols]. The caller closes them after the
	// trace. nil: none.
	Symbols *Symbols
	// Siblings are the paths of other traces of the same recording: what they say about
	// processes, threads, images and files is known in this trace, too. Files of other
	// recordings are ignored.
	Siblings []string
	// Index is the path of a file that WriteIndex or "etl2parquet splits --index" has
	// written, with the index of this trace: the trace is not read when it is opened. An
	// index of another trace, or of this one before it changed, is an error: see
	// [ErrStaleIndex]. "" reads the trace.
	Index string
	// TempDir is the folder for temporary files, which the stacks of large traces
	// need; "" is the system's.
	TempDir string
	// Allocator is where the memory of record batches comes from that they do not
	// share with their maker; nil is Go's memory. Goroutines use it at the same time.
	Allocator memory.Allocator
}

// complete sets what the zero value leaves to the library.
func (o *Options) complete() {
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Memory = cmp.Or(o.Memory, pipeline.DefaultMemoryOf(o.Workers))
	if o.Allocator == nil {
		o.Allocator = memory.DefaultAllocator
	}
}

// MessageMode says which messages of events are rendered, with the values in place.
type MessageMode uint8

// The message modes.
const (
	MessagesUndecoded MessageMode = iota // of WPP, and of events without fields: nothing else says what they mean
	MessagesAll
	MessagesNone
)

// PayloadMode says which raw payloads the column payload has.
type PayloadMode uint8

// The payload modes.
const (
	PayloadUndecoded PayloadMode = iota // of events that nothing decodes
	PayloadAll
	PayloadNone
)

// Trace is an open trace. It is safe for use from many goroutines.
type Trace struct {
	source  *pipeline.Source
	options Options
	file    io.Closer // nil: the caller closes it
	path    string    // absolute; "": it is no file, or the caller's
}

// Open opens the trace in a file and reads it once. It must be closed.
func Open(ctx context.Context, path string, o Options) (*Trace, error) {
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
		return nil, errors.Join(err, f.Close())
	}
	t.file, t.path = f, absolute(path)
	return t, nil
}

// OpenReader opens the trace in some bytes, as Open does. The name is for messages
// and for the table traces. The reader must stay open as long as the trace is.
func OpenReader(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*Trace, error) {
	return openInput(ctx, pipeline.Input{Name: name, Size: size, Trace: r}, o)
}

func openInput(ctx context.Context, in pipeline.Input, o Options) (*Trace, error) {
	o.complete()
	if err := siblings.Add(&in, o.Siblings); err != nil {
		return nil, err
	}
	source, err := pipeline.OpenSource(ctx, in, o.pipeline())
	if err != nil {
		return nil, err
	}
	return &Trace{source: source, options: o}, nil
}

// Name returns the name of the trace, which the column trace of a dataset has: that of its file,
// without .etl.
func (t *Trace) Name() string { return t.source.Name() }

func (o *Options) pipeline() *pipeline.Options {
	return &pipeline.Options{
		Workers: o.Workers, Memory: o.Memory, Schemas: o.Descriptions.catalogFiles(), Messages: catalog.MessageMode(o.Messages), Symbols: o.Symbols.symbolSet(),
		Index: o.Index, TempDir: o.TempDir,
	}
}

// Close closes the trace. All readers must have been released.
func (t *Trace) Close() error {
	err := t.source.Close()
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	}
	return err
}

// Table is a table of a trace.
type Table struct {
	Name   string        // such as events/Thread/CSwitch
	Doc    string        // what a row is
	Schema *arrow.Schema // its columns
	Rows   int64         // -1 if that is not known before they are read
}

// Tables returns the tables in which the trace has rows, or may have, the table of
// all events first.
func (t *Trace) Tables() []Table {
	var list []Table
	for _, s := range t.source.Tables() {
		list = append(list, Table{s.Name, s.Doc, recordbatch.Schema(s.Table), s.Rows})
	}
	return list
}

// Table returns a table by any of its names: one of the trace's, or one of those that other
// traces have, without rows. "" is events, which has every event.
func (t *Trace) Table(name string) (Table, error) {
	wanted, err := t.source.Table(name)
	if err != nil {
		return Table{}, err
	}
	for _, s := range t.source.Tables() {
		if s.Name == wanted.Name {
			wanted, rows := s.Table, s.Rows
			return Table{wanted.Name, wanted.Doc, recordbatch.Schema(wanted), rows}, nil
		}
	}
	return Table{wanted.Name, wanted.Doc, recordbatch.Schema(wanted), 0}, nil
}
