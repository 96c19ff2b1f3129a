package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// NeighboursError is the error of a trace that has changed, and whose group
// cannot be made anew: not all of its traces are among the inputs.
type NeighboursError struct{ Missing []string }

// namedNeighbours is how many traces an error names.
const namedNeighbours = 5

func (e *NeighboursError) Error() string {
	named, more := e.Missing, ""
	if n := len(named) - namedNeighbours; n > 0 {
		named, more = named[:namedNeighbours], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("it was converted before, and shares files with traces that are not among the inputs: convert it together with %s%s", strings.Join(named, ", "), more)
}

// Changed returns the traces of the groups that are to be made anew, when all
// inputs were seen: those that have changed and all that share files with
// them. They are to be given to [Combiner.AddAgain]. What cannot be converted
// because others are missing is told so.
func (c *Combiner) Changed() map[string]bool {
	again := make(map[string]bool)
	for _, g := range c.changedGroups() {
		var missing []string
		for i := range g.Traces {
			if name := g.Traces[i].Trace; !c.seen[name] {
				missing = append(missing, name)
			}
		}
		if len(missing) == 0 {
			for i := range g.Traces {
				again[g.Traces[i].Trace] = true
			}
			continue
		}
		for _, t := range c.changed[g] {
			t.done(nil, &NeighboursError{missing})
		}
		delete(c.changed, g)
	}
	return again
}

// changedGroups returns the groups that have to be made anew, by name.
func (c *Combiner) changedGroups() []*GroupRecord {
	var list []*GroupRecord
	for g := range c.changed {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *GroupRecord) int { return strings.Compare(a.Group, b.Group) })
	return list
}

// AddAgain converts a trace of a group that is made anew. The group is
// committed, in the place of the old one, when all its traces were added; if
// one of them fails the old one stays. A trace that had not changed has no
// report of its own. The error is that of the context.
func (c *Combiner) AddAgain(ctx context.Context, p *Prepared) error {
	old := c.dataset.groups.find(p.trace)
	if old == nil || c.changed[old] == nil {
		return nil // its group is made, or given up
	}
	if p.err != nil {
		return c.giveUp(ctx, old, p.trace, p.err)
	}
	g := c.again[old]
	if g == nil {
		g = c.begin(p, old)
		c.again[old] = g
	}
	if slices.ContainsFunc(g.record.Traces, func(t GroupTrace) bool { return t.Trace == p.trace }) {
		return nil // an archive may have it twice
	}
	if err := c.park(ctx, g, p.options.Workers); err != nil {
		return err
	}
	if err := g.add(ctx, p, c.doneOf(old, p.trace)); err != nil {
		return c.giveUp(ctx, old, p.trace, err)
	}
	if len(g.record.Traces) < len(old.Traces) {
		return nil
	}
	c.forget(old)
	return c.commit(ctx, g)
}

// park makes room for a group: of others that are not complete no rows wait.
func (c *Combiner) park(ctx context.Context, g *combining, workers int) error {
	last := c.last
	c.last = g
	if last == nil || last == g {
		return nil
	}
	if err := last.out.flushAll(ctx, workers); err != nil {
		return c.giveUp(ctx, last.old, "", err)
	}
	return nil
}

// forget ends the making of a group.
func (c *Combiner) forget(old *GroupRecord) {
	if c.last == c.again[old] {
		c.last = nil
	}
	delete(c.again, old)
	delete(c.changed, old)
}

// doneOf returns who is told of a trace of a group that is made anew: nobody if
// it has not changed.
func (c *Combiner) doneOf(old *GroupRecord, trace string) Done {
	for _, t := range c.changed[old] {
		if t.trace == trace {
			return t.done
		}
	}
	return nil
}

// giveUp keeps a group as it was, because of an error of one of its traces, or
// of its output.
func (c *Combiner) giveUp(ctx context.Context, old *GroupRecord, trace string, because error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	g, changed := c.again[old], c.changed[old]
	c.forget(old)
	if g != nil {
		g.reports = nil // told below
		if err := c.lose(ctx, g, because, nil); err != nil {
			return err
		}
	}
	for _, t := range changed {
		err := because
		if trace != "" && t.trace != trace {
			err = fmt.Errorf("it shares files with %s, which cannot be converted again: %w", trace, because)
		}
		t.done(nil, err)
	}
	return nil
}

var errNotSeenAgain = errors.New("a trace that shares files with it, or it itself, is not there again, as from standard input")

// Finish ends the making of groups anew: of those that are not complete,
// because an input was not found again, the old one stays.
func (c *Combiner) Finish(ctx context.Context) error {
	for _, old := range c.changedGroups() {
		if err := c.giveUp(ctx, old, "", errNotSeenAgain); err != nil {
			return err
		}
	}
	return nil
}
