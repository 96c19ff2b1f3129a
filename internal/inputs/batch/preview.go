package batch

import (
	"context"
	"errors"

	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/store"
)

// Action is what a conversion would do with a trace.
type Action string

// The actions.
const (
	Convert Action = "convert"
	Skip    Action = "skip"   // it was converted before
	Refuse  Action = "refuse" // it was converted with other options
)

// Preview is what a conversion would do with a trace.
type Preview struct {
	Name   string // of the trace in messages
	Trace  string // name in the dataset
	Size   int64  // -1 if unknown until it is read
	Action Action
	Again  string // why it would be converted again, if that is because its session has changed
	Err    error  // the dataset cannot be read, so the action is unknown
}

// Preview calls show with each trace and what Run would do with it. Inputs that fail or
// would be refused are also reported to Done. An error of show ends the input. Preview
// returns the error of the dataset in out or of the context.
func (c *Conversion) Preview(ctx context.Context, out store.Store, show func(p *Preview) error) (err error) {
	c.Dataset = bundle.NewDataset(out)
	if err := c.Dataset.Load(ctx); err != nil {
		return &OutputError{err}
	}
	if c.names, err = NewTraceNames(ctx, c.Dataset, c.Inputs.Files); err != nil {
		return &OutputError{err}
	}
	if err := c.findSessions(ctx); err != nil {
		return err
	}
	c.Reader.Fail = func(f *inputs.File, name string, err error) { c.Done(failed(f, name, err)) }
	c.Reader.Visit = func(t *inputs.Trace) error {
		defer t.Close() // only its name was needed, so an error does not matter
		name, err := c.names.Of(ctx, t)
		if err != nil {
			c.Reader.Fail(t.File, t.Name(), err)
			return nil
		}
		p := c.preview(ctx, t, name)
		return show(p)
	}
	return c.Reader.Each(ctx, c.Inputs.Files)
}

func (c *Conversion) preview(ctx context.Context, t *inputs.Trace, name string) *Preview {
	p := &Preview{Name: t.Name(), Trace: name, Size: t.Size, Action: Convert}
	report, again, err := c.Dataset.Converted(ctx, c.sessions.input(t), name, c.Options)
	var different *bundle.DifferentError
	switch {
	case errors.As(err, &different):
		p.Action = Refuse
		c.Reader.Fail(t.File, t.Name(), err)
	case err != nil:
		p.Err = err
	case report != nil:
		p.Action = Skip
	default:
		p.Again = again
	}
	return p
}
