package pipeline

import (
	"context"
	"errors"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// IndexStore keeps the indexes of traces from one run to the next. It is used from any goroutine.
type IndexStore interface {
	// Open opens a kept file with the index of an input, which may lack the facts without. It returns
	// nil if there is none.
	Open(in *Input, without index.Facts) IndexFile
	// Keep may keep the index of an input, which lacks the facts without. write writes its file, unless
	// that has more than most bytes: then ok is false.
	Keep(in *Input, without index.Facts, write func(w io.Writer, most int64) (ok bool, err error))
}

// IndexFile is an open file of indexes.
type IndexFile interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// store returns the store for the index of an input, or nil. What is kept depends on nothing but the
// trace: neither on others of its session, nor on what replaces names.
func (o *Options) store(in *Input) IndexStore {
	if len(in.Siblings) > 0 || in.Part != nil || o.Redact != nil {
		return nil
	}
	return o.Indexes
}

// storedIndex returns the index of an input from the store, or makes the index pass and gives its result
// to the store.
func (o *Options) storedIndex(ctx context.Context, in *Input, store IndexStore, options index.Options) (*index.Index, error) {
	if x := openStored(in, store, options); x != nil {
		if o.Progress != nil {
			o.Progress.FileBytes.Store(in.Size)
			o.Progress.IndexedBytes.Add(in.Size)
			o.Progress.Events.Add(x.Events)
		}
		return x, nil
	}
	f, err := decode.NewFile(in.Trace, in.Size)
	if err != nil {
		return nil, err
	}
	options.Sums = true
	x, err := o.index(ctx, f, options)
	if err == nil {
		store.Keep(in, options.Without, func(w io.Writer, most int64) (bool, error) { return x.WriteMost(w, sessionOf(in), most) })
	}
	return x, err
}

// openStored returns the index of an input from the store, or nil. What is wrong with a kept file is of
// no concern: the index pass then makes another one.
func openStored(in *Input, store IndexStore, options index.Options) *index.Index {
	f := store.Open(in, options.Without)
	if f == nil {
		return nil
	}
	x, err := index.Open(in.Trace, in.Size, f, f.Size(), sessionOf(in), options)
	if err = errors.Join(err, f.Close()); err != nil {
		if x != nil {
			_ = x.Close() // it removes a temporary file; if that fails, the next run removes it
		}
		return nil
	}
	return x
}
