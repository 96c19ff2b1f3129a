package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

// descriptions are the files that a user names to describe events and code of a trace.
type descriptions struct {
	manifests, tmf, catalogs, symbols []string
	messages                          etl2parquet.MessageMode
	stamps                            string // of the files that describe events
	locked                            bool   // nothing is written, such as a cache of symbols
}

// descriptionError is an error in the files that describe events or code. It is not one of a trace.
type descriptionError struct{ error }

func (e descriptionError) Unwrap() error { return e.error }

// admit returns an error if one of the files must not be read.
func (d *descriptions) admit(by *doors) error {
	d.locked = by.locked
	for name, paths := range map[string][]string{manifestParameter: d.manifests, tmfParameter: d.tmf, catalogParameter: d.catalogs} {
		for i, path := range paths {
			err := by.admitAll(path)
			if err == nil && by.locked { // the path that was checked, without ..
				paths[i], err = filepath.Abs(path)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", name, named(path, err))
			}
		}
	}
	if !by.locked {
		return nil
	}
	for _, list := range d.symbols {
		for _, path := range strings.FieldsFunc(list, func(c rune) bool { return c == ';' || c == '*' }) {
			err := by.admitAll(path)
			if err == nil && slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..") {
				err = errParent
			}
			if err != nil {
				return fmt.Errorf("%s: %w", symbolsParameter, named(path, err))
			}
		}
	}
	return nil
}

// key returns a text that identifies the descriptions.
func (d *descriptions) key() string {
	return fmt.Sprintf("%q", []any{d.manifests, d.tmf, d.catalogs, d.symbols, d.messages, d.stamps, d.locked})
}

// stamp records the state of the files.
func (d *descriptions) stamp() { d.stamps = stampsOf(slices.Concat(d.manifests, d.tmf, d.catalogs)) }

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

// options opens the files, also those beside the trace if they are wanted. The symbols must be closed
// after the traces.
func (d *descriptions) options(beside bool) (o etl2parquet.Options, err error) {
	o.Messages = d.messages
	if beside || len(d.manifests)+len(d.tmf)+len(d.catalogs) > 0 {
		o.Descriptions, err = etl2parquet.OpenDescriptions(etl2parquet.DescriptionFiles{Manifests: d.manifests, TMF: d.tmf, Catalogs: d.catalogs, Beside: beside})
		if err != nil {
			return o, descriptionError{err}
		}
	}
	if len(d.symbols) > 0 {
		if o.Symbols, err = d.openSymbols(); err != nil {
			return o, descriptionError{fmt.Errorf("%s: %w", symbolsParameter, err)}
		}
	}
	return o, nil
}

// openSymbols opens the symbols. A path that cannot be used is an error, because a query cannot
// report warnings.
func (d *descriptions) openSymbols() (*etl2parquet.Symbols, error) {
	first := make(chan string, 1)
	o := etl2parquet.SymbolOptions{Paths: d.symbols, OnNote: func(text string) {
		select {
		case first <- text:
		default:
		}
	}}
	if folder, err := os.UserCacheDir(); err == nil && !d.locked {
		o.Cache = filepath.Join(folder, "etl2parquet", "symbols")
	}
	symbols, err := etl2parquet.OpenSymbols(context.Background(), o)
	select {
	case text := <-first:
		return nil, errors.Join(errors.New(text), err, symbols.Close())
	default:
		return symbols, err
	}
}
