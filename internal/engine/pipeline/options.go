package pipeline

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/redact"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// Options say how to read a trace, and which rows of it. The zero value is not valid: Workers and
// Memory must be set.
type Options struct {
	Workers int
	Memory  int64 // bytes
	// Facts is the memory that the limits of facts are for, bytes: what the user asks for, or 0 for
	// DefaultMemory. It changes the rows of traces beyond the limits, so it must not depend on the machine.
	Facts     int64
	Payload   rows.PayloadMode
	Fields    bool            // also write decoded payloads, in the tables of headers
	Form      rows.FieldsForm // of decoded payloads; in tables the zero value, JSON
	Selection selection.Selection
	Schemas   *catalog.Files             // the user's; nil for none
	Inputs    *catalog.InputDescriptions // of the traces of the run; nil for none
	Messages  catalog.MessageMode
	Symbols   *symbols.Set // names of functions in native code; nil for none
	Redact    *redact.Key  // replaces the names of people and machines; nil keeps them
	MaxTables int          // for events that schemas describe; 0 means catalog.DefaultMaxTables
	TempDir   string       // for temporary files; "" means the system's
	Strict    bool         // treat damage, and a selection that matches nothing, as errors
	Progress  *Progress    // nil if it is not counted
	// Indexed, unless nil, is called from any goroutine when the index pass has read a part of the trace.
	Indexed func(bytes, events int64)

	Indexes IndexStore // keeps the indexes of conversions whose input is not hashed; nil for none
	Times   *Times     // receives the time of workers; nil if it is not measured

	// For a source:
	Index string // the path of a file of indexes that contains the trace's; "" makes the index pass
	Once  bool   // the only rows made are those that Selection selects, and the index is not written

	// For the rows of a source:
	Limit int64 // most rows of each table; 0 means all, a negative number none
	Large bool  // make row groups as large as those of a dataset, not as early as possible

	// Uncounted says that payloads need not be counted, except for columns that count them: an event whose
	// payload nothing else needs is not decoded.
	Uncounted bool

	Limits Limits      // the zero value means the defaults
	part   *slabs.Slab // of the events; nil for all
}

// Limits bound what is in memory at a time. Only tests change them. Except for Types, Fields and Without, they
// do not change any row.
type Limits struct {
	Waiting int64       // bytes of rows, of all tables, that wait to become row groups; decides where row groups end
	Frames  int64       // of stacks; see index.Options
	Types   int         // kinds of event; see index.Options
	Fields  int         // that are described; see index.Options
	Stacks  int         // distinct stacks, by their ids
	Without index.Facts // facts that are left out whatever the rows need, to measure their cost
}

// Times are the times that workers have spent on the stages of conversions, in ns: their sum can exceed the
// time that has passed.
type Times struct{ Index, Decode, Write atomic.Int64 }

func (t *Times) decode() *atomic.Int64 { return &t.Decode }
func (t *Times) write() *atomic.Int64  { return &t.Write }

// ErrStrict is the error for a damaged trace with Options.Strict.
var ErrStrict = errors.New("the trace is damaged")

// limit returns the most rows of a table.
func (o *Options) limit() int64 {
	if o.Limit == 0 {
		return math.MaxInt64
	}
	return max(o.Limit, 0)
}

// unneeded returns the facts that the rows of the selection do not need.
func (o *Options) unneeded() index.Facts {
	if o.Symbols != nil || o.Redact != nil { // symbols need the images; any fact can have a name in it
		return o.Limits.Without
	}
	return o.Limits.Without | index.AllFacts&^o.Selection.Facts()
}

// IndexPass makes the index pass of an input, for a conversion of what o.Selection selects, or takes its
// result from o.Indexes. It also hashes the input's chunks, unless hash is nil. The index must be closed.
func (o *Options) IndexPass(ctx context.Context, in *Input, hash *fileid.Hash) (*index.Index, error) {
	if o.Times != nil {
		start := time.Now()
		defer func() { o.Times.Index.Add(int64(time.Since(start)) * int64(max(o.Workers, 1))) }()
	}
	options := o.indexOptions(in)
	options.Hash, options.Without = hash, o.unneeded()
	if store := o.store(in); store != nil && hash == nil {
		return o.storedIndex(ctx, in, store, options)
	}
	f, err := decode.NewFile(in.Trace, in.Size)
	if err != nil {
		return nil, err
	}
	return o.learned(ctx, in)(o.index(ctx, f, options))
}

// index makes the index pass.
func (o *Options) index(ctx context.Context, f *decode.File, options index.Options) (*index.Index, error) {
	options.Progress = o.Indexed
	if p := o.Progress; p != nil {
		p.FileBytes.Store(f.Size())
		options.Progress = func(bytes, events int64) { p.IndexedBytes.Add(bytes); p.Events.Add(events) }
	}
	return index.Build(ctx, f, options)
}

func (o *Options) indexOptions(in *Input) index.Options {
	return index.Options{
		Workers: o.Workers, Schemas: o.Schemas.For(in.Name), Inputs: o.Inputs, Input: in.Name, MaxTables: o.MaxTables, Messages: o.Messages, Memory: o.Facts, TempDir: o.TempDir,
		StackFrames: o.Limits.Frames, Siblings: in.siblings(), Before: in.Before, Place: in.Place, MaxTypes: o.Limits.Types, MaxFields: o.Limits.Fields,
	}
}

// rowsThatWait is the default of Limits.Waiting. It is constant, so that the output does not depend
// on the memory that is available.
const rowsThatWait = 27 << 20

// memoryForRows returns how much of the memory slabs and batches may take. The rest is for the
// events of slabs, encoders, memory kept for reuse, and garbage. Half of the facts' memory is taken
// from the share of the rows, and half from the rest.
func memoryForRows(memory, facts int64) int64 { return max(memory*5/16-facts/2, memory/16) }

// The least and the largest default memory limit of a conversion with few workers; see
// [DefaultMemoryOf].
const (
	DefaultMemory    = index.DefaultMemory
	MaxDefaultMemory = 2 << 30
)

// memoryPerWorker is what each worker beyond the fourth takes: a slab, its rows and a row group
// that is being encoded.
const memoryPerWorker = 100 << 20

// DefaultMemoryOf returns the default memory limit of a conversion with a number of workers, when the
// machine has free bytes of memory: a quarter of these, and enough for each worker to process a slab of a
// large trace. Garbage is collected less often with more memory.
func DefaultMemoryOf(workers int, free int64) int64 {
	const few = 4
	return max(min(free/4, MaxDefaultMemory), DefaultMemory+memoryPerWorker*int64(max(workers-few, 0)))
}
