package attribution

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// entity is something with a life. Each event gives a record of an entity; join merges the records
// of an entity into one.
type entity[T any] interface {
	*T
	joinable[T]
}

// id identifies an entity at a time.
type id struct {
	process         uint32
	number, context uint64
}

func (i id) compare(o id) int {
	if i.process != o.process {
		return cmp.Compare(i.process, o.process)
	}
	if i.number != o.number {
		return cmp.Compare(i.number, o.number)
	}
	return cmp.Compare(i.context, o.context)
}

type joinable[T any] interface {
	lived() *Life
	seen(decode.Ticks) // resets it to a single record at this time
	id() id            // can be reused
	equal(*T) bool     // reports whether another with the same id is the same entity
	learn(*T)          // adds what a later record has and this one lacks
}

var (
	_ joinable[Process] = (*Process)(nil)
	_ joinable[Thread]  = (*Thread)(nil)
	_ joinable[Image]   = (*Image)(nil)
	_ joinable[File]    = (*File)(nil)
	_ joinable[Method]  = (*Method)(nil)
	_ joinable[Module]  = (*Module)(nil)
)

// join merges the records of a list into entities, sorted by id and time. The records of one start
// or end in two traces are at most near ticks apart. workers is the number of goroutines.
func join[T any, P entity[T]](l *list[T], near decode.Ticks, workers int) []T {
	return joinUnless(l, near, workers, func(a, b P) bool { return false })
}

// joinUnless is join, but keeps two records apart if differ reports that they belong to different
// entities: a is the entity so far, b the next record.
func joinUnless[T any, P entity[T]](l *list[T], near decode.Ticks, workers int, differ func(a, b P) bool) []T {
	observations, ends := l.sorted(func(v *T) id { return P(v).id() })
	parts := make([]pile[T], len(ordered.Parts(len(ends), workers)))
	ordered.InParts(len(ends), workers, func(part, from, to int) { parts[part] = joinIDs(l, observations, ends, from, to, near, differ) })
	*l = list[T]{} // frees it: it is as large as the result
	return concat(workers, parts)
}

// joinIDs joins the records of some ids: ends[from:to] are the ends of their records.
func joinIDs[T any, P entity[T]](l *list[T], observations []observation, ends []int, from, to int, near decode.Ticks, differ func(a, b P) bool) (list pile[T]) {
	at := 0
	if from > 0 {
		at = ends[from-1]
	}
	for _, end := range ends[from:to] {
		joinID(&list, &l.facts, observations[at:end], near, differ)
		at = end
	}
	separate[T, P](&list)
	return list
}

// joinID joins the records of an id, which are in the order of time. Each record belongs to the
// latest life so far, or begins another one: see transitions. Until all are joined, the latest life
// ends with its last record; then its end is unknown, unless an end event records it.
func joinID[T any, P entity[T]](list *pile[T], facts *numbered[T], observations []observation, near decode.Ticks, differ func(a, b P) bool) {
	var last P
	state, life := noLife, (*Life)(nil) // of the last
	for _, s := range observations {
		r := P(facts.at(s.fact))
		r.seen(s.time)
		next := r.lived()
		how := &transitions[state][next.report()]
		if how.join.joins(life, next, near) && last.equal((*T)(r)) && !differ(last, r) {
			last.learn((*T)(r))
			life.extend(next)
		} else {
			how.gap.divide(life, next)
			last = list.push(*r)
			life = last.lived()
		}
		state = life.state()
	}
	if life != nil && !life.Ended {
		life.To = unknownTo
	}
}

// separate makes each moment belong to at most one life of an id, because searches rely on it. The
// list is sorted by id and time.
func separate[T any, P entity[T]](list *pile[T]) {
	var before P
	for _, block := range list.blocks {
		for i := range block {
			v := P(&block[i])
			if before != nil && before.id() == v.id() {
				l := before.lived()
				l.To = max(l.From, min(l.To, v.lived().From-1))
			}
			before = v
		}
	}
}
