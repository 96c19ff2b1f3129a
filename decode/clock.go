package decode

import (
	"math"
	"math/bits"
)

// Ticks is a point in time in units of the trace's clock.
type Ticks = int64

// The bounds of Ticks.
const (
	MinTicks = Ticks(math.MinInt64)
	MaxTicks = Ticks(math.MaxInt64)
)

// ClockType is TRACE_LOGFILE_HEADER.ReservedFlags.
type ClockType uint32

// The clocks of an ETW session (ETWDOC, WNODE_HEADER.ClientContext).
const (
	ClockQPC        ClockType = 1 // QueryPerformanceCounter
	ClockSystemTime ClockType = 2 // FILETIME
	ClockCPUCycle   ClockType = 3 // processor cycles
)

// filetimeEpoch is 1970-01-01 UTC as a FILETIME (100 ns since 1601-01-01 UTC).
const filetimeEpoch = 116444736000000000

// defaultPerfFreq replaces a frequency of 0. It is the frequency on Windows 10 and
// later, and TraceEvent assumes it too.
const defaultPerfFreq = 10_000_000

// Clock converts ticks to time. The zero value reads ticks as FILETIME.
type Clock struct {
	base  Ticks  // ticks of the trace header event
	start int64  // UnixNano of that event
	num   uint64 // ns = num/den * ticks
	den   uint64
}

// NewClock returns the clock of a trace. eventTicks is the time stamp of the trace
// header event; the other values are from its payload. An undocumented clock type
// is read as QPC if there is a frequency, or if the ticks are too few for a FILETIME.
// If their moment is not known, or cannot be, tick 0, which is about when Windows
// started, is 1970-01-01 UTC: then only differences of times mean something.
func NewClock(t ClockType, eventTicks Ticks, startTime, perfFreq int64, cpuMHz uint32) Clock {
	few := t == 0 && perfFreq <= 0 && eventTicks > 0 && eventTicks < filetimeLikely
	start := FiletimeUnixNano(startTime)
	if !isTime(start) {
		eventTicks, start = 0, 0
	}
	switch {
	case few && startTime == 0:
		return Clock{num: 1e9 / defaultPerfFreq, den: 1}
	case t == ClockCPUCycle && cpuMHz > 0:
		return Clock{base: eventTicks, start: start, num: 1000, den: uint64(cpuMHz)}
	case t == ClockQPC && perfFreq <= 0, few:
		perfFreq = defaultPerfFreq
	}
	if t == ClockSystemTime || perfFreq <= 0 {
		return Clock{}
	}
	if 1e9%perfFreq == 0 {
		return Clock{base: eventTicks, start: start, num: uint64(1e9 / perfFreq), den: 1}
	}
	return Clock{base: eventTicks, start: start, num: 1e9, den: uint64(perfFreq)}
}

// UnixNano returns t in ns since 1970-01-01 UTC. The result is exact, rounded down
// to a whole ns, and saturates at the bounds of int64 (years 1677 and 2262).
func (c *Clock) UnixNano(t Ticks) int64 {
	if c.den == 0 {
		return FiletimeUnixNano(t)
	}
	return scale(c.start, t, c.base, c.num, c.den, roundDown)
}

// Ticks is the inverse of UnixNano: it returns the first tick that is not before
// ns, or the last tick if all are before ns. It converts a time from the user into
// one that can be compared with the times of buffers.
func (c *Clock) Ticks(ns int64) Ticks {
	switch {
	case ns == math.MinInt64: // UnixNano saturates: all earlier ticks have this time, too
		return math.MinInt64
	case c.den == 0:
		return scale(filetimeEpoch, ns, 0, 1, 100, roundUp)
	}
	return scale(c.base, ns, c.start, c.den, c.num, roundUp)
}

// IsSystemTime reports whether ticks are FILETIMEs of the system's time, which can be set while the
// session runs. The other clocks count, whatever the time is set to.
func (c *Clock) IsSystemTime() bool { return c.den == 0 }

// minUnixNano is the first time that can be, in ns since 1970: in the year 1823. The difference of an
// earlier one and a time of today does not fit 64 bits.
const minUnixNano = -1 << 62

// isTime reports whether ns, which may be saturated, is a time that can be.
func isTime(ns int64) bool { return ns >= minUnixNano && ns < math.MaxInt64 }

// Time returns t as UnixNano does; ok is false for a time that cannot be, because it does not fit 64
// bits, or is so long ago that durations from it do not fit.
func (c *Clock) Time(t Ticks) (ns int64, ok bool) {
	ns = c.UnixNano(t)
	return ns, isTime(ns)
}

// Range returns the first and the last tick of the times that can be.
func (c *Clock) Range() (first, last Ticks) {
	first, last = c.Ticks(minUnixNano), c.Ticks(math.MaxInt64)
	if c.UnixNano(last) == math.MaxInt64 {
		last--
	}
	return first, last
}

// FiletimeTime returns a FILETIME in ns since 1970; ok is false for a time that cannot be.
func FiletimeTime(filetime int64) (ns int64, ok bool) {
	ns = FiletimeUnixNano(filetime)
	return ns, isTime(ns)
}

// FiletimeUnixNano converts a FILETIME, saturating.
func FiletimeUnixNano(filetime int64) int64 {
	return scale(0, filetime, filetimeEpoch, 100, 1, roundDown)
}

const (
	roundDown = false
	roundUp   = true
)

// scale returns origin + (t-base) * num / den, rounded to a whole number and
// saturating. The difference of two int64 needs 65 bits and the product up to 129,
// so the sign is kept apart and the magnitude is computed in 128 bits.
func scale(origin, t, base int64, num, den uint64, up bool) int64 {
	negative := t < base
	magnitude := uint64(t) - uint64(base)
	if negative {
		magnitude = -magnitude
	}
	hi, lo := bits.Mul64(magnitude, num)
	if hi >= den {
		return saturated(negative)
	}
	quotient, remainder := lo, uint64(0)
	switch {
	case den == 1: // a division takes longer than all the rest
	case hi != 0:
		quotient, remainder = bits.Div64(hi, lo, den)
	default:
		quotient = lo / den
		remainder = lo - quotient*den
	}
	if remainder != 0 && up != negative {
		if quotient++; quotient == 0 {
			return saturated(negative)
		}
	}
	if negative {
		if quotient > uint64(origin)-1<<63 {
			return math.MinInt64
		}
		return int64(uint64(origin) - quotient)
	}
	if quotient > math.MaxInt64-uint64(origin) {
		return math.MaxInt64
	}
	return int64(uint64(origin) + quotient)
}

func saturated(negative bool) int64 {
	if negative {
		return math.MinInt64
	}
	return math.MaxInt64
}
