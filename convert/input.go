package convert

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// Input is a trace to convert.
type Input struct {
	Name    string    // where it is: a path, or one that goes on in an archive
	ModTime time.Time // of its last change; zero if that is not known
	Size    int64
	Trace   io.ReaderAt // its contents
	// Check returns an error if the input is not what it was when it was opened.
	// It is asked when all has been read, before anything is committed. Nil: there
	// is nothing to ask.
	Check func() error
	// Siblings are the other traces of its session, in the order of their contents, and
	// Before is the number of those that come before it in that order.
	Siblings []Sibling
	Before   int
	// Earlier is the file before it in a series of files that one session wrote, whose losses its
	// own counters include.
	Earlier Earlier
}

// check asks whether the input is what it was.
func (in *Input) check() error {
	if in.Check == nil {
		return nil
	}
	return in.Check()
}

// because returns why an input could not be read: if it changed meanwhile, that
// is why.
func (in *Input) because(err error) error {
	if err == nil {
		return nil
	}
	return cmp.Or(in.check(), err)
}

// Converted returns what came of an earlier conversion of an input, as far as
// can be told by its size and time: its contents are not read, and its size may
// be -1 if it is not known. It is nil if the input is to be converted; again says
// why, if that is because its session has changed. If that would replace what other
// options have made, the error is a [DifferentError].
func (d *Dataset) Converted(ctx context.Context, in Input, trace string, o *Options) (report *Report, again string, err error) {
	now := o.record(&in, trace)
	old, again, err := d.same(ctx, now, o)
	if err != nil || old == nil || !sameTime(old, now) {
		return nil, again, err
	}
	return skipped(old), "", nil
}

// same returns the record of an earlier conversion with the same options, of
// an input of the same size. It is nil if the trace is to be converted, because
// there is none, or the input has changed, or the program, or descriptions were
// added or edited, or its plain SHA-256 is asked for now, or because a selection,
// misspelt perhaps, left none of its events, or because it is forced, or because its
// session or the symbols have changed, which again says. All else that differs is an
// error, whatever has changed.
func (d *Dataset) same(ctx context.Context, now *dataset.Recorded, o *Options) (old *dataset.Recorded, again string, err error) {
	old, err = d.Record(ctx, now.Trace)
	if err != nil || old == nil || o.Force {
		return nil, "", err
	}
	if differences := difference(&old.Options, &now.Options, o.Schemas); len(differences) > 0 {
		isOfTables := func(d Difference) bool { return d.Option == OptionTables || d.Option == OptionColumns }
		if selectedNothing(old) && !slices.ContainsFunc(differences, isOfTables) {
			return nil, "", nil
		}
		return nil, "", &DifferentError{differences}
	}
	if o.SHA256 && old.SHA256 == "" {
		return nil, "", nil
	}
	if old.InputSize != now.InputSize || old.Tool != now.Tool || old.Options.Descriptions.Fingerprint() != now.Options.Descriptions.Fingerprint() {
		return nil, "", nil
	}
	if lost := o.Symbols.Lost(old.Symbols); lost != nil {
		return nil, "", &DifferentError{[]Difference{{Option: OptionSymbols, Had: lost}}}
	}
	if again := cmp.Or(sessionChange(old.Siblings, now.Siblings), o.Symbols.Gained(old.Symbols)); again != "" {
		return nil, again, nil
	}
	if whole, err := d.Whole(ctx, old); err != nil || !whole {
		return nil, "", err
	}
	return old, "", nil
}

func sameTime(old, now *dataset.Recorded) bool {
	return !now.InputTime.IsZero() && old.InputTime.Equal(now.InputTime)
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

// isLarge reports whether a trace of so many bytes takes all there is.
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
	return bytesInMemory(f)
}

// bytesInMemory returns the size of all buffers when they are decompressed.
func bytesInMemory(f *decode.File) (n int64) {
	for i := range f.Buffers() {
		n += f.BufferInfo(i).UncompressedSize()
	}
	return n
}
