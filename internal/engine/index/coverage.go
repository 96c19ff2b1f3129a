package index

import (
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Losses are the numbers of lost events and buffers, as the session counted them.
type Losses struct {
	Events, Buffers               uint32 // while the session wrote the file
	Own                           bool   // these two are known
	SessionEvents, SessionBuffers uint32 // since the session began
	Known                         bool   // these two are known
	Series                        bool   // the session wrote several files
}

// Losses returns what the session lost while it wrote the file, and since it began.
func (x *Index) Losses() Losses {
	h := x.File.Header()
	l := Losses{
		SessionEvents: h.EventsLost, SessionBuffers: h.BuffersLost, Series: h.NewFile(),
		Known: h.CountsLosses() && (h.Finalised() || h.EventsLost|h.BuffersLost != 0),
	}
	if l.Known && x.isFirstFile() {
		l.Own, l.Events, l.Buffers = true, l.SessionEvents, l.SessionBuffers
	}
	l.Since(&x.Place.Earlier)
	return l
}

// Since makes the numbers of the file those since the file before it, if that is known.
func (l *Losses) Since(e *Earlier) {
	switch {
	case !l.Known:
	case l.SessionEvents|l.SessionBuffers == 0:
		l.Own = true
	case e.Known && l.SessionEvents >= e.EventsLost && l.SessionBuffers >= e.BuffersLost:
		l.Own, l.Events, l.Buffers = true, l.SessionEvents-e.EventsLost, l.SessionBuffers-e.BuffersLost
	}
}

// isFirstFile reports whether the trace is the first file of its session, as far as it says: the
// numbers of its buffers begin at 1, or it has no buffers and the number 1, and its name has no higher
// number.
func (x *Index) isFirstFile() bool {
	first := FirstSequence(x.File)
	return !x.File.Header().NewFile() || x.Place.File <= 1 && (first == 1 || first == 0 && x.Place.File == 1)
}

// FirstSequence returns the lowest number of the buffers after the first, which has the trace
// header; 0 if there are none. It goes on from file to file of a session.
func FirstSequence(f *decode.File) (lowest int64) {
	for i := 1; i < f.Buffers(); i++ {
		if n := f.BufferInfo(i).Header.SequenceNumber; i == 1 || n < lowest {
			lowest = n
		}
	}
	return lowest
}

// CoveredFrom returns the time from which on the file has all that the session kept, in ns since
// 1970-01-01 UTC; ok is false if that is the start in its header. Of a file in a series it is the end
// of the file before, or else the first event: the session may write its own start into each of them.
func (x *Index) CoveredFrom() (ns int64, ok bool) {
	if end, ok := decode.FiletimeTime(x.Place.Earlier.End); ok {
		return end, true
	}
	if !x.isFirstFile() {
		first, ok := x.FirstEvent()
		return x.Clock.UnixNano(first), ok
	}
	_, from, ok := x.Wrapped()
	return x.Clock.UnixNano(from), ok
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

// recorded returns the times of the first and the last event that the session recorded, by a clock that is
// never set; ok is false if there are only records of the session about itself.
func (x *Index) recorded() (s span, ok bool) {
	if x.ClockSteps != nil {
		return x.ClockSteps.Events, true
	}
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
