package diskspace

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestFree asks for the free space of a folder, and of one that does not exist.
func TestFree(t *testing.T) {
	folder := t.TempDir()
	n, err := Free(folder)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("this system does not report it")
	}
	if err != nil || n <= 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := Free(filepath.Join(folder, "nosuch")); err == nil {
		t.Error("the free space of a folder that does not exist")
	}
}
