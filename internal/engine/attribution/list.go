package attribution

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// list holds facts and the times of their records, in file order. Most facts are stored once.
type list[T any] struct {
	facts        numbered[T]
	of           []*numbers      // by block of facts: the numbers of the worker it is from, or nil
	observations [][]observation // in file order
	n            int             // number of observations
	limit        int             // of observations; 0 is Limits.Records
}

// observation is the time of a record of a fact.
type observation struct {
	time decode.Ticks
	fact listFact
}

// add adds the facts of a sequence of buffers. keep prepares a new fact for storage. before is the
// number of records in the list that this one will be appended to.
func (l *list[T]) add(b *Builder, before int, from *pile[observed[T]], keep func(*T, *fact[T])) {
	for _, block := range from.blocks {
		block = cut(b, cmp.Or(l.limit, b.limits.Records), before+l.n, block)
		run := make([]observation, len(block))
		for i, s := range block {
			run[i] = observation{s.time, l.keep(s.fact, keep)}
		}
		l.observations, l.n = append(l.observations, run), l.n+len(run)
	}
}

// append adds the facts and records of another list, which must not be used afterwards.
func (l *list[T]) append(other *list[T]) {
	if l.n == 0 {
		*l = *other
		return
	}
	for _, run := range other.observations {
		for i := range run {
			run[i].fact += l.facts.end()
		}
	}
	l.facts.blocks = append(l.facts.blocks, other.facts.blocks...)
	l.observations, l.n = append(l.observations, other.observations...), l.n+other.n
}

// keep returns the number of a fact, and adds the fact if it is new.
func (l *list[T]) keep(f *fact[T], keep func(*T, *fact[T])) listFact {
	if f.at == 0 {
		f.at = l.facts.push(f.value) + 1
		keep(l.facts.at(f.at-1), f)
	}
	return f.at - 1
}

// sorted returns the records sorted by id, time and file order, and where the records of each id
// end. It removes them from the list.
func (l *list[T]) sorted(idOf func(*T) id) (observations []observation, ends []int) {
	order := l.order(idOf)
	group := make([]uint32, l.facts.end()) // of equal ids, by listFact
	groups := uint32(0)
	for i, f := range order {
		if i > 0 && (f.process != order[i-1].process || f.number != order[i-1].number || idOf(l.facts.at(f.index)) != idOf(l.facts.at(order[i-1].index))) {
			groups++
		}
		group[f.index] = groups
	}
	if len(order) > 0 {
		groups++
	}
	ends = make([]int, groups)
	for _, run := range l.observations {
		for _, s := range run {
			ends[group[s.fact]]++
		}
	}
	total := 0
	for g, n := range ends { // for now, the start of each group
		ends[g] = total
		total += n
	}
	observations = make([]observation, l.n)
	for _, run := range l.observations {
		for _, s := range run {
			at := &ends[group[s.fact]]
			observations[*at] = s
			*at++
		}
	}
	l.observations = nil
	from := 0
	for _, end := range ends {
		sortByTime(observations[from:end])
		from = end
	}
	return observations, ends
}

// order returns the facts sorted by id.
func (l *list[T]) order(idOf func(*T) id) []sortKey {
	order, at := make([]sortKey, l.facts.len()), 0
	for n, block := range l.facts.blocks {
		for i := range block {
			id := idOf(&block[i])
			order[at] = sortKey{number: id.number, process: id.process, index: listFact(n*factBlock + i)}
			at++
		}
	}
	order = radixSort(order, make([]sortKey, len(order)))
	for from := 0; from < len(order); { // the rest of the order is within one process and number
		to := from + 1
		for to < len(order) && order[to].process == order[from].process && order[to].number == order[from].number {
			to++
		}
		if to > from+1 {
			slices.SortFunc(order[from:to], func(a, b sortKey) int {
				return idOf(l.facts.at(a.index)).compare(idOf(l.facts.at(b.index)))
			})
		}
		from = to
	}
	return order
}

// sortByTime is a stable sort. Most records are in order already.
func sortByTime(observations []observation) {
	byTime := func(a, b observation) int { return cmp.Compare(a.time, b.time) }
	if !slices.IsSortedFunc(observations, byTime) {
		slices.SortStableFunc(observations, byTime)
	}
}

// pile is a list that grows without copying its elements. Its blocks have 16, 16, 32 and so on up
// to 256 elements, because most lists are short, and then 512 each.
type pile[T any] struct{ blocks [][]T }

const (
	pileFirst     = 1 << 4
	pileDoublings = 5
)

// push adds v, and returns a pointer to it.
func (p *pile[T]) push(v T) *T {
	if n := len(p.blocks); n == 0 || len(p.blocks[n-1]) == cap(p.blocks[n-1]) {
		p.blocks = append(p.blocks, make([]T, 0, pileFirst<<min(max(n-1, 0), pileDoublings)))
	}
	last := &p.blocks[len(p.blocks)-1]
	*last = append(*last, v)
	return &(*last)[len(*last)-1]
}

func (p *pile[T]) len() (n int) {
	for _, block := range p.blocks {
		n += len(block)
	}
	return n
}

// concat returns the piles as one list. It copies them in parallel, because they are large.
func concat[T any](workers int, piles []pile[T]) []T {
	if len(piles) == 1 && len(piles[0].blocks) == 1 {
		return piles[0].blocks[0]
	}
	total := 0
	for i := range piles {
		total += piles[i].len()
	}
	all := make([]T, total)
	var work []func()
	at := 0
	for i := range piles {
		to := all[at : at+piles[i].len()]
		work = append(work, func() {
			for _, block := range piles[i].blocks {
				to = to[copy(to, block):]
			}
		})
		at += piles[i].len()
	}
	ordered.Together(workers, work...)
	return all
}
