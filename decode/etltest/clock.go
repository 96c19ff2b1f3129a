package etltest

import (
	"math/bits"
	"time"
)

// Clock is the type of the clock that a trace's time stamps count.
type Clock uint32

// The clock types of TRACE_LOGFILE_HEADER.ReservedFlags.
const (
	ClockQPC    Clock = 1 // performance counter, Trace.Frequency per second
	ClockSystem Clock = 2 // FILETIME
	ClockCycles Clock = 3 // processor cycles, Trace.MHz million per second
)

// FileTime returns the 100 ns intervals from 1601-01-01 UTC to t.
func FileTime(t time.Time) int64 {
	return (t.Unix()+11644473600)*1e7 + int64(t.Nanosecond()/100)
}

// rate returns the ticks per second of the trace's clock.
func (t *Trace) rate() int64 {
	switch t.clock() {
	case ClockSystem:
		return 1e7
	case ClockCycles:
		return int64(t.mhz()) * 1e6
	}
	return t.frequency()
}

// Ticks returns the time d after the trace's start, in ticks of its clock.
func (t *Trace) Ticks(d time.Duration) int64 {
	return t.startTicks() + scale(int64(d), t.rate(), 1e9)
}

// fileTime is the FILETIME of a time on the trace's clock.
func (t *Trace) fileTime(ticks int64) int64 {
	return FileTime(t.start()) + scale(ticks-t.startTicks(), 1e7, t.rate())
}

// scale returns v*num/den, rounded towards zero, without overflow on the way.
func scale(v, num, den int64) int64 {
	negative := v < 0
	if negative {
		v = -v
	}
	hi, lo := bits.Mul64(uint64(v), uint64(num))
	q, _ := bits.Div64(hi%uint64(den), lo, uint64(den))
	if negative {
		return -int64(q)
	}
	return int64(q)
}
