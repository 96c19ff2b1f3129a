package attribution

import (
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
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
	From, To decode.Ticks // inclusive; see HasFrom and HasTo
	Started  bool         // From is the time of a start event
	Ended    bool         // To is the time of an end event
	Sources  Sources      //

	overlap overlap // of an image or method; here it takes no memory, elsewhere 8 bytes
}

// The bounds of a life that are unknown.
const (
	unknownFrom = minTicks
	unknownTo   = maxTicks
)

// HasFrom reports whether From is known: from a start event, or from the life before it.
func (l *Life) HasFrom() bool { return l.From != unknownFrom }

// HasTo reports whether To is known: from an end event, or from the life after it.
func (l *Life) HasTo() bool { return l.To != unknownTo }

// seen resets the life to a single record at t, to be joined with others.
func (l *Life) seen(t decode.Ticks) {
	r := l.report()
	*l = Life{From: t, To: t, Sources: l.Sources, Started: r == began, Ended: r == ended}
}

// holds reports whether t is in the life, or after its end: an id keeps its meaning
// until it is reused.
func (l *Life) holds(t decode.Ticks) bool { return t >= l.From && (t <= l.To || l.Ended) }

func (l *Life) lived() *Life { return l }
