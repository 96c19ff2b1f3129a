package index

import "github.com/etl2parquet/etl2parquet/facts"

// TimeSpan returns the time in which the trace was recorded.
func (x *Index) TimeSpan() *facts.TimeSpan {
	start := x.StartNS()
	span := &facts.TimeSpan{Start: start, First: start, Last: start}
	if x.Events > 0 {
		span.First, span.Last = x.Clock.UnixNano(x.First), x.Clock.UnixNano(x.Last)
	}
	return span
}
