// Package slabs cuts a trace into slabs of time and lists the buffers of each. It needs only
// the index.
package slabs

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Key is a place in the order of all events: time, then the rank of the buffer
// in the order of processor and position in the file. Within a buffer no key is
// needed: a buffer is only cut by time. Key{Time: t} is the first key of its time.
type Key struct {
	Time decode.Ticks
	Rank int32
}

// Compare orders keys, as cmp.Compare does.
func (k Key) Compare(other Key) int {
	if c := cmp.Compare(k.Time, other.Time); c != 0 {
		return c
	}
	return cmp.Compare(k.Rank, other.Rank)
}

// Slab is a half-open range [From, To) of the order.
type Slab struct{ From, To Key }

// lastRank is beyond every buffer: ranks end below it.
const lastRank = 1<<31 - 1

// First and Last enclose every event.
var (
	First = Key{decode.MinTicks, 0}
	Last  = Key{decode.MaxTicks, lastRank}
)

// Whole returns the slab of all events.
func Whole() Slab { return Slab{First, Last} }

// Between returns the slab of the events from one time to another, both included.
func Between(first, last decode.Ticks) Slab {
	return Slab{Key{first, 0}, Key{last, lastRank}}
}

// Intersect returns the part of a slab that is also in another. If there is none, it is empty.
func (s Slab) Intersect(other Slab) Slab {
	if s.From.Compare(other.From) < 0 {
		s.From = other.From
	}
	if s.To.Compare(other.To) > 0 {
		s.To = other.To
	}
	if s.To.Compare(s.From) < 0 {
		s.To = s.From
	}
	return s
}
