package pipeline

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// Input is a trace to read.
type Input struct {
	Name    string    // its path, which may continue inside an archive
	As      string    // the value of the column trace; "" derives it from Name
	ModTime time.Time // when it last changed; zero if unknown
	Size    int64
	Trace   io.ReaderAt // its contents
	// Check returns an error if the input has changed since it was opened. It is called after
	// reading, before anything is committed. May be nil.
	Check func() error
	// Siblings are the other traces of its session, in the order of their contents. Before is the
	// number of siblings that come before the trace in that order.
	Siblings []Sibling
	Before   int
	// Place is its place among the traces of the run. The zero value means that it is alone.
	Place index.Place
	// Part, unless nil, is the part of a growing trace to read, instead of all of Trace.
	Part *Part
}

// Sibling is another trace of the same session as an input.
type Sibling struct {
	Name string // of the file, without its folder
	Size int64  // -1 if unknown
	ID   string // changes when the trace changes
	Open func(context.Context) (index.SiblingFile, error)
}

// Unchanged returns an error if the input has changed since it was opened.
func (in *Input) Unchanged() error {
	if in.Check == nil {
		return nil
	}
	return in.Check()
}

// Because returns why an input could not be read. If the input has changed meanwhile, that is the
// reason.
func (in *Input) Because(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(in.Unchanged(), err)
}

// siblings returns the siblings for the index pass.
func (in *Input) siblings() []index.Sibling {
	list := make([]index.Sibling, len(in.Siblings))
	for i, s := range in.Siblings {
		list[i] = index.Sibling{Name: s.Name, Open: s.Open}
	}
	return list
}

// The approximate memory that the conversion of a trace needs, measured with traces that have many
// tables and stacks, which need most.
const (
	memoryPerTrace = 8 << 20
	memoryPerByte  = 10 // of a trace, uncompressed
)

// The bytes of a trace that make one more worker worth while: where other traces can use it, and where
// they leave it idle. For 10 MB two workers take a quarter more processor time than one, and three
// quarters of its time.
const (
	bytesPerWorker     = 32 << 20
	bytesPerIdleWorker = 12 << 20
)

// Share returns the part of o.Workers and o.Memory that the conversion of one of a number of inputs can use.
// A large trace takes them all; small ones can be converted concurrently. The share does not change the
// output.
func (o *Options) Share(in Input, inputs int) (workers int, memory int64) {
	bytes := in.Size
	if !o.isLarge(bytes) {
		bytes = max(bytes, uncompressedSize(in))
	}
	for _, s := range in.Siblings {
		bytes += max(s.Size, 0) // the trace's tables hold their facts, too
	}
	if o.isLarge(bytes) {
		return o.Workers, o.Memory
	}
	idle := min(int(bytes/bytesPerIdleWorker), o.Workers/max(inputs, 1))
	return min(o.Workers, max(int(1+bytes/bytesPerWorker), idle)), memoryPerTrace + memoryPerByte*bytes
}

// isLarge reports whether a trace of this size uses all workers and memory.
func (o *Options) isLarge(bytes int64) bool {
	return bytes >= (o.Memory-memoryPerTrace)/memoryPerByte
}

// uncompressedSize returns the size of a trace's buffers in memory, or 0 if the input is not a
// trace.
func uncompressedSize(in Input) int64 {
	f, err := decode.NewFile(in.Trace, in.Size)
	if err != nil {
		return 0 // the conversion reports the error
	}
	return BytesInMemory(f)
}

// BytesInMemory returns the size of all buffers when they are decompressed.
func BytesInMemory(f *decode.File) (n int64) {
	for i := range f.Buffers() {
		n += f.BufferInfo(i).UncompressedSize()
	}
	return n
}
