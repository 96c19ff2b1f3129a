package index

import (
	"fmt"
	"math"
	"time"
)

// TimeBound is the start or end of a time range.
type TimeBound struct {
	Set   bool
	Kind  BoundKind
	At    time.Time     // of AtTime
	Since time.Duration // of SinceStart and TimeOfDay: since the start of the session, or since midnight

	Text string // as it was written
}

// BoundKind says what a TimeBound is relative to.
type BoundKind uint8

// The kinds of time bounds.
const (
	AtTime     BoundKind = iota
	SinceStart           // of the session
	TimeOfDay            // UTC, on the day of a trace that lies within one day
)

const day = 24 * time.Hour

// Before reports whether a bound is before another in every trace.
func (b *TimeBound) Before(other *TimeBound) bool {
	return b.Set && other.Set && b.Kind == other.Kind && (b.Since < other.Since || b.At.Before(other.At))
}

// UnixNano returns the bound in a trace, clamped to the range of an int64 of ns.
func (b *TimeBound) UnixNano(span *TimeSpan) (int64, error) {
	at := b.At
	switch b.Kind {
	case SinceStart:
		at = time.Unix(0, span.Start).Add(b.Since)
	case TimeOfDay:
		midnight := time.Unix(0, span.First).UTC().Truncate(day)
		if at = midnight.Add(b.Since); span.Last >= midnight.Add(day).UnixNano() {
			return 0, fmt.Errorf("%s is a time of day, and the trace is of several days (%s): say which, such as %s",
				b.Text, span, at.Format(time.RFC3339Nano))
		}
	}
	switch {
	case at.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64, nil
	case at.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64, nil
	}
	return at.UnixNano(), nil
}
