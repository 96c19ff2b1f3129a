package convert

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"maps"
	"slices"
	"sync"
)

// DefaultGroupBytes is how much input the traces of a group have together, if
// nothing else is asked.
const DefaultGroupBytes = 256 << 20

// Combiner converts traces into a dataset in which those of a group share
// files. A group takes traces, in the order in which they are added, until they
// have a number of bytes together, and is committed then; a trace that alone
// has as many is a group of its own.
//
// Traces may be prepared side by side. They are added one after another, and
// the order decides what is written.
type Combiner struct {
	dataset *Dataset
	target  int64
	group   *combining      // of new traces; nil: none is begun
	added   map[string]bool // new traces of this run

	mu   sync.Mutex
	seen map[string]bool // the traces of groups that were among the inputs

	changed map[*GroupRecord][]changedTrace // what is to be converted again
	again   map[*GroupRecord]*combining     // begun
	last    *combining                      // of those, the one that took a trace last
}

// Done is told once what came of a trace: when its group is committed, or when
// that is not to be.
type Done func(*Report, error)

type changedTrace struct {
	trace string
	done  Done
}

// combining is a group in the making.
type combining struct {
	out     *groupOutput
	record  *GroupRecord
	old     *GroupRecord // that it replaces
	size    int64        // of the inputs
	reports []pendingReport

	recordSize int // about
	workers    int
}

type pendingReport struct {
	report *Report
	done   Done
}

// Combine returns a combiner for groups of at least so many bytes of input.
// The dataset must have the layout for it.
func (d *Dataset) Combine(target int64) *Combiner {
	return &Combiner{
		dataset: d, target: target, added: make(map[string]bool), seen: make(map[string]bool),
		changed: make(map[*GroupRecord][]changedTrace), again: make(map[*GroupRecord]*combining),
	}
}

// Converted is [Dataset.Converted].
func (c *Combiner) Converted(ctx context.Context, in Input, trace string, o *Options) (*Report, error) {
	report, err := c.dataset.Converted(ctx, in, trace, o)
	if report != nil || err != nil {
		c.see(trace)
	}
	return report, err
}

func (c *Combiner) see(trace string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen[trace] = true
}

// Add adds a trace; done may be told later. One that is in a group already, and
// has changed, has to wait until all inputs were seen; see [Combiner.Changed].
// The error is that of the context.
func (c *Combiner) Add(ctx context.Context, p *Prepared, done Done) error {
	switch {
	case p.old != nil && p.err == nil && p.unchanged == nil:
		c.changed[p.old] = append(c.changed[p.old], changedTrace{p.trace, done})
		return nil
	case p.err != nil || p.unchanged != nil:
		return tell(ctx, done, skipped(p.unchanged), p.err)
	case c.added[p.trace]:
		return tell(ctx, done, nil, errAddedBefore)
	}
	return c.addNew(ctx, p, done)
}

var errAddedBefore = errors.New("another trace of this run has the same path")

// tell tells what came of a trace, unless the run was interrupted.
func tell(ctx context.Context, done Done, report *Report, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	done(report, err)
	return nil
}

func (c *Combiner) addNew(ctx context.Context, p *Prepared, done Done) error {
	if c.group != nil && p.record.InputSize >= c.target {
		if err := c.commit(ctx, c.group); err != nil {
			return err
		}
	}
	if c.group == nil {
		c.group = c.begin(p, nil)
	}
	if err := c.group.add(ctx, p, done); err != nil {
		if lost := c.group.out.lost(); lost != nil {
			return c.lose(ctx, c.group, lost, done)
		}
		if len(c.group.reports) == 0 {
			c.group = nil // a group is called after its first trace
		}
		return tell(ctx, done, nil, err)
	}
	c.added[p.trace] = true
	if g := c.group; g.size >= c.target || g.out.isFull() || g.recordSize >= maxGroupRecord {
		return c.commit(ctx, c.group)
	}
	return nil
}

// begin begins a group, which is called after its first trace: that is in no
// other.
func (c *Combiner) begin(p *Prepared, old *GroupRecord) *combining {
	sum := sha256.Sum256([]byte(p.trace))
	name := hex.EncodeToString(sum[:8])
	return &combining{
		out:    c.dataset.beginGroup(name, p.held.codec, p.options.Memory),
		record: &GroupRecord{Format: recordFormat, Tool: p.record.Tool, Group: name, Options: p.record.Options},
		old:    old, workers: p.options.Workers,
	}
}

// add adds a trace to the group. If that fails the group is as it was before,
// unless its output is lost.
func (g *combining) add(ctx context.Context, p *Prepared, done Done) error {
	if p.large {
		p.held.own = func(t *heldTable) error { return g.out.create(ctx, t.table.Name, t.file) }
		if err := p.fill(ctx); err != nil {
			ctx, cancel := cleaningUp(ctx)
			defer cancel()
			return alsoFailed(err, g.out.discard(ctx, p.held))
		}
	}
	if err := g.out.add(ctx, p.held); err != nil {
		return err
	}
	r, rows := p.record, p.held.rows()
	g.size += r.InputSize
	g.recordSize += traceInRecord + len(r.Input) + problemInRecord*(len(r.Problems)+len(r.Decoding.Providers)+len(r.Decoding.PDBs))
	g.record.Traces = append(g.record.Traces, GroupTrace{
		Trace: p.trace, Input: r.Input, InputSize: r.InputSize, InputTime: r.InputTime,
		SHA256: r.SHA256, Events: r.Events, Rows: rows, Decoding: r.Decoding, Problems: r.Problems,
	})
	if used := r.Options.Descriptions; used != nil {
		g.record.Options.Descriptions = g.record.Options.Descriptions.With(used.Used)
	}
	report := reportOf(r)
	report.Rows = rows
	g.reports = append(g.reports, pendingReport{report, done})
	return nil
}

// What a trace, and a problem of it, or something that is not decoded, take in
// the record, about.
const (
	traceInRecord   = 1 << 10
	problemInRecord = 1 << 9
)

// commit makes a group part of the dataset, and tells so.
func (c *Combiner) commit(ctx context.Context, g *combining) error {
	if err := g.out.commit(ctx, g.record, g.old, g.workers); err != nil {
		return c.lose(ctx, g, err, nil)
	}
	c.end(g)
	files := g.record.Files
	for _, r := range g.told() {
		r.report.Files, files = files, nil
		r.done(r.report, nil)
	}
	return nil
}

// told returns the reports that somebody waits for.
func (g *combining) told() []pendingReport {
	return slices.DeleteFunc(slices.Clone(g.reports), func(r pendingReport) bool { return r.done == nil })
}

// end forgets a group that is committed or lost.
func (c *Combiner) end(g *combining) {
	if c.group == g {
		c.group = nil
	}
}

// lose gives up a group because of an error, and tells so, also of a trace that
// was to be in it.
func (c *Combiner) lose(ctx context.Context, g *combining, because error, also Done) error {
	c.end(g)
	because = alsoFailed(because, g.discard(ctx))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, r := range g.told() {
		r.done(nil, because)
	}
	if also != nil {
		also(nil, because)
	}
	return nil
}

// discard removes what was written of a group.
func (g *combining) discard(ctx context.Context) error {
	ctx, cancel := cleaningUp(ctx)
	defer cancel()
	return together(g.out.files, func(f *outputFile) error { return f.Discard(ctx) })
}

// Flush commits the group of new traces, however small it is.
func (c *Combiner) Flush(ctx context.Context) error {
	if c.group == nil {
		return nil
	}
	return c.commit(ctx, c.group)
}

// Abandon gives up what is not committed.
func (c *Combiner) Abandon(ctx context.Context) error {
	groups := slices.Collect(maps.Values(c.again))
	if c.group != nil {
		groups = append(groups, c.group)
	}
	var errs []error
	for _, g := range groups {
		errs = append(errs, g.discard(ctx))
	}
	return errors.Join(errs...)
}
