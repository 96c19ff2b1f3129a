package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/dataset"
)

// The values of --bundle that are not sizes.
const (
	autoBundle  = "auto"
	neverBundle = "never"
)

// With --bundle auto, traces smaller than smallTrace are bundled if there are more than
// manySmall of them.
const (
	smallTrace = 16 << 20
	manySmall  = 64
)

// bundleFlag is the value of --bundle.
type bundleFlag struct {
	word string        // "": a size
	size bytesize.Size // of the inputs of a bundle
}

func (f *bundleFlag) Type() string { return autoBundle + "|" + neverBundle + "|size" }

func (f *bundleFlag) String() string {
	if f.word != "" {
		return f.word
	}
	return f.size.String()
}

func (f *bundleFlag) Set(text string) error {
	if text == autoBundle || text == neverBundle {
		*f = bundleFlag{text, convert.DefaultBundleBytes}
		return nil
	}
	var bytes bytesize.Size
	if err := bytes.Set(text); err != nil {
		return fmt.Errorf("%q is neither %s nor %s nor a size such as 512MiB or 2GB", text, autoBundle, neverBundle)
	}
	if bytes < 1 {
		return fmt.Errorf("%q: a bundle has at least a byte", text)
	}
	*f = bundleFlag{size: bytes}
	return nil
}

func (f *bundleFlag) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{autoBundle, neverBundle, "64MiB", "256MiB", "1GiB"}, cobra.ShellCompDirectiveNoFileComp
}

// bundler converts the traces that share files.
type bundler struct {
	*convert.Bundler
	outcomes telling
	flag     bundleFlag
	small    int               // small traces: the inputs, and those found in archives so far
	from     map[string]*input // by trace: the input that it is in
	again    map[string]bool   // the traces to convert now; nil while all inputs are seen for the first time
}

func newBundler(ctx context.Context, d *convert.Dataset, f bundleFlag, in *inputs) (*bundler, error) {
	b, err := d.Bundle(ctx, int64(f.size))
	return &bundler{Bundler: b, flag: f, small: in.small, from: make(map[string]*input)}, err
}

// takes reports whether a trace goes into a bundle. A trace of the dataset stays in the
// kind of part it is in.
func (b *bundler) takes(t *trace, name string, isNew bool) bool {
	isSmall := t.size < smallTrace
	if isSmall && !t.whole() {
		b.small++
	}
	switch {
	case b.IsBundled(name):
		return true
	case !isNew || b.flag.word == neverBundle:
		return false
	case b.flag.word == autoBundle:
		return isSmall && b.small > manySmall
	}
	return t.size < int64(b.flag.size)
}

// load reads the dataset's bundles, and rejects a dataset of an earlier version.
func (c *conversion) load(ctx context.Context) error {
	err := c.dataset.Load(ctx)
	if errors.Is(err, dataset.ErrOldLayout) {
		return usagef("-o %s: %w", c.flags.output, err)
	}
	if err != nil {
		return outputError(c.flags.output, err)
	}
	return nil
}

// bundle prepares a trace beside others, and adds it to a bundle when it is its
// turn.
func (c *conversion) bundle(ctx context.Context, turn int, t *trace, name string, took time.Duration) error {
	o, memory, work, err := c.takeShare(ctx, turn, t)
	if err != nil {
		return err
	}
	c.running.Go(func() {
		begin := time.Now()
		prepare := c.bundler.Prepare
		if c.bundler.again != nil {
			prepare = c.bundler.PrepareAgain
		}
		p := prepare(ctx, t.input(), name, o)
		c.turns.Tell(turn, func() {
			c.addBundled(ctx, t, work, p, took+time.Since(begin))
			p.Close()
			if err := t.close(); err != nil {
				c.progress.aside(func() { c.app.complain("%s: %v", printable(t.name()), err) })
			}
			t.entry, t.at, t.file = nil, nil, nil // it may be long until the trace is told
			c.progress.wait(work)                 // unless it is done
			c.budget.Give(o.Workers, memory)      // not before: its rows were in memory
		})
	})
	return nil
}

// addBundled adds a trace to its bundle. An error is that of an interrupted
// run, which says so itself.
func (c *conversion) addBundled(ctx context.Context, t *trace, work *work, p *convert.Prepared, took time.Duration) {
	if c.bundler.again != nil {
		c.bundler.AddAgain(ctx, p)
		c.progress.finish(work, p.Known())
		return
	}
	known := p.Known()
	told := c.bundler.outcomes.later()
	c.bundler.Add(ctx, p, func(report *convert.Report, err error) {
		o := &outcome{report, err, took}
		c.progress.finish(work, known)
		c.judge(o)
		c.bundler.outcomes.ready(told, func() { c.progress.aside(func() { c.tell(t, o) }) })
	})
}

// visitAgain converts a trace again if one of those that share files with it has
// changed.
func (c *conversion) visitAgain(ctx context.Context, t *trace) error {
	name, err := c.name(ctx, t)
	if err != nil || !c.bundler.again[name] {
		return t.close() // it was told, or will be
	}
	turn, err := c.turns.Take(ctx)
	if err != nil {
		return errors.Join(err, t.close())
	}
	if err := t.open(); err != nil {
		failed := convert.Failed(name, err)
		c.turns.Tell(turn, func() { c.bundler.AddAgain(ctx, failed) })
		return errors.Join(ctx.Err(), t.close())
	}
	return c.bundle(ctx, turn, t, name, 0)
}

// endBundles commits the last bundle, and makes those anew of which traces have
// changed. stopped is the error of a run that was interrupted.
func (c *conversion) endBundles(ctx context.Context, s *source, in *inputs, stopped error) error {
	if stopped == nil {
		stopped = c.bundler.Flush(ctx)
	}
	if stopped == nil {
		stopped = c.bundleAgain(ctx, s, in)
	}
	if stopped != nil {
		if err := c.bundler.Abandon(ctx); err != nil {
			c.app.complain("%v", err)
		}
	}
	c.bundler.outcomes.end()
	return stopped
}

func (c *conversion) bundleAgain(ctx context.Context, s *source, in *inputs) error {
	again := c.bundler.Changed()
	if len(again) == 0 {
		return nil
	}
	c.bundler.again = again
	wanted := make(map[*input]bool)
	for name := range again {
		wanted[c.bundler.from[name]] = true
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
	return c.bundler.Finish(ctx)
}
