package bundle

import (
	"context"
	"errors"
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// openTrace is a trace after the index pass.
type openTrace struct {
	input  pipeline.Input
	index  *index.Index
	filter *rows.Filter
	hash   *inputHash

	mismatches selection.Mismatches
	keeps      bool // the dataset has rows of the trace: a selection that matches nothing is refused
}

// ErrEventsTable is the error for selecting the table of all events in a conversion.
var ErrEventsTable = errors.New("the table events is for reading a trace (cat); a dataset has its rows in the tables of headers, and a view of this name")

// open makes the index pass, and records its results in record. keeps says that the dataset has rows
// of the trace.
func (o *Options) open(ctx context.Context, in pipeline.Input, record *dataset.Recorded, keeps bool) (*openTrace, error) {
	if o.Selection.WantsTable(schema.EventsName) {
		return nil, ErrEventsTable
	}
	t := &openTrace{input: in, hash: o.startHash(ctx, &in), keeps: keeps}
	var err error
	if t.index, err = o.IndexPass(ctx, &in, t.hash.chunks); err != nil {
		t.close()
		return nil, err
	}
	problems := t.index.Problems
	record.Events, record.Problems = t.index.Events, t.index.Found()
	record.StartNS, record.Clock = t.index.StartNS(), t.index.ClockSteps
	record.Options.Descriptions = record.Options.Descriptions.With(t.index.Descriptions)
	noteDescriptions(record.TraceRecord, t.index)
	if o.Strict && problems.Damaged() {
		t.close()
		return nil, fmt.Errorf("%w: %s", pipeline.ErrStrict, t.index.FirstDamage())
	}
	selected := o.Selection
	selected.Stored = true
	if t.filter, err = rows.NewFilter(&selected, t.index); err != nil {
		t.close()
		return nil, err
	}
	t.mismatches = t.filter.Mismatches(t.index)
	if err := t.refused(o); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// refused returns the error for a selection that matches nothing, if that is one: with Strict, and
// always if the dataset has rows of the trace, which a conversion would remove.
func (t *openTrace) refused(o *Options) error {
	err := t.mismatches.Err()
	switch {
	case err == nil || !o.Strict && !t.keeps:
		return nil
	case t.keeps:
		return fmt.Errorf("%w; the dataset keeps what it has of this trace", err)
	}
	return err
}

// close must be called before the input is closed.
func (t *openTrace) close() {
	t.hash.stop()
	if t.index != nil {
		t.index.Close() // removes its temporary file; if that fails, the next run removes it
	}
}

// complete completes the record after the convert pass, when the input is no longer
// read.
func (t *openTrace) complete(ctx context.Context, record *dataset.Recorded, o *Options) (err error) {
	record.Problems = t.index.Found()
	for i, unread := range t.index.Unread {
		if unread { // the next run then sees a change, and reads the input again
			record.Siblings[i].ID = ""
		}
	}
	t.filter.Afterwards(&t.mismatches, t.index)
	record.NothingSelected = t.mismatches.Nothing != ""
	if err := t.refused(o); err != nil {
		return err
	}
	if err := t.hash.note(ctx, record.TraceRecord, o.Workers); err != nil {
		return err
	}
	return t.input.Unchanged()
}
