// Package spool makes temporary files that only their process can read and
// that are gone when it ends, however it ends: where the system removes the
// name of a file in use, at once, elsewhere by the next run's [Sweep].
package spool

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The files have names by which Sweep knows them again.
const (
	prefix = "etl2parquet-spool-"
	suffix = ".tmp"
)

// disk is a temporary file of the system.
type disk struct {
	*os.File
	named bool
}

// createDisk makes a file in a folder, or in the system's for temporary files
// if that is "".
func createDisk(dir string) (*disk, error) {
	file, err := os.CreateTemp(dir, prefix+"*"+suffix)
	if err != nil {
		return nil, err
	}
	d := &disk{File: file}
	if err := os.Remove(file.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.named = true // Windows
	}
	return d, nil
}

// Close gives the disk space back.
func (d *disk) Close() error {
	err := d.File.Close()
	if d.named {
		err = errors.Join(err, os.Remove(d.Name()))
	}
	return err
}

// Sweep removes the files that a process which was killed has left in a folder
// (or in the system's, if that is ""), and returns how many. It can run beside
// other processes that use the folder: on Windows files in use cannot be
// removed, and elsewhere they need their names no longer.
func Sweep(dir string) (int, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	entries, err := os.ReadDir(dir)
	removed := 0
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, suffix) {
			continue
		}
		if os.Remove(filepath.Join(dir, name)) == nil { // otherwise it is in use, or another user's
			removed++
		}
	}
	return removed, err
}
