package rows

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// extraCandidate is an event that is not needed, but may own a part of a stack. Without it, the
// part would be matched to a needed event of the same time.
type extraCandidate struct {
	time decode.Ticks
	rank int32
	candidate
}

func (r *extraCandidate) compare(t decode.Ticks, rank int32, ref int64) int {
	return cmp.Or(cmp.Compare(r.time, t), cmp.Compare(r.rank, rank), cmp.Compare(r.ref, ref))
}

// addExtras finds the extra candidates for the parts of the slab's stacks, in all buffers.
func (g *Gathered) addExtras(x *index.Index, plan *slabs.Plan, needed *Filter) error {
	p := &g.Stacks
	times := g.timesWithStacks()
	if len(times) == 0 {
		return nil
	}
	found := make([]int, len(times))
	for _, b := range plan.All.BuffersOf(slabs.Between(times[0], times[len(times)-1]), nil) {
		if i, _ := slices.BinarySearch(times, b.First); i == len(times) || times[i] > b.Last {
			continue
		}
		err := p.walk(x, int(b.Index), func(ev *decode.Event, running uint32) bool {
			i, ok := slices.BinarySearch(times, ev.Time)
			if !ok || found[i] == maxCandidates || needed.keep(g.resolver, ev, running) {
				return true
			}
			found[i]++
			p.extras = append(p.extras, extraCandidate{ev.Time, b.Rank, g.candidate(x.Catalog, ev, eventRef(&p.buffer, ev), int32(p.buffer.Header.Processor), running, elsewhere)})
			p.crowded = len(p.extras) > 2*p.maxParts
			return !p.crowded
		})
		if err != nil || p.crowded {
			return err
		}
	}
	slices.SortFunc(p.extras, func(a, b extraCandidate) int { return a.compare(b.time, b.rank, b.ref) })
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

// withExtras adds the extras to the slab's events of a time, up to maxCandidates, in order.
func (g *Gathered) withExtras(list []candidate, t decode.Ticks) []candidate {
	first, _ := slices.BinarySearchFunc(g.Stacks.extras, t, func(r extraCandidate, t decode.Ticks) int { return cmp.Compare(r.time, t) })
	own := len(list)
	for i := first; i < len(g.Stacks.extras) && g.Stacks.extras[i].time == t; i++ {
		list = append(list, g.Stacks.extras[i].candidate)
	}
	if len(list) == own {
		return list
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(g.ranks[a.ref>>32], g.ranks[b.ref>>32]), cmp.Compare(a.ref, b.ref))
	})
	return list[:min(len(list), maxCandidates)]
}
