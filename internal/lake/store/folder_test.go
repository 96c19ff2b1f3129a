package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

func TestFolder(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return store.NewFolder(filepath.Join(t.TempDir(), "out")) })
}

// TestFolderOneFile works with at most one open file.
func TestFolderOneFile(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		f := store.NewFolder(filepath.Join(t.TempDir(), "out"))
		f.LimitOpenFiles(1)
		return f
	})
}

// TestFolderPrepare checks that folders are made, and removed again if they stay
// empty.
func TestFolderPrepare(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "a", "b")
	for _, used := range []bool{false, true} {
		f := store.NewFolder(root)
		if err := f.Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
			t.Errorf("the new folder has %v, %v", entries, err)
		}
		if used {
			write(t, f, "x/y")
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(base, "a")); (err == nil) != used {
			t.Errorf("used: %t, the folder: %v", used, err)
		}
	}
	mine := t.TempDir()
	f := store.NewFolder(mine)
	if err := errors.Join(f.Prepare(t.Context()), f.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("an earlier folder is gone: %v", err)
	}
}

func write(t *testing.T, s store.Store, name string) {
	t.Helper()
	storetest.Publish(t, s, map[string]string{name: ""})
}

func TestFolderPrepareFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	testenv.WriteFile(t, file, "")
	if err := store.NewFolder(filepath.Join(file, "x")).Prepare(t.Context()); err == nil {
		t.Error("a folder inside a file is made")
	}
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		return // every folder is writable
	}
	locked := filepath.Join(t.TempDir(), "locked")
	if err := os.Mkdir(locked, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := store.NewFolder(locked).Prepare(context.Background()); !errors.Is(err, os.ErrPermission) {
		t.Errorf("error %v", err)
	}
}

// TestFolderURL checks the absolute paths that other programs accept.
func TestFolderURL(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := store.NewFolder(filepath.Join("a", "b")).URL("c/d"), filepath.ToSlash(here)+"/a/b/c/d"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestFolderPrepareTogether prepares a folder while others remove its probe, which
// they take for a leftover, and the folder itself when it is empty.
func TestFolderPrepareTogether(t *testing.T) {
	root := filepath.Join(t.TempDir(), "out")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			probes, _ := filepath.Glob(filepath.Join(root, ".probe-*")) // the pattern is valid
			for _, probe := range append(probes, root) {
				os.Remove(probe) // if it exists and is empty
			}
			time.Sleep(20 * time.Microsecond) // other processes are not faster
		}
	}()
	for range 3000 {
		if err := store.NewFolder(root).Prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-stopped
}

// TestFolderBusy replaces and removes a file while another program has it open for
// a moment: Windows refuses both.
func TestFolderBusy(t *testing.T) {
	root := t.TempDir()
	f := store.NewFolder(root)
	write(t, f, "a")
	for what, do := range map[string]func(){
		"replace": func() { write(t, f, "a") },
		"remove": func() {
			if err := f.Remove(t.Context(), "a"); err != nil {
				t.Error(err)
			}
			write(t, f, "a")
		},
	} {
		t.Run(what, func(t *testing.T) {
			file, err := os.Open(filepath.Join(root, "a"))
			if err != nil {
				t.Fatal(err)
			}
			closed := make(chan error, 1)
			time.AfterFunc(50*time.Millisecond, func() { closed <- file.Close() })
			do()
			if err := <-closed; err != nil {
				t.Error(err)
			}
		})
	}
}
