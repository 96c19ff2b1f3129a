package index

import "fmt"

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

// TimeSpan returns the time in which the trace was recorded.
func (x *Index) TimeSpan() *TimeSpan {
	start := x.StartNS()
	if x.Events == 0 {
		return &TimeSpan{start, start, start}
	}
	return &TimeSpan{start, x.Clock.UnixNano(x.First), x.Clock.UnixNano(x.Last)}
}
