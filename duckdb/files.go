package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/siblings"
)

// file is a trace that is read.
type file struct {
	path     string
	trace    string // its name, as in a dataset
	size     int64
	modified time.Time
	siblings []string
}

// errFileChanged means that a file has changed, and its columns with it.
var errFileChanged = errors.New("it has changed since the query was prepared; prepare it again")

// open returns the trace from the cache, or opens and reads it. It must be released.
func (f *file) open(d *descriptions) (*held, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, named(f.path, err)
	}
	if info.Size() != f.size || !info.ModTime().Equal(f.modified) {
		return nil, named(f.path, errFileChanged)
	}
	h, err := traces.hold(traceKey{f.path, f.size, f.modified.UnixNano(), stampsOf(f.siblings), d.key()}, f.siblings, d)
	if err != nil {
		return nil, named(f.path, err)
	}
	return h, nil
}

// named prefixes an error with a path.
func named(path string, err error) error {
	return fmt.Errorf("%s: %w", path, inputs.WithoutPath(path, err))
}

// findFiles returns the traces that paths, patterns and folders stand for.
func findFiles(paths []string) ([]file, error) {
	if len(paths) == 0 {
		return nil, errors.New("no trace is named")
	}
	for _, path := range paths {
		if path == inputs.Stdin || inputs.IsURL(path) {
			return nil, fmt.Errorf("%s: the extension reads files; the program reads others: etl2parquet cat --format arrow", path)
		}
	}
	var failed error
	found := inputs.Find(paths, nil, nil, func(name string, err error) {
		failed = errors.Join(failed, named(name, err))
	})
	if failed != nil {
		return nil, failed
	}
	if len(found.Files) == 0 {
		return nil, fmt.Errorf("%s: no trace is there", strings.Join(paths, ", "))
	}
	var names []string
	for _, f := range found.Files {
		names = append(names, f.Path)
	}
	traceNames, siblings := partname.OfTraces(names), siblings.SessionFiles(names)
	var list []file
	for i, path := range names {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		list = append(list, file{path, traceNames[i], info.Size(), info.ModTime(), siblings[path]})
	}
	return list, nil
}

// descriptions are the files that a user names to describe events and code of a trace.
type descriptions struct {
	manifests, tmf, catalogs, symbols []string
	messages                          etl2parquet.MessageMode
	stamps                            string // of the files that describe events
}

// key returns a text that identifies the descriptions.
func (d *descriptions) key() string {
	return fmt.Sprintf("%q", []any{d.manifests, d.tmf, d.catalogs, d.symbols, d.messages, d.stamps})
}

// stampsOf returns a text that changes if a file, or a file in a folder, changes.
func stampsOf(paths []string) string {
	var stamps strings.Builder
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		// Opening the file reports the error.
		_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				if info, err := d.Info(); err == nil {
					fmt.Fprintf(&stamps, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
				}
			}
			return nil
		})
	}
	return stamps.String()
}

// options opens the files of the descriptions. The symbols must be closed after the trace.
func (d *descriptions) options() (o etl2parquet.Options, err error) {
	o.Messages = d.messages
	if len(d.manifests)+len(d.tmf)+len(d.catalogs) > 0 {
		o.Descriptions, err = etl2parquet.OpenDescriptions(etl2parquet.DescriptionFiles{Manifests: d.manifests, TMF: d.tmf, Catalogs: d.catalogs})
	}
	return o, err
}
