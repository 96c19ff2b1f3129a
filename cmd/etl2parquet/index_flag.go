package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/convert"
)

// addIndex adds the flag of the commands that read a file of indexes.
func addIndex(flags *pflag.FlagSet, path *string) {
	flags.StringVar(path, "index", "", "take what \"etl2parquet splits --index\" has learned of the trace from this `file`, and do not read all of it first")
}

// indexWriter writes a file of indexes, which appears under its name when it is complete. Nil
// writes none.
type indexWriter struct {
	path string
	file *os.File
}

// newIndexWriter begins a file of indexes. No path is no file.
func newIndexWriter(path string) (*indexWriter, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.tmp")
	if err != nil {
		return nil, usageError{fileError("index", path, err)}
	}
	return &indexWriter{path, file}, nil
}

// add adds the index of a trace.
func (w *indexWriter) add(source *convert.Source) error {
	if w == nil {
		return nil
	}
	return source.WriteIndex(w.file)
}

// end gives the file its name if keep is true, and removes it otherwise or on errors.
func (w *indexWriter) end(keep bool) error {
	if w == nil {
		return nil
	}
	err := w.file.Close()
	if err == nil && keep {
		if err = os.Chmod(w.file.Name(), 0o644); err == nil {
			err = os.Rename(w.file.Name(), w.path)
		}
	}
	if err != nil || !keep {
		err = errors.Join(err, os.Remove(w.file.Name()))
	}
	return err
}
