package main

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/archive"
)

// held is an open input that queries share: a trace, or those of an archive.
type held struct {
	key     inputKey
	traces  []*heldTrace
	failed  []unread // entries of an archive that cannot be read
	symbols *etl2parquet.Symbols
	bytes   int64 // of memory, approximately

	opened chan struct{} // closed when traces or err are set
	err    error
	users  int
	since  time.Time // when the last user released it
}

// heldTrace is an open trace of an input.
type heldTrace struct {
	*etl2parquet.Trace
	inner string // its path inside an archive, beginning with a slash, or ""
	name  string // for messages, and the value of the column filename
	path  string // which names the trace
	size  int64

	descriptions *etl2parquet.Descriptions // nil without files that describe events

	file  *traceFile    // nil for a trace in an archive or on a server
	entry *inputs.Trace // nil for one in a file of its own
}

// indexMemory bounds the memory of the index pass of a trace.
const indexMemory = 128 << 20

// The memory of an open trace, approximately: measured with traces of many events, stacks and names.
const (
	bytesPerTrace = 256 << 10
	shareOfTrace  = 8 // the index takes less than an eighth of the trace
)

// open reads each trace of an input once. After an error, close must still be called.
func (h *held) open(f *input, d *descriptions) error {
	o, err := d.options(f.beside != "")
	h.symbols = o.Symbols
	if err != nil {
		return err
	}
	o.Memory = indexMemory
	reader := &inputs.Reader{
		Options:  archive.Options{Space: archive.NewSpace(math.MaxInt64)}, // the limits of the archive bound it
		Progress: inputs.NewProgress(1, max(f.Size, 0)),
		Fail:     func(_ *inputs.File, name string, err error) { h.failed = append(h.failed, unread{name, err}) },
		Visit: func(in *inputs.Trace) error {
			if err := h.add(in, f, o); err != nil {
				h.failed = append(h.failed, unread{in.Name(), err})
			}
			return nil
		},
	}
	if err := reader.Each(context.Background(), []*inputs.File{f.File}); err != nil {
		return err
	}
	for _, t := range h.traces {
		h.bytes += bytesPerTrace + t.size/shareOfTrace
	}
	switch {
	case len(h.traces) > 0:
		return nil
	case len(h.failed) == 1 && h.failed[0].name == f.Name:
		return h.failed[0].err
	}
	return errors.Join(joined(h.failed), errNone(h.failed))
}

func errNone(failed []unread) error {
	if len(failed) == 0 {
		return errors.New("no trace is in it")
	}
	return nil
}

// add opens a trace.
func (h *held) add(in *inputs.Trace, f *input, o etl2parquet.Options) error {
	if err := in.Open(); err != nil {
		return errors.Join(err, in.Close())
	}
	t := &heldTrace{inner: in.Inner, name: in.Name(), path: in.Path(), size: in.Size, descriptions: o.Descriptions, entry: in}
	var r readerAt = countedReader{in.Reader().(readerAt)}
	if f.isLocal() && in.IsWhole() && !in.Contents.Temporary() {
		in.Close() // only read, so an error does not matter
		t.entry, t.file = nil, &traceFile{path: f.Path, found: f.Info}
		r, o.Siblings = t.file, f.siblings
	}
	var err error
	t.Trace, err = etl2parquet.OpenReader(context.Background(), r, t.size, t.path, o)
	if err != nil {
		t.close()
		return inputs.WithoutPath(f.Path, err)
	}
	h.traces = append(h.traces, t)
	return nil
}

// trace returns the trace with a path inside the input, or nil.
func (h *held) trace(inner string) *heldTrace {
	for _, t := range h.traces {
		if t.inner == inner {
			return t
		}
	}
	return nil
}

// changed reports whether a file was found to have changed.
func (h *held) changed() bool {
	for _, t := range h.traces {
		if t.file != nil && t.file.changed.Load() {
			return true
		}
	}
	return false
}

// rest closes files until they are read again.
func (h *held) rest() {
	for _, t := range h.traces {
		if t.file != nil {
			t.file.rest()
		}
	}
}

// close closes the traces, their symbols and files. They were only read, so errors do not matter.
func (h *held) close() {
	for _, t := range h.traces {
		t.close()
	}
	h.symbols.Close()
}

func (t *heldTrace) close() {
	if t.Trace != nil {
		t.Trace.Close()
	}
	if t.file != nil {
		t.file.rest()
	}
	if t.entry != nil {
		t.entry.Close()
	}
}
