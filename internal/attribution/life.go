package attribution

import (
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
)

const (
	minTicks = decode.Ticks(math.MinInt64)
	maxTicks = decode.Ticks(math.MaxInt64)
)

// Sources says by which events something is known.
type Sources uint8

// The sources, one bit each.
const (
	FromStart        Sources = 1 << iota // it began
	FromEnd                              // it ended
	FromRundownStart                     // it was there when recording began
	FromRundownEnd                       // it was there when recording ended
)

var sourceNames = [...]string{"start", "end", "rundown_start", "rundown_end"}

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

// Life is the interval of time in which an id means one thing.
type Life struct {
	From, To decode.Ticks // both inside; the ends of time where not known
	Started  bool         // From is the time of an event that says so
	Ended    bool         // and To
	Sources  Sources      //

	open bool // no end is known yet; To is when it was last seen
}

// seen makes the life that of a single record, to be joined with others.
func (l *Life) seen(t decode.Ticks) {
	s := l.Sources
	*l = Life{From: t, To: t, Sources: s, Started: s == FromStart, Ended: s == FromEnd, open: s != FromEnd}
}

// holds reports whether t is in the life, or after its end: an id means the
// same until it is used again.
func (l *Life) holds(t decode.Ticks) bool { return t >= l.From && (t <= l.To || l.Ended) }

func (l *Life) lived() *Life { return l }

// entity is something with a life. As it is read, it is a record of one event;
// the records of an entity are joined into one.
type entity[T any] interface {
	*T
	joinable[T]
}

type joinable[T any] interface {
	lived() *Life
	seen(decode.Ticks) // makes it what a record says that has this time
	compareID(*T) int  // of ids, which may be used again
	same(*T) bool      // it is the same as another with the same id
	learn(*T)          // takes from a later record what this one does not have
}

var (
	_ joinable[Process] = (*Process)(nil)
	_ joinable[Thread]  = (*Thread)(nil)
	_ joinable[Image]   = (*Image)(nil)
	_ joinable[File]    = (*File)(nil)
)

// join makes entities of what was said: sorted by id and time, what was said
// of the same entity in one.
func join[T any, P entity[T]](l *list[T]) []T {
	var out pile[T]
	sayings, ends := l.sorted(func(a, b *T) int { return P(a).compareID(b) })
	from := 0
	for _, end := range ends {
		var last P
		for _, s := range sayings[from:end] {
			r := P(&l.facts[s.fact])
			r.seen(s.time)
			switch {
			case last == nil:
				if l := r.lived(); !l.Started {
					l.From = minTicks
				}
			case joined[T](last, r):
				continue
			default:
				r.lived().follow(last.lived())
			}
			last = out.push(*r)
		}
		from = end
	}
	list := out.all()
	for i := range list {
		l := P(&list[i]).lived()
		if l.open {
			l.To, l.open = maxTicks, false
		}
		if i+1 < len(list) && P(&list[i]).compareID(&list[i+1]) == 0 {
			// One moment means one of them, as a search finds it.
			next := P(&list[i+1]).lived()
			l.To = max(l.From, min(l.To, next.From-1))
		}
	}
	return list
}

// joined adds a record to the entity before it, and reports whether it is of
// the same.
func joined[T any, P entity[T]](last, r P) bool {
	a, b := last.lived(), r.lived()
	switch {
	case !last.same((*T)(r)):
		return false
	case b.Started && (!a.Started || a.From != b.From): // two sessions may have recorded the same start
		return false
	case !b.Started && !a.open && a.To != b.To: // or the same end
		return false
	}
	last.learn((*T)(r))
	a.Sources |= b.Sources
	a.To, a.Ended, a.open = b.To, a.Ended || b.Ended, a.open && b.open
	return true
}

// follow makes the life begin where the one before with the same id is over.
func (l *Life) follow(before *Life) {
	switch {
	case l.Started && before.open: // the end of the other was not recorded
		before.To = max(before.To, l.From-1)
	case !l.Started && !before.open && before.To < l.To:
		l.From = before.To + 1
	}
	// Else, of two that were there and neither began or ended, nothing is known
	// of the time between.
	before.open = false
}
