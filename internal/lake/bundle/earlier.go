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
	found, err := d.earlier(ctx, now, o)
	if err != nil || found.unchanged == nil || !sameTime(found.unchanged, now) {
		return nil, found.again, err
	}
	return skipped(found.unchanged), "", nil
}

// earlier is what the dataset has of a trace.
type earlier struct {
	unchanged *dataset.Recorded // its record if the trace need not be converted again, else nil
	again     string            // why it must be, if its siblings, its session or the symbols have changed
	keeps     bool              // its rows, which a selection that matches nothing must not remove
}

// earlier looks for an earlier conversion with the same options, of an input with the same size. The
// trace must be converted if
//
//   - the dataset lacks it, or Force is set
//   - the input or the program has changed
//   - descriptions were added or edited
//   - its plain SHA-256 is wanted now
//   - a selection, possibly misspelt, left none of its events
//   - its siblings, its session or the symbols have changed; again says so
//
// Any other difference of options is an error, whatever else has changed.
func (d *Dataset) earlier(ctx context.Context, now *dataset.Recorded, o *Options) (found earlier, err error) {
	old, err := d.Record(ctx, now.Trace)
	if err != nil || old == nil {
		return found, err
	}
	found.keeps = keepsRows(old)
	if o.Force {
		return found, nil
	}
	if differences := difference(&old.Options, &now.Options, o.Schemas.For(filepath.FromSlash(now.Input))); len(differences) > 0 {
		isOfTables := func(d Difference) bool {
			return d.Option == OptionTables || d.Option == OptionColumns || d.Option == OptionNeeds
		}
		if selectedNothing(old) && !slices.ContainsFunc(differences, isOfTables) {
			return found, nil
		}
		return found, &DifferentError{differences}
	}
	if o.SHA256 && old.SHA256 == "" {
		return found, nil
	}
	if old.InputSize != now.InputSize || old.Tool != now.Tool || old.Options.Descriptions.Fingerprint() != now.Options.Descriptions.Fingerprint() {
		return found, nil
	}
	if lost := o.Symbols.Lost(old.Symbols); lost != nil {
		return found, &DifferentError{[]Difference{{Option: OptionSymbols, Had: lost}}}
	}
	if found.again = cmp.Or(siblingChange(old.Siblings, now.Siblings), placeChange(old.Place, now.Place), o.Symbols.Gained(old.Symbols)); found.again != "" {
		return found, nil
	}
	if whole, err := d.Whole(ctx, old); err != nil || !whole {
		return found, err
	}
	found.unchanged = old
	return found, nil
}

// keepsRows reports whether the dataset has rows of a recorded trace that its selection matches.
func keepsRows(r *dataset.Recorded) bool { return !r.NothingSelected && !selectedNothing(r) }

func sameTime(old, now *dataset.Recorded) bool {
	return !now.InputTime.IsZero() && old.InputTime.Equal(now.InputTime)
}
