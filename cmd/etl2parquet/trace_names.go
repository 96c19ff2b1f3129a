package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/dataset"
)

// traceNames names traces in the dataset.
type traceNames struct {
	dataset *convert.Dataset // nil: none yet
	taken   map[string]bool  // in lower case: some file systems do not tell case apart
	before  map[string]bool  // that the dataset had at first, in lower case
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
	if d != nil {
		var err error
		if n.before, err = d.Traces(ctx); err != nil {
			return nil, err
		}
	}
	free := make([][]string, len(files))
	for i, fresh := range dataset.TraceNames(paths) {
		in := &files[i]
		if in.stdin() || in.planned != nil {
			continue
		}
		t := &trace{in: in, size: in.size}
		var err error
		if in.trace, free[i], err = n.find(ctx, t, fresh == t.plainName()); err != nil {
			return nil, err
		}
		n.take(in.trace)
	}
	for i := range files { // when all names are known that are kept
		if in := &files[i]; free[i] != nil {
			in.trace = n.first(free[i])
		}
	}
	return n, nil
}

// of returns the name of a trace. One in an archive gets the plain name if it
// is the first.
func (n *traceNames) of(ctx context.Context, t *trace) (string, error) {
	switch {
	case t.in.planned != nil:
		return n.planned(ctx, t)
	case t.in.stdin():
		return contentName(t)
	case t.whole():
		return t.in.trace, nil
	}
	name, free, err := n.find(ctx, t, true)
	if err != nil {
		return "", err
	}
	if name == "" {
		return n.first(free), nil
	}
	n.take(name)
	return name, nil
}

func (n *traceNames) take(name string) {
	if name != "" {
		n.taken[strings.ToLower(name)] = true
	}
}

// first takes the first of some names that is not taken.
func (n *traceNames) first(names []string) string {
	name := names[len(names)-1] // with a hash that no other path has
	for _, candidate := range names {
		if !n.taken[strings.ToLower(candidate)] {
			name = candidate
			break
		}
	}
	n.take(name)
	return name
}

// contentName is the name of what came from standard input, whose path is
// that of the next trace as well.
func contentName(t *trace) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(t.file, 0, t.size)); err != nil {
		return "", err
	}
	return dataset.HashedName(fmt.Sprintf("%s/%x/%s", stdinPath, hash.Sum(nil), filepath.Base(t.path()))), nil
}

func (t *trace) plainName() string { return dataset.TraceNames([]string{t.path()})[0] }

// find returns the name that a trace has in the dataset, or, if it is not
// there, those that it can have. Names with long hashes are looked up only
// where a shorter one is another's.
func (n *traceNames) find(ctx context.Context, t *trace, mayBePlain bool) (name string, free []string, err error) {
	hashed := dataset.HashedNames(t.path())
	others := 0 // traces that have a hashed name
	for i, candidate := range append([]string{t.plainName()}, hashed...) {
		if i > 1+others {
			return "", append(free, hashed[i-1:]...), nil
		}
		record, err := n.record(ctx, candidate)
		var later *dataset.LaterError
		switch {
		case errors.As(err, &later):
			return candidate, nil, nil // which is refused when it is converted
		case err != nil:
			return "", nil, err
		case record != nil && t.is(record):
			return candidate, nil, nil
		case record == nil && (i > 0 || mayBePlain):
			free = append(free, candidate)
		case record != nil && i > 0:
			others++
		}
	}
	return "", append(free, hashed[len(hashed)-1]), nil
}

// record returns the record of a name. Those that are not there are not asked
// for one by one, which would take a time where the dataset is on a server.
func (n *traceNames) record(ctx context.Context, name string) (*dataset.Recorded, error) {
	if !n.hadBefore(name) {
		return nil, nil
	}
	return n.dataset.Record(ctx, name)
}

// hadBefore reports whether the dataset may have had a trace of a name when
// the run began.
func (n *traceNames) hadBefore(name string) bool { return n.before[strings.ToLower(name)] }

// is reports whether a record is that of a trace: of the same path, of the
// same file by another path, or of a file that was moved to its path. What is
// on a server is known by its URL alone.
func (t *trace) is(record *dataset.Recorded) bool {
	recorded, ok := strings.CutSuffix(record.Input, t.inner)
	if isURL(recorded) || isURL(t.in.path) { // many objects in a bucket can be of one size and second
		return ok && recorded == t.in.path
	}
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
