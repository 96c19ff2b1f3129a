package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// outputError returns the error for a dataset that cannot be written.
func outputError(output string, err error) error {
	if text := obstacle(output); text != "" {
		return fmt.Errorf("cannot write to %s: %s; the output must be a folder", output, text)
	}
	return fmt.Errorf("cannot write to %s: %w", output, inputs.WithoutPath(output, err))
}

// obstacle explains why a folder cannot exist: its path, or a parent of it, is a
// file or a dangling link. It returns "" if there is another reason, or none.
func obstacle(folder string) string {
	if inputs.IsURL(folder) {
		return ""
	}
	folder = filepath.Clean(folder)
	for place := folder; ; place = filepath.Dir(place) {
		if _, err := os.Lstat(place); err == nil {
			subject := "it"
			if place != folder {
				subject = place
			}
			return obstacleAt(place, subject)
		}
		if place == filepath.Dir(place) {
			return ""
		}
	}
}

func obstacleAt(path, subject string) string {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if target, err := os.Readlink(path); err == nil {
			return fmt.Sprintf("%s is a link to %s, which does not exist", subject, target)
		}
	case err == nil && info.Mode().IsRegular():
		return subject + " is a file"
	case err == nil && !info.IsDir():
		return subject + " is not a folder"
	}
	return ""
}

// outputFile is the path or URL of a file in the dataset.
func (f *convertFlags) outputFile(name string) string {
	if inputs.IsBucketURL(f.output) {
		return strings.TrimRight(f.output, "/") + "/" + name
	}
	return filepath.Join(f.output, filepath.FromSlash(name))
}

// reason removes the operation and the path from a file error, for a message
// that names the file as the user did.
func reason(err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		return file.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// fileError returns the error for a file named by a flag.
func fileError(flag, path string, err error) error {
	return fmt.Errorf("--%s %s: %w", flag, path, reason(err))
}

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

// outputValue is the value of the flag --output. It rejects a second value, which
// would otherwise silently replace the first.
type outputValue struct{ path *string }

func (v outputValue) Type() string   { return "string" }
func (v outputValue) String() string { return *v.path }

func (v outputValue) Set(text string) error {
	if text == "utput" { // -output means -o utput
		return errors.New("write --output with two dashes, or -o")
	}
	path, err := inputs.LocalPath(text)
	switch {
	case err != nil:
		return err
	case *v.path != "" && *v.path != path:
		return fmt.Errorf("there can be only one, but %q and %q are given", *v.path, path)
	}
	*v.path = path
	return nil
}

// pathValue is the value of a flag for a file or folder that is written. Like the names of inputs, it
// may begin with "~", or be a file: URL.
type pathValue struct{ path *string }

func (v pathValue) Type() string   { return "string" }
func (v pathValue) String() string { return *v.path }

func (v pathValue) Set(text string) (err error) {
	*v.path, err = inputs.LocalPath(text)
	return err
}

// outputOption is the option for the output of a command that needs one.
func outputOption(path *string, usage string, complete cobra.CompletionFunc) []option {
	return []option{{flag: "output,o", value: outputValue{path}, usage: usage, complete: complete}}
}

// output remembers the first error, so that a full disk does not look like success.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// isClosedPipe reports whether err is from writing to a pipe whose reader is gone.
func isClosedPipe(err error) bool {
	const noData = syscall.Errno(232) // ERROR_NO_DATA of Windows
	return errors.Is(err, syscall.EPIPE) || runtime.GOOS == "windows" && errors.Is(err, noData)
}

// ignoreClosedPipe discards the output after its reader is gone.
type ignoreClosedPipe struct{ io.Writer }

func (w ignoreClosedPipe) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if isClosedPipe(err) {
		return len(p), nil
	}
	return n, err
}
