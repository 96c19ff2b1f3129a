package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// openBelow returns the number of files and folders below root that this process has open.
func openBelow(t *testing.T, root string) (n int) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && strings.HasPrefix(target, root) {
			n++
		}
	}
	return n
}

// TestLimitOpenFiles writes more files at a time than may be open, in turns and from
// many goroutines, and reads other files meanwhile.
func TestLimitOpenFiles(t *testing.T) {
	for _, most := range []int{1, 2, 7, 100} {
		t.Run(fmt.Sprintf("most=%d", most), func(t *testing.T) {
			root := t.TempDir()
			f := store.NewFolder(root)
			f.LimitOpenFiles(most)
			const files, rounds = 10, 30
			var highest atomic.Int64
			look := func() { highest.Store(max(highest.Load(), int64(openBelow(t, root)))) }
			created := make([]store.File, files)
			want := make([]bytes.Buffer, files)
			for i := range created {
				var err error
				if created[i], err = f.Create(t.Context(), fmt.Sprintf("%d/f", i)); err != nil {
					t.Fatal(err)
				}
			}
			write := func(i, round int) {
				text := fmt.Sprintf("file %d, round %d\n", i, round)
				want[i].WriteString(text)
				if n, err := io.WriteString(created[i], text); n != len(text) || err != nil {
					t.Errorf("file %d: %d written, %v", i, n, err)
				}
			}
			for round := range rounds { // in turns
				for i := range created {
					write(i, round)
				}
				look()
			}
			var all sync.WaitGroup
			var still sync.RWMutex   // locked, no file is opened or closed: the list of open ones takes a while to read
			for i := range created { // concurrently
				all.Go(func() {
					for round := range rounds {
						still.RLock()
						write(i, round)
						still.RUnlock()
						if i == 0 {
							still.Lock()
							look()
							still.Unlock()
						}
					}
					still.RLock()
					defer still.RUnlock()
					_, err := created[i].Stage(t.Context())
					if err == nil {
						err = created[i].Publish(t.Context())
					}
					if err == nil {
						_, err = f.Folders(t.Context(), fmt.Sprint(i))
					}
					if text, readErr := f.ReadFile(t.Context(), fmt.Sprintf("%d/f", i)); err != nil || readErr != nil || !bytes.Equal(text, want[i].Bytes()) {
						t.Errorf("file %d: %v, %v, %q", i, err, readErr, text)
					}
				})
			}
			all.Wait()
			if got := highest.Load(); got > int64(most) || got < int64(min(most, files)) {
				t.Errorf("%d files open, of %d", got, most)
			}
			if n := openBelow(t, root); n != 0 {
				t.Errorf("%d files are left open", n)
			}
		})
	}
}

// TestLimitOpenFilesEnds checks that a cancelled context ends the wait for a file to
// be closed. It discards files that are open, and files closed to make room.
func TestLimitOpenFilesEnds(t *testing.T) {
	root := t.TempDir()
	f := store.NewFolder(root)
	f.LimitOpenFiles(1)
	write(t, f, "x")
	content, err := f.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Create(ctx, "y"); !errors.Is(err, context.Canceled) {
		t.Errorf("Create: %v", err)
	}
	if _, err := f.ReadFile(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadFile: %v", err)
	}
	if _, err := f.Folders(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("Folders: %v", err)
	}
	if err := content.Close(); err != nil {
		t.Error(err)
	}
	var files []store.File
	for _, name := range []string{"a", "b"} {
		file, err := f.Create(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(file, name); err != nil {
			t.Error(err)
		}
		files = append(files, file)
	}
	for _, file := range files {
		if err := file.Discard(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 1 || openBelow(t, root) != 0 {
		t.Errorf("left: %v, %v, %d open", entries, err, openBelow(t, root))
	}
}

// TestChangedWhileClosed removes a file, or writes to it from outside, while it is
// closed between writes.
func TestChangedWhileClosed(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"removed": os.Remove,
		"longer":  func(path string) error { return os.WriteFile(path, []byte("longer"), 0o666) },
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			f := store.NewFolder(root)
			f.LimitOpenFiles(1)
			file, err := f.Create(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(file, "a"); err != nil {
				t.Fatal(err)
			}
			write(t, f, "b")
			hidden, err := filepath.Glob(filepath.Join(root, ".a*"))
			if err != nil || len(hidden) != 1 {
				t.Fatal(hidden, err)
			}
			if err := change(hidden[0]); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(file, "a"); err == nil {
				t.Error("it is written on")
			}
			if _, err := file.Stage(t.Context()); err == nil {
				t.Error("it is staged")
			}
			if err := file.Discard(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}
