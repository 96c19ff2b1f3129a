package rows

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

// match finds the event of each part, among those of the same time, and groups the parts of each
// event: those of the kernel first.
func (g *Gathered) match(ctx *Context) {
	p := &g.Stacks
	slices.SortFunc(p.parts, func(a, b stackPart) int {
		if c := cmp.Compare(a.event, b.event); c != 0 { // usually
			return c
		}
		switch {
		case a.kernel && !b.kernel:
			return -1
		case b.kernel && !a.kernel:
			return 1
		}
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.ref, b.ref), cmp.Compare(a.from, b.from))
	})
	p.reached = 0
	for from := 0; from < len(p.parts); {
		to := from + 1
		for to < len(p.parts) && p.parts[to].event == p.parts[from].event {
			to++
		}
		g.matchNamed(p.parts[from:to])
		if slices.ContainsFunc(p.parts[from:to], func(part stackPart) bool { return part.owner == byTime }) {
			p.matchTime(g.candidates(ctx, p.parts[from].event), p.parts[from:to])
		}
		from = to
	}
	p.parts = slices.DeleteFunc(p.parts, func(part stackPart) bool {
		return part.entry == elsewhere || part.entry == noEntry && !p.owns(part.event)
	})
	slices.SortStableFunc(p.parts, func(a, b stackPart) int {
		if c := cmp.Compare(a.event, b.event); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.entry, b.entry), cmp.Compare(a.unmatchedThread(), b.unmatchedThread()))
	})
}

// unmatchedThread distinguishes the stacks that have no event.
func (p *stackPart) unmatchedThread() uint32 {
	if p.entry == noEntry {
		return p.thread
	}
	return 0
}

// The scores of candidates. An event that already has a part of the same kind is the last choice.
const (
	fitsNot = iota
	fitsTaken
	fitsProcessor
	fitsThread
	fitsBest
)

// matchTime finds the events for parts of the same time. Each event gets one part of the kernel and
// one of the process, while there are enough events.
func (p *stackParts) matchTime(list []candidate, parts []stackPart) {
	for i := range list {
		list[i].taken = [2]bool{}
	}
	for i := range parts {
		part := &parts[i]
		if part.owner != byTime {
			continue
		}
		side := 0
		if part.kernel {
			side = 1
		}
		best, at := fitsNot, -1
		for j := range list {
			score := p.fit(part, &list[j])
			if score > fitsTaken && list[j].taken[side] {
				score = fitsTaken
			}
			if score > best {
				best, at = score, j
			}
			if best == fitsBest {
				break
			}
		}
		if at >= 0 {
			part.entry = list[at].entry
			list[at].taken[side] = true
		}
	}
}

// matchNamed finds the events for parts that name theirs. The events have the same time.
func (g *Gathered) matchNamed(parts []stackPart) {
	for i := range parts {
		part := &parts[i]
		if part.owner < 0 {
			continue
		}
		part.entry = g.entryOf(part.owner, part.event)
		if _, border := g.Stacks.borders[part.event]; border && part.entry == noEntry {
			part.entry = elsewhere
		}
	}
}

// fit scores how well an event fits a part of a stack of its time. It must be an event of the same
// thread, or one without a thread on the same processor. If the payload names another thread as the
// owner, the stack belongs to the thread in the header. Kernel sessions record the stacks of kernel
// events, so these events score highest.
func (p *stackParts) fit(part *stackPart, c *candidate) int {
	o := &c.owner
	switch {
	case c.stack:
	case part.thread != attribution.NoID && (o.Thread == part.thread || o.HeaderThread == part.thread):
		if c.kernel {
			return fitsBest
		}
		return fitsThread
	case o.Thread == attribution.NoID && c.processor == int32(part.processor):
		return fitsProcessor
	}
	return fitsNot
}
