package main

import (
	"context"
	"errors"
	"time"

	"github.com/etl2parquet/etl2parquet/convert"
)

// combining is what a run needs whose traces share files.
type combining struct {
	*convert.Combiner
	telling telling
	from    map[string]*input // by trace: the input that it is in
	again   map[string]bool   // the traces to convert now; nil while all inputs are seen for the first time
}

// setLayout has the traces of the dataset share files, if that is asked for.
func (c *conversion) setLayout(ctx context.Context) error {
	err := c.dataset.SetLayout(ctx, c.flags.combine > 0)
	var layout *convert.LayoutError
	switch {
	case errors.As(err, &layout) && layout.Combined:
		return usagef("%s: %w, so more are added with --combine only", c.flags.output, err)
	case layout != nil:
		return usagef("%s: %w, so none are added with --combine", c.flags.output, err)
	case err != nil:
		return outputError(c.flags.output, err)
	}
	return nil
}

// combine prepares a trace beside others, and adds it to a group when it is its
// turn.
func (c *conversion) combine(ctx context.Context, turn int, t *trace, name string, took time.Duration) error {
	o := *c.options
	var memory int64
	o.Workers, memory = o.Share(t.input())
	if err := c.budget.take(ctx, o.Workers, memory); err != nil {
		c.turns.tell(turn, nil)
		return errors.Join(err, t.close())
	}
	work := c.progress.next(t.name(), t.read)
	o.Progress = &work.Progress
	c.running.Go(func() {
		begin := time.Now()
		prepare := c.combining.Prepare
		if c.combining.again != nil {
			prepare = c.combining.PrepareAgain
		}
		p := prepare(ctx, t.input(), name, o)
		c.turns.tell(turn, func() {
			c.addCombined(ctx, t, work, p, took+time.Since(begin))
			p.Close()
			if err := t.close(); err != nil {
				c.progress.aside(func() { c.app.complain("%s: %v", printable(t.name()), err) })
			}
			t.entry, t.at, t.file = nil, nil, nil // it may be long until the trace is told
			c.progress.wait(work)                 // unless it is done
			c.budget.give(o.Workers, memory)      // not before: its rows were in memory
		})
	})
	return nil
}

// addCombined adds a trace to its group. An error is that of an interrupted
// run, which says so itself.
func (c *conversion) addCombined(ctx context.Context, t *trace, work *work, p *convert.Prepared, took time.Duration) {
	if c.combining.again != nil {
		c.combining.AddAgain(ctx, p)
		c.progress.finish(work, p.Known())
		return
	}
	known := p.Known()
	told := c.combining.telling.later()
	c.combining.Add(ctx, p, func(report *convert.Report, err error) {
		o := &outcome{report, err, took}
		c.progress.finish(work, known)
		c.judge(o)
		c.combining.telling.ready(told, func() { c.progress.aside(func() { c.tell(t, o) }) })
	})
}

// visitAgain converts a trace again if one of those that share files with it has
// changed.
func (c *conversion) visitAgain(ctx context.Context, t *trace) error {
	name, err := c.name(ctx, t)
	if err != nil || !c.combining.again[name] {
		return t.close() // it was told, or will be
	}
	turn, err := c.turns.take(ctx)
	if err != nil {
		return errors.Join(err, t.close())
	}
	if err := t.open(); err != nil {
		failed := convert.Failed(name, err)
		c.turns.tell(turn, func() { c.combining.AddAgain(ctx, failed) })
		return errors.Join(ctx.Err(), t.close())
	}
	return c.combine(ctx, turn, t, name, 0)
}

// endCombine commits the last group, and makes those anew of which traces have
// changed. stopped is the error of a run that was interrupted.
func (c *conversion) endCombine(ctx context.Context, s *source, in *inputs, stopped error) error {
	if stopped == nil {
		stopped = c.combining.Flush(ctx)
	}
	if stopped == nil {
		stopped = c.combineAgain(ctx, s, in)
	}
	if stopped != nil {
		if err := c.combining.Abandon(ctx); err != nil {
			c.app.complain("%v", err)
		}
	}
	c.combining.telling.end()
	return stopped
}

func (c *conversion) combineAgain(ctx context.Context, s *source, in *inputs) error {
	again := c.combining.Changed()
	if len(again) == 0 {
		return nil
	}
	c.combining.again = again
	wanted := make(map[*input]bool)
	for name := range again {
		wanted[c.combining.from[name]] = true
	}
	var files []input
	for i := range in.files {
		if f := &in.files[i]; wanted[f] && !f.stdin() {
			files = append(files, *f)
		}
	}
	s.fail = func(*input, string, error) {} // it was told
	s.visit = func(t *trace) error { return c.visitAgain(ctx, t) }
	stopped := s.each(ctx, files)
	c.running.Wait()
	if stopped != nil {
		return stopped
	}
	return c.combining.Finish(ctx)
}
