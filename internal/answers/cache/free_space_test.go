package cache

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestFreeSpace asks for the free space of a folder, and of one that does not exist.
func TestFreeSpace(t *testing.T) {
	folder := t.TempDir()
	n, err := freeSpace(folder)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system does not report it")
	}
	if err != nil || n <= 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := freeSpace(filepath.Join(folder, "nosuch")); err == nil {
		t.Error("the free space of a folder that does not exist")
	}
}
