package etl2parquet

import (
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// TimeBound is the start or end of a time range. The zero value is no bound.
type TimeBound struct{ bound index.TimeBound }

// ParseTimeBound parses a bound in any form in which times are printed: a date and a time, such as
// 2024-05-31T12:00:00.5Z or 2024-05-31 14:00:00+02; a date; a time of day such as 12:30 (for a trace
// that lies within one day); seconds since the start of the session such as 1.5, 1.5 s or 90s; or an
// integer of 18 or 19 digits: ns since 1970. A time without a zone is UTC. "" is no bound.
func ParseTimeBound(text string) (TimeBound, error) {
	b, err := index.ParseTimeBound(text)
	return TimeBound{b}, err
}

// AtTime returns the bound at a time.
func AtTime(t time.Time) TimeBound {
	return TimeBound{index.TimeBound{Set: true, At: t, Text: t.UTC().Format(time.RFC3339Nano)}}
}

// SinceStart returns the bound at a time after the start of the session.
func SinceStart(d time.Duration) TimeBound {
	return TimeBound{index.TimeBound{Set: true, Kind: index.SinceStart, Since: d, Text: d.String()}}
}

// IsSet reports whether there is a bound.
func (b TimeBound) IsSet() bool { return b.bound.Set }

// Before reports whether b is before other in every trace.
func (b TimeBound) Before(other TimeBound) bool { return b.bound.Before(&other.bound) }

// String returns the bound in a form that [ParseTimeBound] accepts.
func (b TimeBound) String() string { return b.bound.Text }

// isTimeOfDay reports whether the bound depends on the day of a trace.
func (b TimeBound) isTimeOfDay() bool { return b.bound.Set && b.bound.Kind == index.TimeOfDay }
