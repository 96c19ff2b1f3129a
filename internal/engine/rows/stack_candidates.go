package rows

import (
	"cmp"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// candidate is an event that a part of a stack may belong to.
type candidate struct {
	ref       int64
	owner     attribution.Owner
	entry     int32 // in the slab, or elsewhere
	processor int32
	kernel    bool    // an event of the kernel itself
	stack     bool    // it has a part of a stack itself
	taken     [2]bool // it has got a part of the process, and of the kernel
}

// elsewhere stands for an event of another slab.
const elsewhere = -1

// addBorder finds the first events of a time that the slab has only in part, so that all slabs with
// other events of that time match stacks in the same way.
func (g *Gathered) addBorder(x *index.Index, plan *slabs.Plan, t decode.Ticks) error {
	p := &g.Stacks
	var list []candidate
	for _, b := range plan.All.BuffersOf(slabs.Between(t, t), nil) {
		err := p.walk(x, int(b.Index), func(ev *decode.Event, running uint32) bool {
			if ev.Time == t {
				list = append(list, g.candidate(x.Catalog, ev, eventRef(&p.buffer, ev), int32(p.buffer.Header.Processor), running, elsewhere))
			}
			return len(list) < maxCandidates
		})
		if err != nil {
			return err
		}
		if len(list) == maxCandidates {
			break
		}
	}
	if p.borders == nil {
		p.borders = make(map[decode.Ticks][]candidate)
	}
	p.borders[t] = list
	return nil
}

// candidate describes ev as a possible owner of a part of a stack.
func (g *Gathered) candidate(c *catalog.Catalog, ev *decode.Event, ref int64, processor int32, running uint32, entry int32) candidate {
	var key catalog.Key
	c.KeyOf(ev, &key)
	known := c.Of(&key)
	kernel := ev.Family == decode.FamilyPerfInfo || ev.Family == decode.FamilySystem
	found := candidate{ref: ref, entry: entry, processor: processor, kernel: kernel, stack: kernel && ev.HookID()>>8 == stackWalkGroup}
	g.resolver.Owner(ev, known.Literal.Event, known.Version, running, &found.owner)
	return found
}

const stackWalkGroup = 0x18

// maxCandidates bounds the events of the same time that are considered.
const maxCandidates = 1 << 10

// candidates returns the events of a time, in order.
func (g *Gathered) candidates(ctx *Context, t decode.Ticks) []candidate {
	first := g.firstAt(t)
	list := g.Stacks.found[:0]
	for i := first; i < len(g.Entries) && g.Entries[i].time == t && i-first < maxCandidates; i++ {
		ev, ref, processor := g.event(ctx, i)
		list = append(list, g.candidate(ctx.Catalog, &ev, ref, processor, g.Entries[i].running, int32(i)))
	}
	list = g.withExtras(list, t)
	g.Stacks.found = list
	border := g.Stacks.borders[t]
	if border == nil {
		return list
	}
	for i := range border {
		if border[i].entry = g.entryOf(border[i].ref, t); border[i].entry == noEntry {
			border[i].entry = elsewhere
		}
	}
	return border
}

// firstAt returns the first entry of a time, or where it would be. The times in successive calls
// must ascend, usually in small steps.
func (g *Gathered) firstAt(t decode.Ticks) int {
	from, step := g.Stacks.reached, 1
	for from+step < len(g.Entries) && g.Entries[from+step].time < t {
		from += step
		step *= 2
	}
	rest := g.Entries[from:min(from+step+1, len(g.Entries))]
	g.Stacks.reached = from + sort.Search(len(rest), func(i int) bool { return rest[i].time >= t })
	return g.Stacks.reached
}

// entryOf returns the index of an event in the slab, or noEntry.
func (g *Gathered) entryOf(ref int64, t decode.Ticks) int32 {
	rank := g.ranks[ref>>32]
	at := sort.Search(len(g.Entries), func(i int) bool {
		e := &g.Entries[i]
		s := &g.segments[e.segment]
		return cmp.Or(cmp.Compare(e.time, t), cmp.Compare(g.ranks[s.buffer], rank), cmp.Compare(g.refOf(e), ref)) >= 0
	})
	if at < len(g.Entries) {
		e := &g.Entries[at]
		if e.time == t && g.refOf(e) == ref {
			return int32(at)
		}
	}
	return noEntry
}

// event returns an event of the slab again.
func (g *Gathered) event(ctx *Context, i int) (ev decode.Event, ref int64, processor int32) {
	e := &g.Entries[i]
	ctx.file.Event(&ev, g.bytes(e), e.header)
	ev.Time, ev.Timed = e.time, e.timed
	return ev, g.refOf(e), g.segments[e.segment].processor
}
