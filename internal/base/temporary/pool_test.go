package temporary_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/base/temporary"
)

func create(t *testing.T, p *temporary.Pool) *temporary.File {
	t.Helper()
	f, err := p.Create()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCreate checks that the folder stays empty, whether or not the files are closed.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	pool := temporary.NewPool(dir)
	for range 2 { // a new file can be made after the last one is closed
		a, b := create(t, pool), create(t, pool)
		for _, f := range []*temporary.File{a, b} {
			if disk, err := f.Disk(); err != nil || runtime.GOOS != "windows" && disk.Mode().Perm()&0o077 != 0 {
				t.Errorf("other users can read it: %v, %v", disk.Mode(), err)
			}
			if _, err := io.WriteString(f, "x"); err != nil {
				t.Error(err)
			}
		}
		for _, f := range []*temporary.File{a, b} {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			_, readErr := f.ReadAt(make([]byte, 1), 0)
			_, writeErr := f.Write([]byte("x"))
			for _, err := range []error{readErr, writeErr, f.Close()} {
				if !errors.Is(err, os.ErrClosed) {
					t.Errorf("write to a closed file: %v", err)
				}
			}
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := temporary.NewPool(filepath.Join(dir, "none")).Create(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
}

// TestPool writes files of many sizes concurrently, in order and in pieces anywhere,
// and reads them back. It closes some meanwhile, so that others reuse their room.
func TestPool(t *testing.T) {
	pool := temporary.NewPool(t.TempDir())
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(worker)))
			for n := range 6 {
				f, err := pool.Create()
				if err != nil {
					t.Error(err)
					return
				}
				want := make([]byte, random.IntN(1<<19)+n)
				for i := range want {
					want[i] = byte(random.Uint32())
				}
				if err := fill(f, want, random); err != nil {
					t.Error(err)
				}
				got := make([]byte, len(want)+10)
				k, err := f.ReadAt(got, 0)
				if err != io.EOF || f.Size() != int64(len(want)) || !bytes.Equal(got[:k], want) {
					t.Errorf("worker %d, file %d: %d bytes of %d, %v", worker, n, k, len(want), err)
				}
				from := random.IntN(len(want) + 1)
				part := make([]byte, random.IntN(len(want)-from+1))
				if k, err := f.ReadAt(part, int64(from)); from < len(want) && (err != nil || !bytes.Equal(part[:k], want[from:from+k]) || k < len(part)) {
					t.Errorf("worker %d, file %d: %d bytes from %d on, %v", worker, n, k, from, err)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// fill writes a file: in order, or in pieces in any order.
func fill(f *temporary.File, contents []byte, random *rand.Rand) error {
	var starts []int
	for at := 0; at < len(contents); at += 1 + random.IntN(400<<10) {
		starts = append(starts, at)
	}
	ends := append(starts[min(1, len(starts)):], len(contents))
	if random.IntN(2) == 0 {
		for i, from := range starts {
			if _, err := f.Write(contents[from:ends[i]]); err != nil {
				return err
			}
		}
		return nil
	}
	for _, i := range random.Perm(len(starts)) {
		if _, err := f.WriteAt(contents[starts[i]:ends[i]], int64(starts[i])); err != nil {
			return err
		}
	}
	return nil
}

// TestUnwritten reads ranges that were not written.
func TestUnwritten(t *testing.T) {
	pool := temporary.NewPool(t.TempDir())
	f := create(t, pool)
	defer f.Close()
	if n, err := f.ReadAt(make([]byte, 1), 0); n != 0 || err != io.EOF {
		t.Errorf("an empty file: %d, %v", n, err)
	}
	if _, err := f.WriteAt([]byte("x"), 10<<20); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int64{-1, 0, 1 << 20} {
		if n, err := f.ReadAt(make([]byte, 2<<20), at); n != 0 || err == nil || err == io.EOF {
			t.Errorf("at %d: %d, %v", at, n, err)
		}
	}
	if n, err := f.WriteAt(nil, 0); n != 0 || err != nil {
		t.Errorf("nothing: %d, %v", n, err)
	}
}

// TestRoom checks that the disk file shrinks when files at its end are closed, and
// that new files reuse the room of other closed files.
func TestRoom(t *testing.T) {
	dir := t.TempDir()
	pool := temporary.NewPool(dir)
	var files []*temporary.File
	for i := range 3 {
		files = append(files, create(t, pool))
		if _, err := files[i].Write(bytes.Repeat([]byte{byte(i)}, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	size := func(want int64) {
		t.Helper()
		if disk, err := files[1].Disk(); err != nil || disk.Size() != want {
			t.Errorf("%d bytes on disk, want %d, %v", disk.Size(), want, err)
		}
	}
	size(3 << 20)
	files[0].Close()
	size(3 << 20)
	files[0] = create(t, pool)
	if _, err := files[0].Write(bytes.Repeat([]byte{9}, 1<<20)); err != nil {
		t.Fatal(err)
	}
	size(3 << 20)
	files[2].Close()
	size(2 << 20)
	for i, want := range []byte{9, 1} {
		got := make([]byte, 1<<20)
		if _, err := files[i].ReadAt(got, 0); err != nil || !bytes.Equal(got, bytes.Repeat([]byte{want}, 1<<20)) {
			t.Errorf("file %d: %v, %v", i, err, fmt.Sprint(got[:4]))
		}
	}
	files[0].Close()
	files[1].Close()
}
