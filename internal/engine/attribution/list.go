package attribution

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// list holds facts and the times of their records, in file order. Most equal facts are in it once.
type list[T any] struct {
	facts numbered[T]
	of    []*numbers // by block of facts: by which worker it is, if by any
	said  [][]saying // in file order
	n     int        // number of sayings
	limit int        // of sayings; 0 is Limits.Records
}

// saying is the time of a record of a fact.
type saying struct {
	time decode.Ticks
	fact uint32
}

// add adds the facts of a sequence of buffers. keep prepares a new fact for storage. before is
// the number of records that the list will be appended to.
func (l *list[T]) add(b *Builder, before int, from *pile[said[T]], keep func(*T, *fact[T])) {
	for _, block := range from.blocks {
		block = cut(b, cmp.Or(l.limit, b.limits.Records), before+l.n, block)
		run := make([]saying, len(block))
		for i, s := range block {
			run[i] = saying{s.time, l.keep(s.fact, keep)}
		}
		l.said, l.n = append(l.said, run), l.n+len(run)
	}
}

// append adds the facts and records of another list, which must not be used after it.
func (l *list[T]) append(other *list[T]) {
	if l.n == 0 {
		*l = *other
		return
	}
	for _, run := range other.said {
		for i := range run {
			run[i].fact += l.facts.end()
		}
	}
	l.facts.blocks = append(l.facts.blocks, other.facts.blocks...)
	l.said, l.n = append(l.said, other.said...), l.n+other.n
}

// keep returns the number of a fact, which it adds if it is new.
func (l *list[T]) keep(f *fact[T], keep func(*T, *fact[T])) uint32 {
	if f.at == 0 {
		f.at = l.facts.push(f.value) + 1
		keep(l.facts.at(f.at-1), f)
	}
	return f.at - 1
}

// sorted returns the sayings sorted by id, time and file order, and the end of those of each id.
// The list no longer has them.
func (l *list[T]) sorted(idOf func(*T) id) (sayings []saying, ends []int) {
	order := l.order(idOf)
	group := make([]uint32, l.facts.end()) // by fact
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
	for _, run := range l.said {
		for _, s := range run {
			ends[group[s.fact]]++
		}
	}
	total := 0
	for g, n := range ends { // for now, the start of each group
		ends[g] = total
		total += n
	}
	sayings = make([]saying, l.n)
	for _, run := range l.said {
		for _, s := range run {
			at := &ends[group[s.fact]]
			sayings[*at] = s
			*at++
		}
	}
	l.said = nil
	from := 0
	for _, end := range ends {
		sortByTime(sayings[from:end])
		from = end
	}
	return sayings, ends
}

// order returns the facts sorted by id.
func (l *list[T]) order(idOf func(*T) id) []sortKey {
	order, at := make([]sortKey, l.facts.len()), 0
	for n, block := range l.facts.blocks {
		for i := range block {
			id := idOf(&block[i])
			order[at] = sortKey{number: id.number, process: id.process, index: uint32(n*factBlock + i)}
			at++
		}
	}
	order = radixSort(order, make([]sortKey, len(order)))
	for from := 0; from < len(order); { // what is left to sort are facts with one process and number
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

// sortByTime is a stable sort. Most sayings are in order already.
func sortByTime(sayings []saying) {
	byTime := func(a, b saying) int { return cmp.Compare(a.time, b.time) }
	if !slices.IsSortedFunc(sayings, byTime) {
		slices.SortStableFunc(sayings, byTime)
	}
}

// pile is a list that grows without being copied. Its blocks have 16, 16, 32 and so on up to 256
// elements, as most traces have few of most things, and then 512 each.
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

// concat returns the piles as one list. They are large: copying them takes as long as much else.
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
