package index

import "fmt"

// TimeSpan is when a trace was recorded, in ns.
type TimeSpan struct {
	Start       int64 // of the session
	First, Last int64 // events; those of a trace without events are its start
}

func (s *TimeSpan) String() string {
	return fmt.Sprintf("%s to %s", Instant(s.First), Instant(s.Last))
}

// TimeSpan returns when the trace was recorded.
func (x *Index) TimeSpan() *TimeSpan {
	start := x.Clock.UnixNano(x.File.Header().EventTicks)
	if x.Events == 0 {
		return &TimeSpan{start, start, start}
	}
	return &TimeSpan{start, x.Clock.UnixNano(x.First), x.Clock.UnixNano(x.Last)}
}
