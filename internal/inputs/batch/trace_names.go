package batch

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// TraceNames names traces in a dataset.
type TraceNames struct {
	dataset *bundle.Dataset // nil: none yet
	files   []string        // by order of the file: its name, if the file itself is a trace
	taken   map[string]bool // by [partname.Fold]: some file systems ignore case
	before  map[string]bool // names that the dataset had at first, by [partname.Fold]
}

// NewTraceNames names the trace of each file that may be one. A file that was converted
// before keeps its name, whatever the other inputs are; a new file gets the plain name
// unless another trace has it. If d is nil, all files are new.
func NewTraceNames(ctx context.Context, d *bundle.Dataset, files []*inputs.File) (*TraceNames, error) {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	n := &TraceNames{dataset: d, files: make([]string, len(files)), taken: make(map[string]bool)}
	if d != nil {
		var err error
		if n.before, err = d.Traces(ctx); err != nil {
			return nil, err
		}
	}
	free := make([][]string, len(files))
	for i, fresh := range partname.OfTraces(paths) {
		f := files[i]
		switch {
		case f.Planned != nil:
			n.files[i] = f.Planned[""]
			continue
		case f.IsPipe():
			continue
		}
		t := &inputs.Trace{File: f, Size: f.Size}
		var err error
		if n.files[i], free[i], err = n.find(ctx, t, fresh == plainName(t)); err != nil {
			return nil, err
		}
		n.take(n.files[i])
	}
	for i, names := range free { // after all kept names are known
		if names != nil {
			n.files[i] = n.first(names)
		}
	}
	return n, nil
}

// Of returns the name of a trace. The first trace of a name in archives gets the plain
// name. A trace from standard input or a pipe is opened, because it is named by
// its contents.
func (n *TraceNames) Of(ctx context.Context, t *inputs.Trace) (string, error) {
	switch {
	case t.File.Planned != nil:
		return n.planned(ctx, t)
	case t.File.IsPipe():
		return contentName(t)
	case t.IsWhole():
		return n.files[t.File.Order], nil
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

func (n *TraceNames) take(name string) {
	if name != "" {
		n.taken[partname.Fold(name)] = true
	}
}

// first takes the first of names that is not taken.
func (n *TraceNames) first(names []string) string {
	name := names[len(names)-1] // with a hash unique to the path
	for _, candidate := range names {
		if !n.taken[partname.Fold(candidate)] {
			name = candidate
			break
		}
	}
	n.take(name)
	return name
}

// contentName returns the name of a trace from standard input or a pipe, whose path says nothing about
// the trace. Copies in one archive differ by their paths in it.
func contentName(t *inputs.Trace) (string, error) {
	if err := t.Open(); err != nil {
		return "", err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, io.NewSectionReader(t.Contents, 0, t.Size)); err != nil {
		return "", err
	}
	inside := strings.TrimPrefix(t.Inner, "/")
	if t.IsWhole() {
		inside = path.Base(inputs.StdinPath)
	}
	return partname.Hashed(fmt.Sprintf("%s/%x/%s", inputs.StdinPath, hash.Sum(nil), inside)), nil
}

func plainName(t *inputs.Trace) string { return partname.OfTraces([]string{t.Path()})[0] }

// find returns the name that a trace has in the dataset or, if the dataset lacks it, the
// names that it can have. Names with longer hashes are looked up only if another trace
// has the shorter one.
func (n *TraceNames) find(ctx context.Context, t *inputs.Trace, mayBePlain bool) (name string, free []string, err error) {
	for _, earlier := range partname.Earlier(t.Path()) {
		if record, err := n.record(ctx, earlier); err == nil && record != nil && isOf(record, t) {
			return earlier, nil, nil
		}
	}
	hashed := partname.AllHashed(t.Path())
	others := 0 // traces that have a hashed name
	for i, candidate := range append([]string{plainName(t)}, hashed...) {
		if i > 1+others {
			return "", append(free, hashed[i-1:]...), nil
		}
		record, err := n.record(ctx, candidate)
		var later *dataset.LaterError
		switch {
		case errors.As(err, &later):
			return candidate, nil, nil // the conversion will refuse it
		case err != nil:
			return "", nil, err
		case record != nil && isOf(record, t):
			return candidate, nil, nil
		case record == nil && (i > 0 || mayBePlain):
			free = append(free, candidate)
		case record != nil && i > 0:
			others++
		}
	}
	return "", append(free, hashed[len(hashed)-1]), nil
}

// record returns the record of a name. It does not look up names that the dataset
// lacked at first: for a dataset on a server, each look-up is a request.
func (n *TraceNames) record(ctx context.Context, name string) (*dataset.Recorded, error) {
	if !n.hadBefore(name) {
		return nil, nil
	}
	return n.dataset.Record(ctx, name)
}

// hadBefore reports whether the dataset may have had a trace of this name when the run
// began.
func (n *TraceNames) hadBefore(name string) bool { return n.before[partname.Fold(name)] }

// isOf reports whether a record is the record of a trace: it has the same path, the same
// file by another path, or a file that was moved to its path. A trace on a server is
// identified by its URL alone.
func isOf(record *dataset.Recorded, t *inputs.Trace) bool {
	recorded, ok := strings.CutSuffix(record.Input, t.Inner)
	if inputs.IsURL(recorded) || inputs.IsURL(t.File.Path) { // many objects in a bucket can be of one size and second
		return ok && recorded == t.File.Path
	}
	if recorded = filepath.FromSlash(recorded); !ok || samePath(recorded, t.File.Path) {
		return ok
	}
	info, err := os.Stat(recorded)
	if err == nil {
		return os.SameFile(info, t.File.Info)
	}
	return os.IsNotExist(err) && (record.InputSize == t.Size || t.Size < 0) && record.InputTime.Equal(t.ModTime())
}

func samePath(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// planned returns the name of a trace in the plan.
func (n *TraceNames) planned(ctx context.Context, t *inputs.Trace) (string, error) {
	name := t.File.Planned[t.Inner]
	if name == "" {
		return "", errors.New("it is not in the plan: make the plan again")
	}
	record, err := n.dataset.Record(ctx, name)
	if err != nil {
		return "", err
	}
	if record != nil && !isOf(record, t) {
		return "", fmt.Errorf("the plan calls it %s, and so the dataset calls %s: make the plan again, for this dataset", name, record.Input)
	}
	return name, nil
}
