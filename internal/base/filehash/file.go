package filehash

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// ChunkBytes is the size of a chunk.
const ChunkBytes = 4 << 20

// Kind is a hash function.
type Kind func() hash.Hash

// The hash functions: XXH3 with 128 bits, in the order in which it is printed, and SHA-256.
var (
	XXH3   Kind = func() hash.Hash { return xxh3.New128() }
	SHA256 Kind = sha256.New
)

// File is a file that is being hashed. Several goroutines may use it at once, for different chunks.
type File struct {
	kind Kind
	r    io.ReaderAt
	size int64
	sums [][]byte // of the chunks
}

// New returns a file without hashed chunks.
func New(kind Kind, r io.ReaderAt, size int64) *File {
	return &File{kind: kind, r: r, size: size, sums: make([][]byte, Chunks(size))}
}

// Chunks returns the number of chunks of a file of size bytes.
func Chunks(size int64) int { return int((size + ChunkBytes - 1) / ChunkBytes) }

// Sum returns the hash of the file as hexadecimal digits. All its chunks must have been hashed.
func (f *File) Sum() string {
	h := f.kind()
	for _, sum := range f.sums {
		h.Write(sum) // never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Read reads and hashes the whole file, with some workers.
func (f *File) Read(ctx context.Context, workers int) error {
	return ordered.Do(ctx, workers, len(f.sums),
		func(w *Worker, i int) (struct{}, error) {
			w.Begin(f, i)
			return struct{}{}, w.End()
		},
		func(struct{}) error { return nil })
}

// Worker hashes chunks of one file, one after another.
type Worker struct {
	file  *File
	chunk int
	hash  hash.Hash
	at    int64 // the file is hashed up to here
	to    int64 // end of the chunk
	room  []byte
}

// maxPiece is the number of bytes read at a time.
const maxPiece = 64 << 10

// Begin begins a chunk.
func (w *Worker) Begin(f *File, chunk int) {
	if w.hash == nil {
		w.hash = f.kind()
	}
	w.hash.Reset()
	w.file, w.chunk, w.at = f, chunk, int64(chunk)*ChunkBytes
	w.to = min(w.at+ChunkBytes, f.size)
}

// Add hashes bytes that were read at an offset, as far as they belong to the chunk. It reads the
// bytes before them itself.
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

// End reads the rest of the chunk, and stores its sum.
func (w *Worker) End() error {
	if err := w.readTo(w.to); err != nil {
		return err
	}
	w.file.sums[w.chunk] = w.hash.Sum(nil)
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
