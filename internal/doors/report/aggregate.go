package report

import (
	"cmp"
	"context"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// aggregate is what a page shows of some traces, apart from the tables.
type aggregate struct {
	source    *source
	facts     *facts
	axis      axis
	processor *lane // nil: no samples and no context switches
	isSampled bool  // the tree and the lane are of samples
	idle      int64 // samples of idle processors, which neither has
	tree      *tree // nil: no stacks and no samples
	garbage   *lane
	disk      *lane
	faults    *lane
	compiled  *lane
	network   *lane
	counts    []*lane
	events    *eventCounts

	found   []finding // from the view of findings
	tables  []tableDoc
	figures map[string]int64 // of comparedViews, by name
	failed  []error          // of statements

	longPause, longDisk, longFault longest
}

// newAggregate reads the traces.
func newAggregate(ctx context.Context, traces *etl2parquet.Traces, o *Options, compares bool) (*aggregate, error) {
	selected := o.Scan
	s := &source{ctx: ctx, traces: traces, views: cmp.Or(o.Views, views.BuiltIn()), selected: selected, compares: compares, failed: make(map[string]error)}
	f, err := s.facts()
	if err == nil && (selected.From.IsSet() || selected.To.IsSet()) {
		err = s.narrow(f)
	}
	if err != nil {
		return nil, err
	}
	g := &aggregate{source: s, facts: f, axis: newAxis(f.first, f.last)}
	if err := g.readProcessors(); err != nil {
		return nil, err
	}
	var errs [7]error
	a := &g.axis
	g.garbage, g.longPause, errs[0] = s.garbage(a)
	g.disk, g.longDisk, errs[1] = s.disk(a, f)
	g.faults, g.longFault, errs[2] = s.faults(a)
	g.compiled, errs[3] = s.compiled(a)
	g.network, errs[4] = s.network(a)
	g.counts, errs[5] = s.counts(a)
	g.events, errs[6] = s.all(a)
	return g, cmp.Or(errs[:]...)
}

// readProcessors reads what the processors did: from samples, or else from context switches. Without
// samples the tree has all other events with stacks.
func (g *aggregate) readProcessors() error {
	stacks, err := g.source.samples(&g.axis)
	if err != nil {
		return err
	}
	if g.isSampled = len(stacks.cells) > 0; !g.isSampled {
		if g.processor, err = g.source.switchedLane(&g.axis, g.facts); err != nil {
			return err
		}
		if stacks, err = g.source.withStacks(&g.axis); err != nil {
			return err
		}
	}
	if len(stacks.cells) == 0 {
		return nil
	}
	if g.tree, err = g.source.flame(stacks); err == nil && g.isSampled {
		g.processor, g.idle = g.axis.sampledLane(g.tree, g.facts), stacks.idle
	}
	return err
}

// lanes returns the lanes that have anything.
func (g *aggregate) lanes() (list []*lane) {
	all := append([]*lane{g.processor, g.garbage, g.disk, g.faults, g.compiled, g.network}, g.counts...)
	for _, l := range append(all, g.events.errors, g.events.providers) {
		if l != nil && len(l.nonZero()) > 0 {
			list = append(list, l)
		}
	}
	return list
}
