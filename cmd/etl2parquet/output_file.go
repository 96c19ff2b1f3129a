package main

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// outputFile is a file that appears under its name when it is complete.
type outputFile struct {
	file   *os.File
	path   string // "": a device, a pipe or what is open, which is written as it is
	failed bool   // a write did: what is there is not complete
}

// createOutput begins a file. What has its name stays until the end. A link remains one.
func createOutput(path string) (*outputFile, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("it is a folder")
	case err == nil && (!info.Mode().IsRegular() || isDescriptor(path)):
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		return &outputFile{file: file}, err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-"+rand.Text()[:8]+".tmp")
	file, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return &outputFile{file: file, path: path}, err
}

// isDescriptor reports whether a path is that of a file that is open, such as /dev/stdout.
func isDescriptor(path string) bool {
	return strings.HasPrefix(path, "/dev/std") || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// Write implements [io.Writer].
func (f *outputFile) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	f.failed = f.failed || err != nil
	return n, err
}

// end gives the file its name if keep is true, and removes it otherwise or after errors.
func (f *outputFile) end(keep bool) error {
	err := f.file.Close()
	if f.path == "" {
		return err
	}
	if keep = keep && !f.failed && err == nil; keep {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil || !keep {
		err = errors.Join(err, os.Remove(f.file.Name()))
	}
	return err
}
