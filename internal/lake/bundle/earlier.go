package bundle

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
)

// Converted returns the report of an earlier conversion of an input, judged by the
// input's size and time: its contents are not read, and its size may be -1 if unknown.
// The report is nil if the input must be converted; again says why, if its session has
// changed. If the dataset has the trace with other options, the error is a
// [DifferentError].
func (d *Dataset) Converted(ctx context.Context, in pipeline.Input, trace string, o *Options) (report *Report, again string, err error) {
	now := o.record(&in, trace)
	old, again, err := d.earlier(ctx, now, o)
	if err != nil || old == nil || !sameTime(old, now) {
		return nil, again, err
	}
	return skipped(old), "", nil
}

// earlier returns the record of an earlier conversion with the same options, of an input
// with the same size. It returns nil if the trace must be converted:
//
//   - the dataset lacks it, or Force is set
//   - the input or the program has changed
//   - descriptions were added or edited
//   - its plain SHA-256 is wanted now
//   - a selection, possibly misspelt, left none of its events
//   - its session or the symbols have changed; again says so
//
// Any other difference of options is an error, whatever else has changed.
func (d *Dataset) earlier(ctx context.Context, now *dataset.Recorded, o *Options) (old *dataset.Recorded, again string, err error) {
	old, err = d.Record(ctx, now.Trace)
	if err != nil || old == nil || o.Force {
		return nil, "", err
	}
	if differences := difference(&old.Options, &now.Options, o.Schemas.For(filepath.FromSlash(now.Input))); len(differences) > 0 {
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
