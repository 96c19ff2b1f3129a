//go:build unix

package store_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// TestFolderPipe checks that opening a pipe in place of a file fails instead of waiting.
func TestFolderPipe(t *testing.T) {
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	f := store.NewFolder(root)
	if _, err := f.Open(t.Context(), "pipe"); err == nil {
		t.Error("a pipe is opened")
	}
	if _, err := f.ReadFile(t.Context(), "pipe"); err == nil {
		t.Error("a pipe is read")
	}
	for entry := range f.List(t.Context(), "") {
		t.Errorf("%s is listed", entry.Name)
	}
}
