package rows

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
)

// The entries of parts whose event is not in the slab.
const (
	elsewhere = -1        // another slab has it, or it is not selected
	noEntry   = 1<<31 - 1 // the trace does not have it; sorts after all others
)

// stackMatcher holds the parts of the current time that do not name their event.
type stackMatcher struct {
	parts  []ownerlessPart
	owners []int64 // of these
}

// match finds the event of each part, and groups the parts of each event: those of the kernel first.
//
//  1. Parts that name no event choose among the events of their time, the parts in the kernel
//     first, each in the order of the records. chooseOwners decides.
//  2. The event of a part has an entry in the slab, or it is elsewhere: then the part is dropped.
//  3. A part without an event stays if the slab has the first events of its time.
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
	reached := 0
	for from := 0; from < len(p.parts); {
		t, to := p.parts[from].event, from+1
		for to < len(p.parts) && p.parts[to].event == t {
			to++
		}
		here := g.entriesAt(t, reached)
		g.matchTime(ctx, t, here, p.parts[from:to])
		from, reached = to, here.to
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

// matchTime finds the entries of the parts of a time. here are the slab's entries of that time.
func (g *Gathered) matchTime(ctx *Context, t decode.Ticks, here entries, parts []stackPart) {
	m := &g.Stacks.matcher
	m.parts, m.owners = m.parts[:0], m.owners[:0]
	for i := range parts {
		if part := &parts[i]; part.owner == byTime {
			m.parts = append(m.parts, ownerlessPart{Thread: part.thread, Processor: part.processor, IsKernel: part.kernel})
		}
	}
	if len(m.parts) > 0 {
		m.owners = chooseOwners(g.eventsAt(ctx, t, here), m.parts, m.owners)
	}
	next := 0
	for i := range parts {
		owner := parts[i].owner
		if owner == byTime {
			owner = m.owners[next]
			next++
		}
		parts[i].entry = g.entryOf(owner, here)
	}
}

// entries is the half-open range [from, to) of a slab's entries.
type entries struct{ from, to int }

// entriesAt returns the entries of a time. They are not before from, and usually soon after it.
func (g *Gathered) entriesAt(t decode.Ticks, from int) entries {
	step := 1
	for from+step < len(g.Entries) && g.Entries[from+step].time < t {
		from += step
		step *= 2
	}
	rest := g.Entries[from:min(from+step+1, len(g.Entries))]
	from += sort.Search(len(rest), func(i int) bool { return rest[i].time >= t })
	to := from
	for to < len(g.Entries) && g.Entries[to].time == t {
		to++
	}
	return entries{from, to}
}

// entryOf returns the entry of an event, which is one of here or elsewhere, or noEntry if the trace
// does not have the event.
func (g *Gathered) entryOf(ref int64, here entries) int32 {
	if ref == absent {
		return noEntry
	}
	rank := g.ranks[ref>>32]
	list := g.Entries[here.from:here.to]
	at := sort.Search(len(list), func(i int) bool {
		return cmp.Or(cmp.Compare(g.ranks[g.segments[list[i].segment].buffer], rank), cmp.Compare(g.refOf(&list[i]), ref)) >= 0
	})
	if at < len(list) && g.refOf(&list[at]) == ref {
		return int32(here.from + at)
	}
	return elsewhere
}

// event returns an event of the slab again.
func (g *Gathered) event(ctx *Context, i int) (ev decode.Event, ref int64, processor int32) {
	e := &g.Entries[i]
	ctx.file.Event(&ev, g.bytes(e), e.header)
	e.setTime(&ev)
	return ev, g.refOf(e), g.segments[e.segment].processor
}
