package etltest

import "fmt"

// Stream writes events to a trace as a session does: it fills a buffer for each processor, and
// appends a full buffer to the file. Events are encoded immediately, so that a Stream of millions
// of events costs little more than their bytes.
type Stream struct {
	trace *Trace
	open  map[uint16]*Buffer
	order []uint16 // processors in order of first use
}

// Stream returns a stream to the end of the trace.
func (t *Trace) Stream() *Stream {
	return &Stream{trace: t, open: map[uint16]*Buffer{}}
}

// Add writes an event to a processor's buffer. It does not sort: for a trace like those of Windows,
// the times of one processor must not decrease.
func (s *Stream) Add(processor uint16, e *Event) error {
	if s.trace.Mode&ModeNoPerProcessor != 0 {
		processor = 0
	}
	b := s.open[processor]
	if b == nil {
		b = &Buffer{Processor: processor}
		s.open[processor] = b
		s.order = append(s.order, processor)
	}
	n, last := len(b.Data), b.last
	if err := b.Add(e); err != nil {
		return err
	}
	if bufferHeaderSize+len(b.Data) <= s.trace.bufferSize() {
		return nil
	}
	full := *b
	full.Data, full.last = b.Data[:n], last
	b.Data = append([]byte(nil), b.Data[n:]...)
	if n > 0 {
		s.trace.Buffers = append(s.trace.Buffers, full)
	}
	if bufferHeaderSize+len(b.Data) > s.trace.bufferSize() {
		b.Data = nil
		return fmt.Errorf("event does not fit in a buffer of %#x bytes", s.trace.bufferSize())
	}
	return nil
}

// Flush writes out the buffers not yet full, in the order in which the
// processors were first used. The stream stays usable.
func (s *Stream) Flush() {
	for _, processor := range s.order {
		if b := s.open[processor]; len(b.Data) > 0 {
			s.trace.Buffers = append(s.trace.Buffers, *b)
		}
		delete(s.open, processor)
	}
	s.order = s.order[:0]
}
