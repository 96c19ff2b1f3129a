package fileid

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

// HashKind is a hash function.
type HashKind func() hash.Hash

// The hash functions: XXH3 with 128 bits, in the order in which it is printed, and SHA-256.
var (
	XXH3   HashKind = func() hash.Hash { return xxh3.New128() }
	SHA256 HashKind = sha256.New
)

// Hash is the hash of a file. Several goroutines may take it at once, for different chunks.
type Hash struct {
	kind HashKind
	r    io.ReaderAt
	size int64
	sums [][]byte // of the chunks
}

// NewHash returns a hash without chunks.
func NewHash(kind HashKind, r io.ReaderAt, size int64) *Hash {
	return &Hash{kind: kind, r: r, size: size, sums: make([][]byte, Chunks(size))}
}

// Chunks returns the number of chunks of a file of size bytes.
func Chunks(size int64) int { return int((size + ChunkBytes - 1) / ChunkBytes) }

// Sum returns the hash of the file as hexadecimal digits. All its chunks must have been hashed.
func (f *Hash) Sum() string {
	h := f.kind()
	for _, sum := range f.sums {
		h.Write(sum) // never fails
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Read reads and hashes the whole file, with some workers.
func (f *Hash) Read(ctx context.Context, workers int) error {
	return ordered.Do(ctx, workers, len(f.sums),
		func(w *Hasher, i int) (struct{}, error) {
			w.Begin(f, i)
			return struct{}{}, w.End()
		},
		func(struct{}) error { return nil })
}

// Hasher hashes chunks of one file, one after another.
type Hasher struct {
	file  *Hash
	chunk int
	hash  hash.Hash
	at    int64 // the file is hashed up to here
	to    int64 // end of the chunk
	room  []byte
}

// maxPiece is the number of bytes read at a time.
const maxPiece = 64 << 10

// Begin begins a chunk.
func (w *Hasher) Begin(f *Hash, chunk int) {
	if w.hash == nil {
		w.hash = f.kind()
	}
	w.hash.Reset()
	w.file, w.chunk, w.at = f, chunk, int64(chunk)*ChunkBytes
	w.to = min(w.at+ChunkBytes, f.size)
}

// Add hashes bytes that were read at an offset, as far as they belong to the chunk. It reads the
// bytes before them itself.
func (w *Hasher) Add(offset int64, stored []byte) error {
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
func (w *Hasher) End() error {
	if err := w.readTo(w.to); err != nil {
		return err
	}
	w.file.sums[w.chunk] = w.hash.Sum(nil)
	return nil
}

// readTo reads and hashes the file up to an offset.
func (w *Hasher) readTo(to int64) error {
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
