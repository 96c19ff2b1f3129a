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
	Name    string    // where it is: a path, or one that goes on in an archive
	As      string    // the name of the trace in the column trace; "" makes it from Name
	ModTime time.Time // of its last change; zero if that is not known
	Size    int64
	Trace   io.ReaderAt // its contents
	// Check returns an error if the input is not what it was when it was opened. It is called
	// after reading, before anything is committed. May be nil.
	Check func() error
	// Siblings are the other traces of its session, in the order of their contents, and
	// Before is the number of those that come before it in that order.
	Siblings []Sibling
	Before   int
	// Earlier is the file before it in a series of files that one session wrote, whose losses its
	// own counters include.
	Earlier index.Earlier
}

// Sibling is another trace of the session that an input is of.
type Sibling struct {
	Name string // of the file, without its folder
	Size int64  // -1 if unknown
	ID   string // changes when the trace changes
	Open func(context.Context) (index.SiblingFile, error)
}

// Unchanged returns an error if the input is not what it was when it was opened.
func (in *Input) Unchanged() error {
	if in.Check == nil {
		return nil
	}
	return in.Check()
}

// Because returns why an input could not be read: if it changed meanwhile, that is why.
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

// What the conversion of a trace needs, about: measured with traces that have
// many tables, and stacks, which need most.
const (
	bytesPerWorker = 32 << 20 // of a trace
	memoryPerTrace = 8 << 20
	memoryPerByte  = 10 // of a trace, uncompressed
)

// Share returns the part of o.Workers and o.Memory that the conversion of an
// input can use. A large trace takes them all; small ones can be converted
// side by side. What is written does not depend on it.
func (o *Options) Share(in Input) (workers int, memory int64) {
	bytes := in.Size
	if !o.isLarge(bytes) {
		bytes = max(bytes, uncompressedSize(in))
	}
	for _, s := range in.Siblings {
		bytes += max(s.Size, 0) // their facts are held with its own
	}
	if o.isLarge(bytes) {
		return o.Workers, o.Memory
	}
	return min(o.Workers, int(1+bytes/bytesPerWorker)), memoryPerTrace + memoryPerByte*bytes
}

// isLarge reports whether a trace of that many bytes uses all workers and memory.
func (o *Options) isLarge(bytes int64) bool {
	return bytes >= (o.Memory-memoryPerTrace)/memoryPerByte
}

// uncompressedSize returns what the buffers of a trace have in memory, or 0 if
// it is none.
func uncompressedSize(in Input) int64 {
	f, err := decode.NewFile(in.Trace, in.Size)
	if err != nil {
		return 0 // the conversion says what is wrong
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
