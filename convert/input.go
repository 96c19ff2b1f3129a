package convert

import (
	"context"
	"io"
	"time"
)

// Input is a trace to convert.
type Input struct {
	Name    string    // where it is: a path, or one that goes on in an archive
	ModTime time.Time // of its last change; zero if that is not known
	Size    int64
	Trace   io.ReaderAt // its contents
}

// Converted returns what came of an earlier conversion of an input, as far as
// can be told by its size and time: its contents are not read. It is nil if
// the input is to be converted.
func (d *Dataset) Converted(ctx context.Context, in Input, trace string, o *Options) (*Report, error) {
	if o.Force {
		return nil, nil
	}
	now := o.record(&in, trace)
	old, err := d.same(ctx, now)
	if err != nil || old == nil || !sameTime(old, now) {
		return nil, err
	}
	return skipped(old), nil
}

// same returns the record of an earlier conversion with the same options, of
// an input of the same size.
func (d *Dataset) same(ctx context.Context, now *Record) (*Record, error) {
	old, err := d.Record(ctx, now.Trace)
	if err != nil || old == nil {
		return nil, err
	}
	if old.InputSize != now.InputSize || old.Tool != now.Tool || !old.Options.equal(&now.Options) {
		return nil, nil
	}
	if whole, err := d.Whole(ctx, old); err != nil || !whole {
		return nil, err
	}
	return old, nil
}

func sameTime(old, now *Record) bool {
	return !now.InputTime.IsZero() && old.InputTime.Equal(now.InputTime)
}
