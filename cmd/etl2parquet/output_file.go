package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// outputFile is a file that gets its name when it is complete.
type outputFile struct {
	file   *os.File
	path   string // "" for a device, a pipe or an open descriptor, which is written directly
	failed bool   // a write failed: the file is not complete
}

// createOutput begins a file. An existing file of that name stays until end replaces it. A link
// stays a link.
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

// newOutput begins the file of the option output. With force it may replace a file.
func newOutput(path string, force bool) (*outputFile, error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !isDescriptor(path) && !force {
		return nil, usageError{fileError("output", path, fmt.Errorf("%w; --force replaces it", os.ErrExist))}
	}
	file, err := createOutput(path)
	if err != nil {
		return nil, usageError{fileError("output", path, err)}
	}
	return file, nil
}

// Beginnings of files that a run of the program replaces by others of their kind.
const (
	planBegin   = "{\n  \"format\": "
	reportBegin = "{\n  \"tool\": "
	indexBegin  = "etl2pqix"
)

// checkReplaced refuses an output that would replace a file of another kind, such as a trace.
func checkReplaced(flag, path, begin string) error {
	info, err := os.Stat(path)
	if path == "" || path == "-" || err != nil || !info.Mode().IsRegular() || isDescriptor(path) || info.Size() == 0 {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return usageError{fileError(flag, path, err)}
	}
	defer file.Close()
	found := make([]byte, len(begin))
	if _, err := io.ReadFull(file, found); err != nil || string(found) != begin {
		return usageError{fileError(flag, path, fmt.Errorf("%w, and is not one that --%s wrote: it is not replaced", os.ErrExist, flag))}
	}
	return nil
}

// isDescriptor reports whether a path stands for an open descriptor, such as /dev/stdout.
func isDescriptor(path string) bool {
	return strings.HasPrefix(path, "/dev/std") || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// Write implements [io.Writer].
func (f *outputFile) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	f.failed = f.failed || err != nil
	return n, err
}

// end gives the file its name if keep is true and no write failed; otherwise it removes the file.
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
