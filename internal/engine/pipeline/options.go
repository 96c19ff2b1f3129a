package pipeline

import (
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/filehash"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/engine/symbols"
)

// Options are how to read a trace, and what of it. The zero value is not valid: Workers and Memory
// must be set.
type Options struct {
	Workers   int
	Memory    int64 // bytes
	Payload   rows.PayloadMode
	Fields    bool // the decoded payloads also as JSON, in the tables of headers
	Selection selection.Selection
	Schemas   *catalog.Files // of the user; nil: none
	Messages  catalog.MessageMode
	Symbols   *symbols.Set // name functions of native code; nil: none
	MaxTables int          // for events that schemas describe; 0 is catalog.DefaultMaxTables
	TempDir   string       // for temporary files; "" is the system's
	Strict    bool         // damage is an error, and so is a selection that takes nothing
	Progress  *Progress    // nil: it is not counted

	// Of a source:
	Index string // the path of a file of indexes, which has the trace's; "" makes the index pass
	Once  bool   // no rows are made of it but those that Selection takes, and its index is not written

	Limits Limits      // the zero value is the usual ones
	part   *slabs.Slab // of the events; nil: all
}

// Limits are those of what is in memory at a time. Others than the usual ones are for tests. But
// for Without they change no row.
type Limits struct {
	Waiting int64       // bytes of rows of all tables that wait to be row groups: where row groups end depends on it
	Frames  int64       // of stacks; see index.Options
	Stacks  int         // distinct ones, by their ids
	Without index.Facts // facts that are left out whatever the rows need, to measure what they cost
}

// ErrStrict is the error of a damaged trace with Options.Strict.
var ErrStrict = errors.New("the trace is damaged")

// unneeded returns the facts that the rows of the selection do not need.
func (o *Options) unneeded() index.Facts {
	if o.Symbols != nil { // they are of images
		return o.Limits.Without
	}
	return o.Limits.Without | index.AllFacts&^o.Selection.Facts()
}

// IndexPass makes the index pass of an input for a conversion of what o.Selection takes. It hashes
// the input's chunks beside it, unless hash is nil. The index must be closed.
func (o *Options) IndexPass(ctx context.Context, in *Input, hash *filehash.File) (*index.Index, error) {
	f, err := decode.NewFile(in.Trace, in.Size)
	if err != nil {
		return nil, err
	}
	options := o.indexOptions(in)
	options.Hash, options.Without = hash, o.unneeded()
	return o.index(ctx, f, options)
}

// index makes the index pass.
func (o *Options) index(ctx context.Context, f *decode.File, options index.Options) (*index.Index, error) {
	if p := o.Progress; p != nil {
		p.FileBytes.Store(f.Size())
		options.Progress = func(bytes, events int64) { p.IndexedBytes.Add(bytes); p.Events.Add(events) }
	}
	return index.Build(ctx, f, options)
}

func (o *Options) indexOptions(in *Input) index.Options {
	return index.Options{
		Workers: o.Workers, Schemas: o.Schemas, MaxTables: o.MaxTables, Messages: o.Messages, Memory: o.Memory, TempDir: o.TempDir,
		StackFrames: o.Limits.Frames, Siblings: in.siblings(), Before: in.Before, Earlier: in.Earlier,
	}
}

// rowsThatWait is the usual Limits.Waiting. It does not depend on the memory that there is, so that the output does not either.
const rowsThatWait = 27 << 20

// memoryForRows returns what slabs and batches may take of the memory. The rest is for the
// events of slabs, encoders, what is kept for use again, and garbage. Half of what the facts
// about the trace take is taken from the rows, and half from the rest.
func memoryForRows(memory, facts int64) int64 { return max(memory*5/16-facts/2, memory/16) }

// DefaultMemory is what a conversion with few workers uses at most if nothing else is
// asked; see [DefaultMemoryOf].
const DefaultMemory = index.DefaultMemory

// memoryPerWorker is what each worker takes beyond the fourth: a slab, its rows and a row
// group that is being encoded.
const memoryPerWorker = 100 << 20

// DefaultMemoryOf returns what a conversion with a number of workers uses at most if
// nothing else is asked. With it, each worker can have a slab of a large trace in hand.
func DefaultMemoryOf(workers int) int64 {
	const few = 4
	return DefaultMemory + memoryPerWorker*int64(max(workers-few, 0))
}
