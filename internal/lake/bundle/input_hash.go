package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/base/fileid"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/schema"
)

// inputHash is the hash of an input.
type inputHash struct {
	chunks *fileid.Hash // hashed by the index pass; nil if no later run compares the hash
	late   *fileid.Hash // hashed after the passes, because the index may be a kept one; nil if no table has the hash
	cancel context.CancelFunc

	// The plain SHA-256, if wanted, is made concurrently: one goroutine reads the file from start to
	// end. Nothing needs the hash before the commit.
	done  chan struct{} // nil if it is not wanted
	plain string
	err   error
}

// startHash starts hashing concurrently with the index pass.
func (o *Options) startHash(ctx context.Context, in *pipeline.Input) *inputHash {
	h := new(inputHash)
	if o.Transient {
		traces := o.Selection.Table(schema.Traces)
		if traces != nil && slices.ContainsFunc(traces.Columns, func(c schema.Column) bool { return c.Name == "chunks_xxh3" }) {
			h.late = fileid.NewHash(fileid.XXH3, in.Trace, in.Size)
		}
		return h
	}
	h.chunks = fileid.NewHash(fileid.XXH3, in.Trace, in.Size)
	if !o.SHA256 {
		return h
	}
	ctx, h.cancel = context.WithCancel(ctx)
	h.done = make(chan struct{})
	go func() {
		defer close(h.done)
		h.plain, h.err = plainHash(ctx, in.Trace, in.Size)
	}()
	return h
}

// stop stops reading the input.
func (h *inputHash) stop() {
	if h.done != nil {
		h.cancel()
		<-h.done
	}
}

// note waits for the hash, and sets it in a record. The index pass must have been made.
func (h *inputHash) note(ctx context.Context, r *dataset.TraceRecord, workers int) error {
	switch {
	case h.late != nil:
		if err := h.late.Read(ctx, workers); err != nil {
			return err
		}
		r.ChunksXXH3 = h.late.Sum()
		return nil
	case h.chunks == nil:
		return nil
	}
	r.ChunksXXH3 = h.chunks.Sum()
	if h.done == nil {
		return nil
	}
	<-h.done
	r.SHA256 = h.plain
	return h.err
}

// plainHash returns the SHA-256 of a file.
func plainHash(ctx context.Context, r io.ReaderAt, size int64) (string, error) {
	hash := sha256.New()
	var room []byte
	err := store.EachPiece(ctx, r, size, &room, func(piece []byte) { hash.Write(piece) }) // never fails
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// sameContents reports whether an input has the contents whose hash a record has.
func sameContents(ctx context.Context, in *pipeline.Input, r *dataset.TraceRecord, workers int) (bool, error) {
	kind, want := fileid.XXH3, r.ChunksXXH3
	switch {
	case want != "":
	case r.ChunksSHA256 != "":
		kind, want = fileid.SHA256, r.ChunksSHA256
	default:
		sum, err := plainHash(ctx, in.Trace, r.InputSize)
		return sum == r.SHA256, err
	}
	f := fileid.NewHash(kind, in.Trace, r.InputSize)
	err := f.Read(ctx, workers)
	return err == nil && f.Sum() == want, err
}
