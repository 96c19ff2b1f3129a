package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
)

// traceNames gives each input the name of its trace in the dataset. An input
// that was converted before keeps its name, whatever else is converted with it
// now; a new one gets the plain name, unless that is another's.
func traceNames(d *convert.Dataset, files []input) ([]string, error) {
	paths := make([]string, len(files))
	for i := range files {
		paths[i] = files[i].path
	}
	names := convert.TraceNames(paths)
	for i := range files {
		name, err := traceName(d, &files[i], names[i])
		if err != nil {
			return nil, err
		}
		names[i] = name
	}
	return names, nil
}

// traceName returns the name of one input, given the one it gets in a dataset
// without records.
func traceName(d *convert.Dataset, in *input, fresh string) (string, error) {
	plain, hashed := convert.TraceNames([]string{in.path})[0], convert.HashedName(in.path)
	plainIsFree := true
	for _, name := range []string{plain, hashed} {
		record, err := d.Record(name)
		if err != nil {
			return "", err
		}
		if record == nil {
			continue
		}
		if in.is(record) {
			return name, nil
		}
		plainIsFree = plainIsFree && name != plain
	}
	if fresh == plain && plainIsFree {
		return plain, nil
	}
	return hashed, nil
}

// is reports whether a record is that of an input: of the same path, of the
// same file by another path, or of a file that was moved to its path.
func (in *input) is(record *convert.Record) bool {
	recorded := filepath.FromSlash(record.Input)
	if samePath(recorded, in.path) {
		return true
	}
	info, err := os.Stat(recorded)
	if err == nil {
		return os.SameFile(info, in.info)
	}
	return os.IsNotExist(err) && record.InputSize == in.size && record.InputTime.Equal(in.info.ModTime())
}

func samePath(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
