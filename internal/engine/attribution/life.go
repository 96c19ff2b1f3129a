package attribution

import (
	"cmp"
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

const (
	minTicks = decode.Ticks(math.MinInt64)
	maxTicks = decode.Ticks(math.MaxInt64)
)

// Sources is a set of the kinds of event that record an entity.
type Sources uint8

// The sources, one bit each.
const (
	FromStart        Sources = 1 << iota // it began
	FromEnd                              // it ended
	FromRundownStart                     // it existed when recording began
	FromRundownEnd                       // it existed when recording ended
	FromSibling                          // only siblings of the trace record it
)

var sourceNames = [...]string{"start", "end", "rundown_start", "rundown_end", "sibling"}

// with returns the union of the sources of two records, but keeps FromSibling only if both have it.
func (s Sources) with(o Sources) Sources { return (s|o)&^FromSibling | s&o&FromSibling }

// Names returns the names of the sources, in the order of their bits.
func (s Sources) Names() []string {
	var names []string
	for i, name := range sourceNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// Life is the interval of time in which an id has one meaning.
type Life struct {
	From, To decode.Ticks // inclusive; decode's bounds of Ticks if unknown
	Started  bool         // From is the time of a start event
	Ended    bool         // To is the time of an end event
	Sources  Sources      //

	open    bool    // no end is known yet; To is the time of the last record
	overlap overlap // of an image or method; here it takes no memory, elsewhere 8 bytes
}

// seen resets the life to a single record at t, to be joined with others.
func (l *Life) seen(t decode.Ticks) {
	kind := l.Sources &^ FromSibling
	*l = Life{From: t, To: t, Sources: l.Sources, Started: kind == FromStart, Ended: kind == FromEnd, open: kind != FromEnd}
}

// holds reports whether t is in the life, or after its end: an id keeps its meaning
// until it is reused.
func (l *Life) holds(t decode.Ticks) bool { return t >= l.From && (t <= l.To || l.Ended) }

func (l *Life) lived() *Life { return l }

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
		var last P
		for _, s := range observations[at:end] {
			r := P(l.facts.at(s.fact))
			r.seen(s.time)
			switch {
			case last == nil:
				if l := r.lived(); !l.Started {
					l.From = minTicks
				}
			case !differ(last, r) && joined[T](last, r, near):
				continue
			default:
				r.lived().follow(last.lived())
			}
			last = list.push(*r)
		}
		at = end
	}
	var before P
	for _, block := range list.blocks {
		for i := range block {
			v := P(&block[i])
			if before != nil && before.id() == v.id() {
				// A moment belongs to one entity only, because searches rely on it.
				l := before.lived()
				l.To = max(l.From, min(l.To, v.lived().From-1))
			}
			if l := v.lived(); l.open {
				l.To, l.open = maxTicks, false
			}
			before = v
		}
	}
	return list
}

// joined merges a record into the entity before it if both are the same entity, and reports whether
// it did.
func joined[T any, P entity[T]](last, r P, near decode.Ticks) bool {
	a, b := last.lived(), r.lived()
	if (a.Sources|b.Sources)&FromSibling == 0 {
		near = 0
	}
	switch {
	case !last.equal((*T)(r)):
		return false
	case b.Started && !(a.Started && (a.From == b.From || a.open && b.From-a.From <= near)): // two sessions may have recorded the same start
		return false
	case !b.Started && !a.open && !(a.To == b.To || b.Ended && b.To-a.To <= near): // or the same end
		return false
	}
	last.learn((*T)(r))
	a.Sources = a.Sources.with(b.Sources)
	a.To, a.Ended, a.open = b.To, a.Ended || b.Ended, a.open && b.open
	return true
}

// follow makes the life begin after the previous one with the same id.
func (l *Life) follow(before *Life) {
	switch {
	case l.Started && before.open: // the end of the previous one was not recorded
		before.To = max(before.To, l.From-1)
	case !l.Started && !before.open && before.To < l.To:
		l.From = before.To + 1
	}
	// If neither the end of the previous one nor the start of this one was recorded,
	// the time between them is unknown.
	before.open = false
}
