package filehash

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// contents returns bytes that differ from chunk to chunk.
func contents(n int) []byte {
	data := make([]byte, n)
	source := rand.NewChaCha8([32]byte{1})
	source.Read(data) // never fails
	return data
}

// sumOf is the definition of the hash.
func sumOf(data []byte) string {
	var sums []byte
	for len(data) > 0 {
		n := min(len(data), 4<<20)
		sum := sha256.Sum256(data[:n])
		sums, data = append(sums, sum[:]...), data[n:]
	}
	sum := sha256.Sum256(sums)
	return hex.EncodeToString(sum[:])
}

func TestRead(t *testing.T) {
	for _, size := range []int{0, 1, ChunkBytes - 1, ChunkBytes, ChunkBytes + 1, 3*ChunkBytes + 5} {
		data := contents(size)
		for _, workers := range []int{1, 3} {
			f := New(bytes.NewReader(data), int64(size))
			if err := f.Read(t.Context(), workers); err != nil {
				t.Fatal(err)
			}
			if got, want := f.Sum(), sumOf(data); got != want {
				t.Errorf("%d bytes, %d workers: %s, want %s", size, workers, got, want)
			}
			want := ""
			if sum := sha256.Sum256(data); size > 0 && size <= ChunkBytes {
				want = hex.EncodeToString(sum[:])
			}
			if got := f.Whole(); got != want {
				t.Errorf("%d bytes: the plain hash is %q, want %q", size, got, want)
			}
		}
	}
}

// TestAdd passes parts of the file, which need not be read again.
func TestAdd(t *testing.T) {
	data := contents(2*ChunkBytes + 1000)
	for name, parts := range map[string][][2]int{ // from and to
		"all":       {{0, ChunkBytes}, {ChunkBytes, 2 * ChunkBytes}, {2 * ChunkBytes, len(data)}},
		"gaps":      {{100, 200}, {300, ChunkBytes - 1}, {2*ChunkBytes + 7, 2*ChunkBytes + 8}},
		"across":    {{ChunkBytes - 10, ChunkBytes + 10}},
		"twice":     {{10, 500}, {10, 500}, {400, 600}, {0, 5}},
		"over all":  {{0, len(data)}},
		"no bytes":  {{50, 50}},
		"backwards": {{ChunkBytes, ChunkBytes + 50}, {0, 50}},
	} {
		t.Run(name, func(t *testing.T) {
			f := New(bytes.NewReader(data), int64(len(data)))
			var w Worker
			for chunk := range Chunks(int64(len(data))) {
				w.Begin(f, chunk)
				for _, p := range parts {
					if err := w.Add(int64(p[0]), data[p[0]:p[1]]); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.End(); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := f.Sum(), sumOf(data); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestReadOnce checks that bytes passed to Add are not read.
func TestReadOnce(t *testing.T) {
	data := contents(ChunkBytes)
	f := New(unreadable{}, int64(len(data)))
	var w Worker
	w.Begin(f, 0)
	if err := errors.Join(w.Add(0, data[:1000]), w.Add(1000, data[1000:]), w.End()); err != nil {
		t.Error(err)
	}
	w.Begin(f, 0)
	if err := w.Add(1, data[1:]); !errors.Is(err, errUnreadable) || !strings.Contains(err.Error(), "0x0") {
		t.Errorf("a gap: %v", err)
	}
	if err := f.Read(t.Context(), 2); !errors.Is(err, errUnreadable) {
		t.Errorf("the file: %v", err)
	}
}

type unreadable struct{ io.ReaderAt }

var errUnreadable = errors.New("unreadable")

func (unreadable) ReadAt([]byte, int64) (int, error) { return 0, errUnreadable }
