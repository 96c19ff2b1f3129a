package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// input is a file that is read: a trace, or an archive of traces.
type input struct {
	*inputs.File
	siblings []string
	beside   string // the state of the files beside a trace that describe its events; "" if none are read
}

// isLocal reports whether the file is on this machine.
func (f *input) isLocal() bool { return f.Info != nil }

// errFileChanged means that a file has changed, and its columns with it.
var errFileChanged = errors.New("it has changed since the query was prepared; prepare it again")

// open returns the traces of the input from the cache, or opens and reads them. The result must be
// released.
func (f *input) open(d *descriptions) (*held, error) {
	if err := f.unchanged(); err != nil {
		return nil, named(f.Name, err)
	}
	h, err := openInputs.hold(inputKey{f.Path, f.Size, f.ModTime.UnixNano(), stampsOf(f.siblings), f.beside, d.key()}, f, d)
	if err != nil {
		return nil, named(f.Name, inputs.WithoutPath(f.Path, err))
	}
	return h, nil
}

// unchanged returns an error if a file on this machine is not as it was found.
func (f *input) unchanged() error {
	if !f.isLocal() {
		return nil
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return inputs.WithoutPath(f.Path, err)
	}
	if info.Size() != f.Size || !info.ModTime().Equal(f.ModTime) {
		return errFileChanged
	}
	return nil
}

// named prefixes an error with the name of an input or a trace.
func named(name string, err error) error {
	return fmt.Errorf("%s: %w", name, inputs.WithoutPath(name, err))
}

// unread is an input, or an entry of an archive, that cannot be read.
type unread struct {
	name string
	err  error
}

// serverCache bounds the temporary file with what was read from servers.
const serverCache = 1 << 30

// servers are the web servers and buckets that queries read from, with a cache in a temporary file.
var servers = sync.OnceValue(func() *inputs.Servers {
	return inputs.NewServers(inputs.ServerOptions{CacheBytes: serverCache})
})

// findInputs returns the files that paths, patterns, folders and URLs stand for, and those among
// them that cannot be read or must not be.
func findInputs(paths []string, d *doors) (list []input, failed []unread, err error) {
	if len(paths) == 0 {
		return nil, nil, errors.New("no trace is named")
	}
	fail := func(name string, err error) { failed = append(failed, unread{name, inputs.WithoutPath(name, err)}) }
	var admitted []string
	for _, path := range paths {
		if path == inputs.Stdin {
			return nil, nil, errors.New("the extension does not read standard input; the program does: etl2parquet cat --format arrow -")
		}
		if name, err := d.admitInput(path); err != nil {
			fail(path, err)
		} else {
			admitted = append(admitted, name)
		}
	}
	urls, err := servers().Find(context.Background(), admitted)
	if err != nil {
		return nil, nil, err
	}
	found := inputs.Find(admitted, nil, urls, fail)
	for _, f := range found.Files {
		if f.IsPipe() {
			fail(f.Name, errors.New("the extension does not read pipes; the program does: etl2parquet cat --format arrow"))
			continue
		}
		if f.Info != nil {
			if err := d.admit(f.Path); err != nil {
				fail(f.Name, err)
				continue
			}
		}
		list = append(list, input{File: f, beside: stampsBeside(f, d)})
	}
	if len(list)+len(failed) == 0 {
		return nil, nil, fmt.Errorf("%s: no trace is there", strings.Join(paths, ", "))
	}
	var local []string
	for i := range list {
		if list[i].isLocal() {
			local = append(local, list[i].Path)
		}
	}
	others := siblings.Files(local, nil).Siblings
	for i := range list {
		list[i].siblings = others[list[i].Path]
	}
	return list, failed, nil
}

// stampsBeside returns the state of the files beside a trace on this machine that describe its events.
// If the settings do not allow one of them, none is read: the query names only the trace.
func stampsBeside(f *inputs.File, d *doors) string {
	if f.Info == nil {
		return ""
	}
	paths := catalog.FilesBeside(f.Path)
	for _, path := range paths {
		if d.admit(path) != nil {
			return ""
		}
	}
	return stampsOf(paths)
}

// joined returns the errors of inputs as one, or nil.
func joined(failed []unread) error {
	var errs []error
	for _, f := range failed {
		errs = append(errs, named(f.name, f.err))
	}
	return errors.Join(errs...)
}

// readerAt is the content of a trace.
type readerAt interface {
	io.ReaderAt
	Unchanged() error
}
