package etl2parquet

import (
	"context"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/internal/reading"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Options control how a trace is read. The zero value is valid.
type Options struct {
	// Workers is the number of goroutines that read, decode and fill columns in each
	// scan; 0 is one for each processor.
	Workers int
	// Memory limits the bytes that a scan uses, approximately, without the record batches
	// that its caller keeps; 0 is 512 MiB, and 100 MiB more for each worker beyond four. If it
	// is not 0, it limits DuckDB in [Traces.Query], too.
	Memory int64
	// Descriptions describe events that neither the trace nor the library describes; see
	// [OpenDescriptions]. It may be nil.
	Descriptions *Descriptions
	// Messages selects the messages that the column message has. By default it has those
	// of WPP and of events without fields, whose meaning is in the message alone.
	Messages MessageMode
	// Symbols name functions of native code; see [OpenSymbols]. The caller closes them after the
	// trace. It may be nil.
	Symbols *Symbols
	// Siblings are the paths of other traces of the same recording. The processes, threads,
	// images and files that they record are known in this trace, too. Files of other
	// recordings are ignored.
	Siblings []string
	// Index is the path of a file written by WriteIndex or "etl2parquet splits --index"
	// with the index of this trace, so that opening the trace does not read it. If the file
	// has no index of the trace in its present state, the error is [ErrStaleIndex]. "" reads
	// the trace.
	Index string
	// Only, unless nil, is the only scan that the trace is opened for. Opening it then prepares
	// no more than the scan needs, which takes less time and memory. Other scans that need
	// more, splits and indexes return [ErrOnly].
	Only *Scan
	// OnIndexed, unless nil, is called while a trace is opened or described, when a part of it has
	// been read: with the bytes of the part in the file, and its events. It is called from any
	// goroutine, from several at a time. It is not called for an index that is read from a file.
	OnIndexed func(bytes, events int64)
	// RedactKey, unless nil, makes the library replace the names of people and machines by pseudonyms
	// in all that it returns of a trace: rows, events, messages, problems, the summary and the name of
	// the trace. Opening a trace then makes all its rows once, to learn the names in it. The key is a
	// secret of at least 16 bytes: with the same key, equal names have equal pseudonyms in all traces,
	// and without it a guess cannot be tested. Selections see the real names. docs/redact.md says what
	// is replaced and what is not.
	RedactKey []byte
	// TempDir is the folder for temporary files, which the stacks of large traces
	// and questions need; "" is the system's.
	TempDir string
	// Cache is the folder in which [Traces.Query] keeps the tables and indexes that it makes, for the next
	// question; "" keeps none. The program etl2parquet keeps its own in the folder etl2parquet/tables of
	// [os.UserCacheDir], which may be named here.
	Cache string
	// OnNote, unless nil, is called with what the rows of [Traces.Query] do not say, such as why there are
	// none. It is called from any goroutine.
	OnNote func(text string)
	// Allocator allocates the memory of record batches, except memory that they share
	// with the scan; nil is Go's allocator. It must be safe for concurrent use.
	Allocator memory.Allocator
}

// reading returns the options for package reading.
func (o *Options) reading() (reading.Options, error) {
	p := pipeline.Options{
		Workers: o.Workers, Memory: o.Memory, Schemas: (*catalog.Files)(o.Descriptions), Messages: catalog.MessageMode(o.Messages), Symbols: (*symbols.Set)(o.Symbols),
		Index: o.Index, Indexed: o.OnIndexed, TempDir: o.TempDir,
	}
	if o.Only != nil {
		only := o.Only.reading()
		p.Once, p.Selection = true, only.TableSelection()
	}
	var err error
	if o.RedactKey != nil {
		p.Redact, err = redact.NewKey(o.RedactKey)
	}
	return reading.Options{Options: p, Siblings: o.Siblings, Allocator: o.Allocator, Cache: o.Cache, OnNote: o.OnNote, MaxDuckDB: o.Memory}, err
}

// MessageMode selects the messages that are rendered, with the values in place.
type MessageMode uint8

// The message modes.
const (
	MessagesUndecoded MessageMode = iota // of WPP, and of events without fields, whose meaning is in the message alone
	MessagesAll
	MessagesNone
)

// PayloadMode selects the raw payloads that the column payload has.
type PayloadMode uint8

// The payload modes.
const (
	PayloadUndecoded PayloadMode = iota // of events that are not decoded
	PayloadAll
	PayloadNone
)

// ErrRedactKey is the error for an Options.RedactKey that is too short.
var ErrRedactKey = redact.ErrKey

// Trace is an open trace. It is safe for use from many goroutines.
type Trace reading.Trace

// reading returns the trace of package reading. Trace and Traces, Descriptions, Symbols and Recordings are
// types of packages below without their methods. So packages above convert one to the other, and a
// user of the library sees only the methods of this package.
func (t *Trace) reading() *reading.Trace { return (*reading.Trace)(t) }

// Open opens the trace in a file and reads it once. It must be closed. The error of a file that is
// there and cannot be read is a [facts.InputError], which names it; of a file that is not a trace it is also
// decode.ErrNotETL. A damaged trace is no error: see [Trace.Problems].
func Open(ctx context.Context, path string, o Options) (*Trace, error) {
	options, err := o.reading()
	if err != nil {
		return nil, err
	}
	t, err := reading.OpenFile(ctx, path, options)
	return (*Trace)(t), err
}

// OpenReader opens the trace in r, as Open does. The name is for messages and for the
// table traces. r must stay open as long as the trace.
//
// If r has a method Unchanged() error, it is called after reading. Its error means that the
// trace changed meanwhile, and is returned instead of any other.
func OpenReader(ctx context.Context, r io.ReaderAt, size int64, name string, o Options) (*Trace, error) {
	options, err := o.reading()
	if err != nil {
		return nil, err
	}
	t, err := reading.OpenReader(ctx, r, size, name, options)
	return (*Trace)(t), err
}

// Close closes the trace. All readers must have been released.
func (t *Trace) Close() error { return t.reading().Close() }

// Name returns the name of the trace: the name of its file without .etl, as in the column trace of
// a dataset.
func (t *Trace) Name() string { return t.reading().Name() }

// Input returns the path, URL or name by which the trace was opened or, for [OpenAll], found; for an
// entry of an archive, with its path there.
func (t *Trace) Input() string { return t.reading().Input() }

// Table is a table of a trace.
type Table struct {
	Name   string        // such as events/Thread/CSwitch
	Doc    string        // says what a row is
	Schema *arrow.Schema // the columns
	Rows   int64         // -1 if unknown before they are read
	// Definition documents the columns, and says how rows are sorted. It must not be changed.
	Definition *schema.Table
}

func tableOf(t pipeline.SourceTable) Table {
	return Table{t.Name, t.Doc, recordbatch.Schema(t.Table), t.Rows, t.Table}
}

// Tables returns the tables in which the trace has rows, or may have, the table of
// all events first.
func (t *Trace) Tables() []Table {
	var list []Table
	for _, table := range t.reading().Tables() {
		list = append(list, tableOf(table))
	}
	return list
}

// Table returns a table by any of its names. A known table that the trace lacks has no rows. "" is
// events, which has every event.
func (t *Trace) Table(name string) (Table, error) {
	table, err := t.reading().Table(name)
	if err != nil {
		return Table{}, err
	}
	return tableOf(table), nil
}
