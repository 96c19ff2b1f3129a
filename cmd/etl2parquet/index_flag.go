package main

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// indexOption is the option of commands that read a file of indexes.
func indexOption(path *string) []option {
	return []option{{flag: "index", value: path, complete: completeFiles, usage: "use the index of the trace in this `file`, written by \"etl2parquet splits --index\", instead of reading the whole trace first"}}
}

// indexWriter writes a file of indexes. A nil indexWriter does nothing.
type indexWriter struct{ *outputFile }

// newIndexWriter begins a file of indexes, or returns nil if path is "".
func newIndexWriter(path string) (*indexWriter, error) {
	if path == "" {
		return nil, nil
	}
	file, err := createOutput(path)
	if err != nil {
		return nil, usageError{fileError("index", path, err)}
	}
	return &indexWriter{file}, nil
}

// add adds the index of a trace.
func (w *indexWriter) add(source *pipeline.Source) error {
	if w == nil {
		return nil
	}
	return source.WriteIndex(w)
}

// end keeps or removes the file.
func (w *indexWriter) end(keep bool) error {
	if w == nil {
		return nil
	}
	return w.outputFile.end(keep)
}
