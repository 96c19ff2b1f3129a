package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
)

// traceNames names traces in the dataset.
type traceNames struct {
	dataset *convert.Dataset
	taken   map[string]bool // in lower case: some file systems do not tell case apart
}

// newTraceNames gives each input the name of its trace, should it be one. An
// input that was converted before keeps its name, whatever else is converted
// with it now; a new one gets the plain name, unless that is another's.
func newTraceNames(ctx context.Context, d *convert.Dataset, files []input) (*traceNames, error) {
	paths := make([]string, len(files))
	for i := range files {
		paths[i] = files[i].path
	}
	n := &traceNames{dataset: d, taken: make(map[string]bool)}
	for i, fresh := range convert.TraceNames(paths) {
		in := &files[i]
		if in.stdin() {
			continue
		}
		name, err := n.find(ctx, &trace{in: in, size: in.size}, fresh)
		if err != nil {
			return nil, err
		}
		in.trace = name
	}
	for i := range files {
		n.taken[strings.ToLower(files[i].trace)] = true
	}
	return n, nil
}

// of returns the name of a trace. One in an archive gets the plain name if it
// is the first.
func (n *traceNames) of(ctx context.Context, t *trace) (string, error) {
	switch {
	case t.in.stdin():
		return contentName(t)
	case t.whole():
		return t.in.trace, nil
	}
	fresh := convert.TraceNames([]string{t.path()})[0]
	if n.taken[strings.ToLower(fresh)] {
		fresh = ""
	}
	name, err := n.find(ctx, t, fresh)
	n.taken[strings.ToLower(name)] = true
	return name, err
}

// contentName is the name of what came from standard input, whose path is
// that of the next trace as well.
func contentName(t *trace) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(t.file, 0, t.size)); err != nil {
		return "", err
	}
	return convert.HashedName(fmt.Sprintf("%s/%x/%s", stdinPath, hash.Sum(nil), filepath.Base(t.path()))), nil
}

// find returns the name of a trace, given the one it gets in a dataset without
// records, or "" if it is not to have the plain one.
func (n *traceNames) find(ctx context.Context, t *trace, fresh string) (string, error) {
	plain, hashed := convert.TraceNames([]string{t.path()})[0], convert.HashedName(t.path())
	plainIsFree := true
	for _, name := range []string{plain, hashed} {
		record, err := n.dataset.Record(ctx, name)
		if err != nil {
			return "", err
		}
		if record == nil {
			continue
		}
		if t.is(record) {
			return name, nil
		}
		plainIsFree = plainIsFree && name != plain
	}
	if fresh == plain && plainIsFree {
		return plain, nil
	}
	return hashed, nil
}

// is reports whether a record is that of a trace: of the same path, of the
// same file by another path, or of a file that was moved to its path.
func (t *trace) is(record *convert.Record) bool {
	recorded, ok := strings.CutSuffix(record.Input, t.inner)
	if recorded = filepath.FromSlash(recorded); !ok || samePath(recorded, t.in.path) {
		return ok
	}
	info, err := os.Stat(recorded)
	if err == nil {
		return os.SameFile(info, t.in.info)
	}
	return os.IsNotExist(err) && (record.InputSize == t.size || t.size < 0) && record.InputTime.Equal(t.modTime())
}

func samePath(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
