package fileid

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

// contents returns bytes that differ from chunk to chunk.
func contents(n int) []byte {
	data := make([]byte, n)
	source := rand.NewChaCha8([32]byte{1})
	source.Read(data) // never fails
	return data
}

// kinds are the hash functions, in terms of functions that take all bytes at once.
var kinds = []struct {
	name string
	kind HashKind
	sum  func([]byte) []byte
}{
	{"XXH3", XXH3, func(data []byte) []byte { sum := xxh3.Hash128(data).Bytes(); return sum[:] }},
	{"SHA-256", SHA256, func(data []byte) []byte { sum := sha256.Sum256(data); return sum[:] }},
}

// sumOf is the definition of the hash.
func sumOf(sum func([]byte) []byte, data []byte) string {
	var sums []byte
	for len(data) > 0 {
		n := min(len(data), 4<<20)
		sums, data = append(sums, sum(data[:n])...), data[n:]
	}
	return hex.EncodeToString(sum(sums))
}

// TestKnownHashes compares hashes with those that the xxhsum and sha256sum of Debian print, in the order of the
// digits too.
func TestKnownHashes(t *testing.T) {
	for _, test := range []struct {
		kind       HashKind
		text, want string // want is the hash of the hash of the text
	}{
		{XXH3, "", "99aa06d3014798d86001c324468d497f"},
		{SHA256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{XXH3, "etl", "8bf00aa0c1c88cb5ac702948ff5e9d58"},
		{SHA256, "etl", "0fa6dcad46e2d6c8cd59455b3ff9746172127aca6cf3f31d1271102c5b84d679"},
	} {
		f := NewHash(test.kind, strings.NewReader(test.text), int64(len(test.text)))
		if err := f.Read(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		if got := f.Sum(); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

func TestHashRead(t *testing.T) {
	for _, size := range []int{0, 1, ChunkBytes - 1, ChunkBytes, ChunkBytes + 1, 3*ChunkBytes + 5} {
		data := contents(size)
		for _, k := range kinds {
			for _, workers := range []int{1, 3} {
				f := NewHash(k.kind, bytes.NewReader(data), int64(size))
				if err := f.Read(t.Context(), workers); err != nil {
					t.Fatal(err)
				}
				if got, want := f.Sum(), sumOf(k.sum, data); got != want {
					t.Errorf("%s, %d bytes, %d workers: %s, want %s", k.name, size, workers, got, want)
				}
			}
		}
	}
}

// TestHashAdd passes parts of the file, which need not be read again.
func TestHashAdd(t *testing.T) {
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
			f := NewHash(XXH3, bytes.NewReader(data), int64(len(data)))
			var w Hasher
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
			if got, want := f.Sum(), sumOf(kinds[0].sum, data); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestReadOnce checks that bytes passed to Add are not read.
func TestReadOnce(t *testing.T) {
	data := contents(ChunkBytes)
	f := NewHash(XXH3, unreadable{}, int64(len(data)))
	var w Hasher
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
