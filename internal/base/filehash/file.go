package filehash

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// ChunkBytes is the size of a chunk.
const ChunkBytes = 4 << 20

// File is a file that is being hashed. Several goroutines may use it, each for chunks of
// its own.
type File struct {
	r    io.ReaderAt
	size int64
	sums [][sha256.Size]byte // of the chunks
}

// New returns a file of which no chunk is hashed.
func New(r io.ReaderAt, size int64) *File {
	return &File{r: r, size: size, sums: make([][sha256.Size]byte, Chunks(size))}
}

// Chunks returns the number of chunks of a file of some bytes.
func Chunks(size int64) int { return int((size + ChunkBytes - 1) / ChunkBytes) }

// Sum returns the hash of the file as hexadecimal digits. All its chunks must have been hashed.
func (f *File) Sum() string {
	h := sha256.New()
	for i := range f.sums {
		h.Write(f.sums[i][:]) // never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Whole returns the plain SHA-256 of a file of one chunk, and "" of others.
func (f *File) Whole() string {
	if len(f.sums) != 1 {
		return ""
	}
	return hex.EncodeToString(f.sums[0][:])
}

// Read reads and hashes the whole file, by some workers.
func (f *File) Read(ctx context.Context, workers int) error {
	return ordered.Do(ctx, workers, len(f.sums),
		func(w *Worker, i int) (struct{}, error) {
			w.Begin(f, i)
			return struct{}{}, w.End()
		},
		func(struct{}) error { return nil })
}

// Worker hashes chunks, one after another.
type Worker struct {
	file  *File
	chunk int
	hash  hash.Hash
	at    int64 // up to which the file is hashed
	to    int64 // end of the chunk
	room  []byte
}

// maxPiece is how much of a file is read at a time.
const maxPiece = 64 << 10

// Begin begins a chunk.
func (w *Worker) Begin(f *File, chunk int) {
	if w.hash == nil {
		w.hash = sha256.New()
	}
	w.hash.Reset()
	w.file, w.chunk, w.at = f, chunk, int64(chunk)*ChunkBytes
	w.to = min(w.at+ChunkBytes, f.size)
}

// Add hashes bytes that have been read from an offset, as far as they are of the chunk. It
// reads what is before them.
func (w *Worker) Add(offset int64, stored []byte) error {
	from, to := max(w.at, offset), min(w.to, offset+int64(len(stored)))
	if from >= to {
		return nil
	}
	if err := w.readTo(from); err != nil {
		return err
	}
	w.hash.Write(stored[from-offset : to-offset]) // never fails
	w.at = to
	return nil
}

// End reads what is left of the chunk, and notes its sum.
func (w *Worker) End() error {
	if err := w.readTo(w.to); err != nil {
		return err
	}
	w.hash.Sum(w.file.sums[w.chunk][:0])
	return nil
}

// readTo reads and hashes the file up to an offset.
func (w *Worker) readTo(to int64) error {
	for w.at < to {
		if w.room == nil {
			w.room = make([]byte, maxPiece)
		}
		piece := w.room[:min(maxPiece, to-w.at)]
		if n, err := w.file.r.ReadAt(piece, w.at); n < len(piece) {
			return fmt.Errorf("read at %#x: %w", w.at, err)
		}
		w.hash.Write(piece) // never fails
		w.at += int64(len(piece))
	}
	return nil
}
