package index

import (
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Earlier is the file before the trace in a series of files that one session wrote. The counters of
// losses continue from file to file. The zero value means that there is none.
type Earlier struct {
	Name        string
	EventsLost  uint32
	BuffersLost uint32
}

// Losses returns the losses since the earlier file, from the counters in the trace header.
func (e *Earlier) Losses(events, buffers uint32) Losses {
	if e.Name != "" && events >= e.EventsLost && buffers >= e.BuffersLost {
		events, buffers = events-e.EventsLost, buffers-e.BuffersLost
	}
	return Losses{Events: events, Buffers: buffers, Since: e.Name}
}

// Losses are the numbers of lost events and buffers, as the session counted them.
type Losses struct {
	Events, Buffers uint32
	Known           bool
	Since           string // the file before this one, whose numbers are subtracted, or ""
	OfSession       bool   // they cover the files before this one, too
}

// Losses returns what the session lost. If the file before it is known, the numbers cover only this
// file.
func (x *Index) Losses() Losses {
	h := x.File.Header()
	l := x.earlier.Losses(h.EventsLost, h.BuffersLost)
	l.OfSession = h.NewFile() && x.earlier.Name == ""
	l.Known = h.CountsLosses() && (h.Finalised() || h.EventsLost|h.BuffersLost != 0)
	return l
}

// span holds the times of the earliest and latest of some events.
type span struct{ First, Last decode.Ticks }

var noSpan = span{decode.MaxTicks, decode.MinTicks}

func (s *span) add(first, last decode.Ticks) {
	s.First, s.Last = min(s.First, first), max(s.Last, last)
}

// isHeaderRecord reports whether an event is a record of the session about itself, which the logger
// writes to the first buffer.
func isHeaderRecord(ev *decode.Event) bool {
	return ev.Family == decode.FamilySystem && ev.HookID()>>8 == 0
}

// recordedIn returns the times of the events of a buffer in memory, without the records of the
// session about itself.
func recordedIn(b *decode.Buffer) span {
	s := noSpan
	var ev decode.Event
	for b.Rewind(); b.Next(&ev) == nil; {
		if !isHeaderRecord(&ev) {
			s.add(ev.Time, ev.Time)
		}
	}
	return s
}

// recorded returns the times of the first and the last event that the session recorded; ok is false
// if there are only records of the session about itself.
func (x *Index) recorded() (s span, ok bool) {
	s = x.firstRecorded
	for i := 1; i < len(x.Buffers); i++ {
		if b := &x.Buffers[i]; b.HasEvents() {
			s.add(b.First, b.Last)
		}
	}
	return s, x.Events > 0 && s.First <= s.Last
}

// FirstEvent returns the time of the first event that the session recorded in the file; ok is false
// if there is none.
func (x *Index) FirstEvent() (t decode.Ticks, ok bool) {
	s, ok := x.recorded()
	return s.First, ok
}

// LastEvent returns the time of the last event that the session recorded in the file; ok is false
// if there is none.
func (x *Index) LastEvent() (t decode.Ticks, ok bool) {
	s, ok := x.recorded()
	return s.Last, ok
}

// Wrapped returns the number of buffers that a circular file has overwritten, at least, and the time
// from which on the file is complete. ok is false if it has overwritten none, or if it only has the
// buffers that it keeps from the start.
func (x *Index) Wrapped() (overwritten int64, from decode.Ticks, ok bool) {
	h := x.File.Header()
	if !h.Circular() || !x.isFull() {
		return 0, 0, false
	}
	kept := max(1, int(min(h.StartBuffers, 1<<30)))
	from, oldest := decode.MaxTicks, int64(math.MaxInt64)
	for i := kept; i < len(x.Buffers); i++ {
		if b := &x.Buffers[i]; b.HasEvents() {
			from = min(from, b.First)
			if !b.Damaged {
				oldest = min(oldest, x.File.BufferInfo(i).Header.SequenceNumber)
			}
		}
	}
	overwritten = int64(h.BuffersWritten) - int64(x.File.Buffers())
	if !h.Finalised() && oldest > int64(kept) && oldest != math.MaxInt64 {
		// The session has not stated what it wrote. It numbers its buffers from 1 on, after that of the header.
		overwritten = max(overwritten, oldest-int64(kept))
	}
	return overwritten, from, overwritten > 0 && from != decode.MaxTicks
}

// isFull reports whether the file has the size at which a circular file begins to overwrite, if it
// states one. If it is smaller, buffers at its end are missing.
func (x *Index) isFull() bool {
	h := x.File.Header()
	limit := maximumFileBytes(h)
	return limit == 0 || x.File.Size() > limit-2*int64(h.BufferSize)
}
