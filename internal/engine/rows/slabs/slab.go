// Package slabs cuts a trace into slabs of time and lists the buffers of each. It needs only
// the index.
package slabs

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Key is a position in the order of all events: time, then the rank of the buffer in the order of
// processor and position in the file. Within a buffer no key is needed, because a buffer is only
// cut by time. Key{Time: t} is the first key of its time.
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

// lastRank is greater than the rank of every buffer.
const lastRank = 1<<31 - 1

// First and Last enclose every event.
var (
	First = Key{decode.MinTicks, 0}
	Last  = Key{decode.MaxTicks, lastRank}
)

// Whole returns the slab of all events.
func Whole() Slab { return Slab{First, Last} }

// Between returns the slab of the events in the closed range [first, last] of times.
func Between(first, last decode.Ticks) Slab {
	return Slab{Key{first, 0}, Key{last, lastRank}}
}

// Intersect returns the part of a slab that is also in another. It may be empty.
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

// Middle returns a key that cuts the slab near the median of the keys of events, which it sorts.
// There is none only if all keys are equal, and then they are from one buffer.
func (s Slab) Middle(keys []Key) (Key, bool) {
	slices.SortFunc(keys, Key.Compare)
	middle := keys[len(keys)/2]
	// Events of the same time stay together if possible.
	if apart := (Key{Time: middle.Time}); apart.Compare(s.From) > 0 && apart.Compare(keys[0]) > 0 {
		return apart, true
	}
	if i := slices.IndexFunc(keys, func(k Key) bool { return k.Time > middle.Time }); i > 0 {
		return Key{Time: keys[i].Time}, true
	}
	if middle.Compare(s.From) > 0 && middle != keys[0] {
		return middle, true
	}
	i, _ := slices.BinarySearchFunc(keys, middle, func(k, m Key) int {
		if c := k.Compare(m); c != 0 {
			return c
		}
		return -1
	})
	if i == len(keys) {
		return Key{}, false
	}
	return keys[i], true
}
