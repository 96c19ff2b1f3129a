package rows

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// stackEvents lists the events that parts of stacks may belong to. The list of a time has all events
// of that time in the trace, so that a part belongs to the same event however the trace is cut into
// slabs, and whatever is selected. It has, in the order of the trace and up to
// maxStackOwners:
//
//   - the events of the slab,
//   - their rivals, which a selection leaves out,
//   - and at the border of a slab, instead of both, all events of that time, from all buffers.
type stackEvents struct {
	list    []stackOwner                  // of the current time
	rivals  []rival                       // of the slab, in order
	borders map[decode.Ticks][]stackOwner // of times that the slab has only in part
	tooMany bool                          // not all rivals fitted in memory
}

// rival is an event of the slab's time that is not selected. Without it, a part that belongs to it
// would go to a selected event of the same time.
type rival struct {
	time decode.Ticks
	rank int32
	stackOwner
}

func (e *stackEvents) reset() {
	clear(e.borders)
	e.rivals, e.tooMany = e.rivals[:0], false
}

// stackEvent describes an event for chooseOwners.
func (g *Gathered) stackEvent(c *catalog.Catalog, ev *decode.Event, ref int64, processor int32, running uint32) stackOwner {
	var key catalog.Key
	c.KeyOf(ev, &key)
	kind := c.Of(&key)
	e := stackOwner{Ref: ref, Processor: processor, IsKernel: ev.Family == decode.FamilyPerfInfo || ev.Family == decode.FamilySystem}
	e.IsStack = e.IsKernel && ev.HookID()>>8 == stackWalkGroup
	g.resolver.Owner(ev, kind.Literal.Event, kind.Version, running, &e.Owner)
	return e
}

const stackWalkGroup = 0x18

// eventsAt returns the events of a time, in order. here are the slab's entries of that time.
func (g *Gathered) eventsAt(ctx *Context, t decode.Ticks, here entries) []stackOwner {
	e := &g.Stacks.events
	if border := e.borders[t]; border != nil {
		return border
	}
	e.list = e.list[:0]
	for i := here.from; i < min(here.to, here.from+maxStackOwners); i++ {
		ev, ref, processor := g.event(ctx, i)
		e.list = append(e.list, g.stackEvent(ctx.Catalog, &ev, ref, processor, g.Entries[i].running))
	}
	if e.addRivals(t) {
		slices.SortFunc(e.list, func(a, b stackOwner) int {
			return cmp.Or(cmp.Compare(g.ranks[a.Ref>>32], g.ranks[b.Ref>>32]), cmp.Compare(a.Ref, b.Ref))
		})
		e.list = e.list[:min(len(e.list), maxStackOwners)]
	}
	return e.list
}

// addRivals adds the rivals of a time to the list, and reports whether there are any.
func (e *stackEvents) addRivals(t decode.Ticks) (any bool) {
	first, any := slices.BinarySearchFunc(e.rivals, t, func(r rival, t decode.Ticks) int { return cmp.Compare(r.time, t) })
	for i := first; i < len(e.rivals) && e.rivals[i].time == t; i++ {
		e.list = append(e.list, e.rivals[i].stackOwner)
	}
	return any
}

// addBorders finds the first events of the times that the slab has only in part.
func (g *Gathered) addBorders(x *index.Index, plan *slabs.Plan) error {
	for _, key := range []slabs.Key{g.Stacks.slab.From, g.Stacks.slab.To} {
		if key.Rank > 0 && key != slabs.Last && g.Stacks.events.borders[key.Time] == nil {
			if err := g.addBorder(x, plan, key.Time); err != nil {
				return err
			}
		}
	}
	return nil
}

// addBorder finds the first events of a time, in all buffers.
func (g *Gathered) addBorder(x *index.Index, plan *slabs.Plan, t decode.Ticks) error {
	p := &g.Stacks
	var list []stackOwner
	for _, b := range plan.All.BuffersOf(slabs.Between(t, t), nil) {
		err := p.walk(x, int(b.Index), func(ev *decode.Event, running uint32) bool {
			if ev.Time == t {
				list = append(list, g.stackEvent(x.Catalog, ev, eventRef(&p.buffer, ev), int32(p.buffer.Header.Processor), running))
			}
			return len(list) < maxStackOwners
		})
		if err != nil {
			return err
		}
		if len(list) == maxStackOwners {
			break
		}
	}
	if p.events.borders == nil {
		p.events.borders = make(map[decode.Ticks][]stackOwner)
	}
	p.events.borders[t] = list
	return nil
}

// addRivals finds the rivals of the slab's events, in all buffers. needed is what the selection
// leaves.
func (g *Gathered) addRivals(x *index.Index, plan *slabs.Plan, needed *Filter) error {
	p := &g.Stacks
	times := g.timesWithStacks()
	if len(times) == 0 {
		return nil
	}
	found, e := make([]int, len(times)), &p.events
	for _, b := range plan.All.BuffersOf(slabs.Between(times[0], times[len(times)-1]), nil) {
		if i, _ := slices.BinarySearch(times, b.First); i == len(times) || times[i] > b.Last {
			continue
		}
		err := p.walk(x, int(b.Index), func(ev *decode.Event, running uint32) bool {
			i, ok := slices.BinarySearch(times, ev.Time)
			if !ok || found[i] == maxStackOwners || needed.keep(g.resolver, ev, running) {
				return true
			}
			found[i]++
			e.rivals = append(e.rivals, rival{ev.Time, b.Rank, g.stackEvent(x.Catalog, ev, eventRef(&p.buffer, ev), int32(p.buffer.Header.Processor), running)})
			e.tooMany = len(e.rivals) > 2*p.maxParts
			return !e.tooMany
		})
		if err != nil || e.tooMany {
			return err
		}
	}
	slices.SortFunc(e.rivals, func(a, b rival) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.rank, b.rank), cmp.Compare(a.Ref, b.Ref))
	})
	return nil
}

// timesWithStacks returns the times for which the slab has an event and a part of a stack that does
// not name its event.
func (g *Gathered) timesWithStacks() []decode.Ticks {
	var times []decode.Ticks
	for i := range g.Stacks.parts {
		if part := &g.Stacks.parts[i]; part.owner == byTime {
			times = append(times, part.event)
		}
	}
	slices.Sort(times)
	return slices.DeleteFunc(slices.Compact(times), func(t decode.Ticks) bool {
		_, found := slices.BinarySearchFunc(g.Entries, t, func(e entry, t decode.Ticks) int { return cmp.Compare(e.time, t) })
		return !found
	})
}
