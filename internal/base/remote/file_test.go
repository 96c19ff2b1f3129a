package remote_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

// contents returns bytes that differ everywhere.
func contents(size int) []byte {
	data := make([]byte, size)
	chacha := rand.NewChaCha8(sha256.Sum256([]byte("contents")))
	if _, err := chacha.Read(data); err != nil {
		panic(err)
	}
	return data
}

// fetches serves data and counts the fetched bytes.
type fetches struct {
	data []byte

	mu      sync.Mutex
	bytes   int
	offsets map[int64]int
}

func (f *fetches) fetch(_ context.Context, p []byte, offset int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.offsets == nil {
		f.offsets = make(map[int64]int)
	}
	f.offsets[offset]++
	f.bytes += copy(p, f.data[offset:])
	return nil
}

// TestFileReadByMany reads a file as a conversion does: by several goroutines, in
// order and at random offsets.
func TestFileReadByMany(t *testing.T) {
	data := contents(21<<20 + 12345)
	for name, test := range map[string]struct {
		dir   string
		limit int64
		once  bool
	}{
		"on disk":        {t.TempDir(), 1 << 30, true},
		"partly on disk": {t.TempDir(), 10 << 20, false},
		"nothing kept":   {t.TempDir(), 0, false},
		"no folder":      {filepath.Join(t.TempDir(), "none"), 1 << 30, false},
	} {
		t.Run(name, func(t *testing.T) {
			from := &fetches{data: data}
			file := remote.NewCache(test.dir, test.limit, 4).Open(t.Context(), int64(len(data)), from.fetch)
			var g errgroup.Group
			for reader := range 6 {
				g.Go(func() error {
					r := rand.New(rand.NewPCG(1, uint64(reader)))
					p := make([]byte, 70<<10)
					for at := 0; at < len(data); at += len(p) {
						offset := at
						if reader%2 == 1 {
							offset = r.IntN(len(data))
						}
						n, err := file.ReadAt(p, int64(offset))
						if want := data[offset:min(len(data), offset+len(p))]; !bytes.Equal(p[:n], want) || err != nil && (err != io.EOF || len(want) == len(p)) {
							t.Errorf("%d bytes at %d: %v", n, offset, err)
						}
					}
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
			if test.once && from.bytes != len(data) {
				t.Errorf("%d bytes fetched of %d", from.bytes, len(data))
			}
			if left, _ := os.ReadDir(test.dir); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// TestFileAhead checks that the cache fetches ahead of reads in order, and only then.
func TestFileAhead(t *testing.T) {
	data := contents(44 << 20)
	from := &fetches{data: data}
	file := remote.NewCache(t.TempDir(), 1<<30, 8).Open(t.Context(), int64(len(data)), from.fetch)
	p := make([]byte, 100)
	for _, at := range []int64{40 << 20, 30 << 20} {
		if _, err := file.ReadAt(p, at); err != nil {
			t.Fatal(err)
		}
	}
	from.mu.Lock()
	if len(from.offsets) != 2 {
		t.Errorf("fetched at %v", from.offsets)
	}
	from.mu.Unlock()
	if _, err := file.ReadAt(p, 0); err != nil {
		t.Fatal(err)
	}
	for at := int64(4 << 20); at <= 16<<20; at += 4 << 20 { // must be fetched without waiting for a reader
		if _, err := file.ReadAt(p, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	for at, n := range from.offsets {
		if n != 1 {
			t.Errorf("fetched %d times at %d", n, at)
		}
	}
}

func TestFileEdges(t *testing.T) {
	data := contents(100)
	from := &fetches{data: data}
	file := remote.NewCache(t.TempDir(), 1<<30, 1).Open(t.Context(), 100, from.fetch)
	defer file.Close()
	for _, test := range []struct {
		at   int64
		n    int
		want int
		err  error
	}{{0, 100, 100, nil}, {90, 20, 10, io.EOF}, {100, 1, 0, io.EOF}, {1 << 40, 1, 0, io.EOF}, {0, 0, 0, nil}} {
		p := make([]byte, test.n)
		if n, err := file.ReadAt(p, test.at); n != test.want || err != test.err {
			t.Errorf("%d at %d: %d, %v; want %d, %v", test.n, test.at, n, err, test.want, test.err)
		}
	}
	if _, err := file.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("no error for a negative offset")
	}
}

// TestFileFails checks that all readers get an error, and that the server gets no second request.
func TestFileFails(t *testing.T) {
	fails := errors.New("no")
	asked := 0
	file := remote.NewCache(t.TempDir(), 1<<30, 1).Open(t.Context(), 100, func(context.Context, []byte, int64) error { asked++; return fails })
	for range 3 {
		if _, err := file.ReadAt(make([]byte, 10), 0); !errors.Is(err, fails) {
			t.Errorf("error %v", err)
		}
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if asked != 1 {
		t.Errorf("%d requests", asked)
	}
	if _, err := file.ReadAt(make([]byte, 10), 0); err == nil {
		t.Error("a closed file can be read")
	}
}

// TestFileCancelled checks that cancelling ends reads that wait for a server.
func TestFileCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	file := remote.NewCache(t.TempDir(), 1<<30, 1).Open(ctx, 100<<20, func(ctx context.Context, _ []byte, _ int64) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	})
	if _, err := file.ReadAt(make([]byte, 10), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
}
