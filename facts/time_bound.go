package facts

import (
	"fmt"
	"math"
	"time"
)

// TimeBound is the start or end of a time range. The zero value is no bound.
type TimeBound struct {
	Set   bool
	Kind  BoundKind
	At    time.Time     // of BoundTime
	Since time.Duration // of BoundSinceStart and BoundTimeOfDay: since the start of the session, or since midnight

	Text string // as it was written
}

// BoundKind says what a TimeBound is relative to.
type BoundKind uint8

// The kinds of time bounds.
const (
	BoundTime       BoundKind = iota
	BoundSinceStart           // of the session
	BoundTimeOfDay            // UTC, on the day of a trace that lies within one day
)

const day = 24 * time.Hour

// Before reports whether a bound is before another in every trace.
func (b TimeBound) Before(other TimeBound) bool {
	return b.Set && other.Set && b.Kind == other.Kind && (b.Since < other.Since || b.At.Before(other.At))
}

// UnixNano returns the bound in a trace, clamped to the range of an int64 of ns.
func (b *TimeBound) UnixNano(span *TimeSpan) (int64, error) {
	moment := b.At
	switch b.Kind {
	case BoundSinceStart:
		moment = time.Unix(0, span.Start).Add(b.Since)
	case BoundTimeOfDay:
		midnight := time.Unix(0, span.First).UTC().Truncate(day)
		if moment = midnight.Add(b.Since); span.Last >= midnight.Add(day).UnixNano() {
			return 0, fmt.Errorf("%s is a time of day, and the trace is of several days (%s): say which, such as %s",
				b.Text, span, moment.Format(time.RFC3339Nano))
		}
	}
	switch {
	case moment.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64, nil
	case moment.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64, nil
	}
	return moment.UnixNano(), nil
}

// AtTime returns the bound at a time.
func AtTime(t time.Time) TimeBound {
	return TimeBound{Set: true, At: t, Text: t.UTC().Format(time.RFC3339Nano)}
}

// SinceStart returns the bound at a time after the start of the session.
func SinceStart(d time.Duration) TimeBound {
	return TimeBound{Set: true, Kind: BoundSinceStart, Since: d, Text: d.String()}
}

// IsTimeOfDay reports whether the bound depends on the day of a trace.
func (b TimeBound) IsTimeOfDay() bool { return b.Set && b.Kind == BoundTimeOfDay }

// IsSet reports whether there is a bound.
func (b TimeBound) IsSet() bool { return b.Set }

// String returns the bound in a form that [ParseTimeBound] accepts.
func (b TimeBound) String() string { return b.Text }

// MarshalText implements [encoding.TextMarshaler].
func (b TimeBound) MarshalText() ([]byte, error) { return []byte(b.Text), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (b *TimeBound) UnmarshalText(text []byte) (err error) {
	*b, err = ParseTimeBound(string(text))
	return err
}

// TimeSpan is the time in which a trace was recorded, in ns.
type TimeSpan struct {
	Start       int64 // of the session
	First, Last int64 // first and last event; Start if there are no events
}

// String returns the span in both forms that --from accepts.
func (s *TimeSpan) String() string {
	since := func(ns int64) float64 { return (float64(ns) - float64(s.Start)) / 1e9 }
	return fmt.Sprintf("%s to %s, %.6g to %.6g s after the start", Instant(s.First), Instant(s.Last), since(s.First), since(s.Last))
}
