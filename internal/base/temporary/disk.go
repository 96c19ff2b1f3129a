package temporary

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// KeepsNames reports whether files of this system have their names while they are open, so that killed
// processes leave files to sweep. Elsewhere a name is removed at once.
const KeepsNames = runtime.GOOS == "windows"

// The names of the files, by which SweepFiles recognises them.
const (
	filePrefix = "etl2parquet-spool-"
	fileSuffix = ".tmp"
)

// disk is a temporary file of the system.
type disk struct {
	*os.File
	named bool
}

// createDisk creates a file in a folder, or in the system's temporary folder if dir is "".
func createDisk(dir string) (*disk, error) {
	file, err := os.CreateTemp(dir, filePrefix+"*"+fileSuffix)
	if err != nil {
		return nil, err
	}
	d := &disk{File: file}
	if err := os.Remove(file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.named = true // Windows
	}
	return d, nil
}

// Close releases the disk space.
func (d *disk) Close() error {
	err := d.File.Close()
	if d.named {
		err = errors.Join(err, os.Remove(d.Name()))
	}
	return err
}

// SweepFiles removes the files that killed processes left in a folder, or in the system's
// temporary folder if dir is "", and returns their number. Other processes may use the
// folder meanwhile: on Windows, files in use cannot be removed; elsewhere, files in use
// no longer need their names.
func SweepFiles(dir string) (int, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	entries, err := os.ReadDir(dir)
	removed := 0
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasPrefix(name, filePrefix) || !strings.HasSuffix(name, fileSuffix) {
			continue
		}
		if os.Remove(filepath.Join(dir, name)) == nil { // else the file is in use, or another user's
			removed++
		}
	}
	return removed, err
}
