package bundle

import (
	"cmp"
	"context"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// Converted returns what came of an earlier conversion of an input, as far as
// can be told by its size and time: its contents are not read, and its size may
// be -1 if it is not known. It is nil if the input is to be converted; again says
// why, if that is because its session has changed. If that would replace what other
// options have made, the error is a [DifferentError].
func (d *Dataset) Converted(ctx context.Context, in pipeline.Input, trace string, o *Options) (report *Report, again string, err error) {
	now := o.record(&in, trace)
	old, again, err := d.earlier(ctx, now, o)
	if err != nil || old == nil || !sameTime(old, now) {
		return nil, again, err
	}
	return skipped(old), "", nil
}

// earlier returns the record of an earlier conversion with the same options, of
// an input of the same size. It is nil if the trace is to be converted, because
// there is none, or the input has changed, or the program, or descriptions were
// added or edited, or its plain SHA-256 is asked for now, or because a selection,
// misspelt perhaps, left none of its events, or because it is forced, or because its
// session or the symbols have changed, which again says. All else that differs is an
// error, whatever has changed.
func (d *Dataset) earlier(ctx context.Context, now *dataset.Recorded, o *Options) (old *dataset.Recorded, again string, err error) {
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
