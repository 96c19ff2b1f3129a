package index

import "fmt"

// TimeSpan is when a trace was recorded, in ns.
type TimeSpan struct {
	Start       int64 // of the session
	First, Last int64 // events; those of a trace without events are its start
}

// String tells it both ways in which users say times.
func (s *TimeSpan) String() string {
	since := func(ns int64) float64 { return (float64(ns) - float64(s.Start)) / 1e9 }
	return fmt.Sprintf("%s to %s, %.6g to %.6g s after the start", Instant(s.First), Instant(s.Last), since(s.First), since(s.Last))
}

// TimeSpan returns when the trace was recorded.
func (x *Index) TimeSpan() *TimeSpan {
	start := x.Clock.UnixNano(x.File.Header().EventTicks)
	if x.Events == 0 {
		return &TimeSpan{start, start, start}
	}
	return &TimeSpan{start, x.Clock.UnixNano(x.First), x.Clock.UnixNano(x.Last)}
}
