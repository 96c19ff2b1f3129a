package etltest

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// Trace is a whole file. Its zero value is a valid trace of a 64-bit Windows
// 10 that has only the header buffer.
type Trace struct {
	PointerSize int       // 4 or 8; 0: 8
	Clock       Clock     // 0: ClockQPC
	Frequency   int64     // of the performance counter; 0: 10 MHz
	MHz         uint32    // of the processors; 0: 2400
	Start       time.Time // zero: 2024-05-01 12:00:00 UTC
	StartTicks  *int64    // Start on the trace's clock; nil: 100 s after boot
	Boot        time.Time // zero: 100 s before Start
	End         time.Time // zero: the time of the latest event
	Unfinalised bool      // EndTime and BuffersWritten are 0

	BufferSize      int // 0: 4096
	HeaderSize      int // of the header buffer; 0: BufferSize, or multiples of 0x400 if compressed
	Processors      int // 0: those that the buffers mention; 1 with ModeNoPerProcessor
	Mode            uint32
	MaximumFileSize uint32
	StartBuffers    int // 0: 1
	EventsLost      uint32
	BuffersLost     uint32
	TimerResolution uint32 // 0: 156250
	TimeZone        TimeZone
	LoggerName      string
	FileName        string

	OS      [2]uint8 // major, minor; zero: 10.0. Before 6.2 the buffers have the Windows 7 form
	Version [2]uint8 // the sub-versions; zero: 1.5, or 2.0 if compressed
	Build   uint32   // 0: 19045
	Logger  uint16   // the buffers' LoggerId

	// Compression of all data buffers. It implies ModeCompressed and
	// ModeRelog in Mode.
	Compression Compression

	// Header gives the header buffer: its Set and Patch, and in Events or
	// Data the events after the trace header event.
	Header Buffer
	// HeaderEvent gives the header of the trace header event: PID, TID,
	// times and Set. A Kind other than 0 replaces System32 or System64.
	HeaderEvent Event
	Logfile     Fields // fields of TRACE_LOGFILE_HEADER to spoil
	NoHeader    bool   // the file begins with the first data buffer

	// RTBackup makes a file of a real-time session: a header of its own, which Header.Patch
	// spoils, then buffers that end with their data. No event describes the session.
	RTBackup bool
	// Old makes a file of Windows 2000, XP or Server 2003, by OS, whose zero value then is 5.1:
	// the buffers have the header of their time, and the trace header event its version.
	Old bool

	Buffers       []Buffer
	FirstSequence int64 // of the first data buffer; 0: 1

	// Wrap makes a circular file that was overwritten from its start: the
	// newest Wrap buffers follow the StartBuffers.
	Wrap int

	Slack     int // bytes after the last buffer
	SlackFill byte
	Truncate  int // bytes to cut off the end, after all else
}

// The bits of Trace.Mode.
const (
	ModeSequential     = 0x00000001
	ModeCircular       = 0x00000002
	ModeAppend         = 0x00000004
	ModeNewFile        = 0x00000008
	ModePreallocate    = 0x00000020
	ModeRealTime       = 0x00000100
	ModeBuffering      = 0x00000400
	ModePrivate        = 0x00000800
	ModeKBytes         = 0x00002000
	ModeGlobalSequence = 0x00004000
	ModeLocalSequence  = 0x00008000
	ModeRelog          = 0x00010000
	ModePrivateInProc  = 0x00020000
	ModeSystemLogger   = 0x02000000
	ModeCompressed     = 0x04000000
	ModeIndependent    = 0x08000000
	ModeNoPerProcessor = 0x10000000
)

// Bytes returns the file.
func (t *Trace) Bytes() ([]byte, error) { return t.Append(nil) }

// Append appends the file's bytes.
func (t *Trace) Append(dst []byte) ([]byte, error) {
	c := *t
	t = &c
	if t.Compression != Uncompressed {
		t.Mode |= ModeCompressed | ModeRelog
	}
	begin := len(dst)
	if t.Compression == Uncompressed {
		dst = slices.Grow(dst, t.bufferSize()*(1+len(t.Buffers))+t.Slack)
	}

	headers := t.number()
	order, err := t.order()
	if err != nil {
		return dst, err
	}
	switch {
	case t.RTBackup:
		dst = t.appendBackupHeader(dst)
	case !t.NoHeader:
		if dst, err = t.appendHeader(dst); err != nil {
			return dst[:begin], fmt.Errorf("header buffer: %w", err)
		}
	}
	for _, i := range order {
		if dst, err = t.Buffers[i].append(dst, t, headers[i]); err != nil {
			return dst[:begin], fmt.Errorf("buffer %d: %w", i, err)
		}
	}
	if t.RTBackup {
		if err := t.setBackupHeader(dst[begin:]); err != nil {
			return dst[:begin], err
		}
	}
	dst = fill(dst, len(dst)+t.Slack, t.SlackFill)
	if t.Truncate < 0 || t.Truncate > len(dst)-begin {
		return dst[:begin], fmt.Errorf("cannot cut %d bytes off %d", t.Truncate, len(dst)-begin)
	}
	return dst[:len(dst)-t.Truncate], nil
}

// MustBytes returns the file, or fails the test.
func (t *Trace) MustBytes(tb testing.TB) []byte {
	tb.Helper()
	b, err := t.Bytes()
	if err != nil {
		tb.Fatalf("etltest: %v", err)
	}
	return b
}

// number gives each buffer its sequence number, logger and flush marker: the
// marker is on the last buffer of each processor and session.
func (t *Trace) number() []bufferHeader {
	headers := make([]bufferHeader, len(t.Buffers))
	next := int64(1)
	if t.FirstSequence != 0 {
		next = t.FirstSequence
	}
	type stream struct{ logger, processor uint16 }
	last := map[stream]int{}
	logger, first := t.Logger, true
	for i := range t.Buffers {
		b := &t.Buffers[i]
		if b.Verbatim != nil {
			continue
		}
		h := &headers[i]
		if h.logger = t.Logger; b.Logger != 0 {
			h.logger = b.Logger
		}
		if !first && h.logger != logger {
			next = 1
		}
		logger, first = h.logger, false
		if b.Sequence != 0 {
			next = b.Sequence
		}
		h.sequence = next
		next++
		last[stream{h.logger, b.Processor}] = i
	}
	for _, i := range last {
		headers[i].flags |= BufferFlushMarker
	}
	return headers
}

// order returns the indices of the data buffers in file order.
func (t *Trace) order() ([]int, error) {
	order := make([]int, 0, len(t.Buffers))
	kept := t.startBuffers() - 1
	n := len(t.Buffers)
	if t.Wrap != 0 && (t.Wrap < 0 || kept < 0 || kept > n-t.Wrap) {
		return nil, fmt.Errorf("cannot wrap %d of %d buffers with %d kept", t.Wrap, n, kept)
	}
	for i := range n {
		j := i
		if t.Wrap != 0 && i >= kept {
			j = kept + (i-kept+n-kept-t.Wrap)%(n-kept)
		}
		order = append(order, j)
	}
	return order, nil
}

// appendHeader appends the header buffer.
func (t *Trace) appendHeader(dst []byte) ([]byte, error) {
	start := len(dst)
	b := &t.Header
	latest := t.startTicks()
	written := 1
	for i := range t.Buffers {
		latest = max(latest, t.Buffers[i].last)
		for j := range t.Buffers[i].Events {
			latest = max(latest, t.Buffers[i].Events[j].Time)
		}
		if t.Buffers[i].Verbatim == nil {
			written++
		}
	}
	endTime := FileTime(t.End)
	switch {
	case t.Unfinalised:
		endTime, written = 0, 0
	case t.End.IsZero():
		endTime = t.fileTime(latest)
	}
	payload, err := t.logfileHeader(endTime, written)
	if err != nil {
		return dst, err
	}

	e := t.HeaderEvent
	if e.Kind == 0 {
		e.Kind = System32
		if t.pointerSize() == 8 {
			e.Kind = System64
		}
	}
	e.Version, e.Time, e.Payload = 2, t.startTicks(), payload
	if t.Old {
		e.Version = 1
	}
	dst = zeros(dst, bufferHeaderSize)
	if dst, err = e.Append(dst); err != nil {
		return dst, err
	}
	h := bufferHeader{saved: len(dst) - start, typ: BufferHeader, flags: BufferFlushMarker, logger: t.Logger}
	if dst, _, err = b.events(dst); err != nil {
		return dst, err
	}
	h.offset = len(dst) - start
	h.size = t.headerSize(h.offset)
	if h.offset > h.size {
		return dst, fmt.Errorf("%#x bytes do not fit in a buffer of %#x", h.offset, h.size)
	}

	relogged := t.Mode&ModeRelog != 0
	h.state = 3
	if relogged {
		h.state = uint32(t.Compression)
	}
	if t.procIndex() && !relogged {
		h.flags |= BufferProcIndex
	}
	if t.os()[0] < 6 || t.os() == [2]uint8{6, 0} || t.os() == [2]uint8{6, 1} { // Windows 7 form
		h.saved, h.processor = 0, 8<<8
		h.current = h.offset
	} else if !relogged {
		h.current = h.offset
	}
	if b.Processor != 0 {
		h.processor = b.Processor
	}
	if b.Logger != 0 {
		h.logger = b.Logger
	}
	if b.State != 0 {
		h.state = b.State
	}
	h.time, h.sequence, h.flags = b.Time, b.Sequence, h.flags|b.Flags
	if b.Type != 0 {
		h.typ = b.Type
	}

	dst = fill(dst, start+h.size, b.filler())
	h.append(dst[:start], t)
	return dst, b.spoil(dst[start:], t)
}

func (t *Trace) headerSize(used int) int {
	switch {
	case t.HeaderSize != 0:
		return t.HeaderSize
	case t.Header.Size != 0:
		return t.Header.Size
	case t.Compression != Uncompressed:
		return (used + 0x3FF) &^ 0x3FF
	}
	return t.bufferSize()
}

// procIndex reports whether the buffers have a processor index of 16 bits.
func (t *Trace) procIndex() bool {
	os := t.os()
	return os[0] > 6 || os[0] == 6 && os[1] >= 3
}

func (t *Trace) processors() int {
	if t.Processors != 0 {
		return t.Processors
	}
	n := 0
	if t.Mode&ModeNoPerProcessor == 0 {
		for i := range t.Buffers {
			n = max(n, int(t.Buffers[i].Processor))
		}
	}
	return n + 1
}

func (t *Trace) version() uint64 {
	os, sub := t.os(), or(t.Version, [2]uint8{1, 5})
	if t.Version == [2]uint8{} && t.Compression != Uncompressed {
		sub = [2]uint8{2, 0}
	}
	return uint64(os[0]) | uint64(os[1])<<8 | uint64(sub[0])<<16 | uint64(sub[1])<<24
}

func (t *Trace) start() time.Time {
	return or(t.Start, time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC))
}

func (t *Trace) startTicks() int64 {
	switch {
	case t.StartTicks != nil:
		return *t.StartTicks
	case t.clock() == ClockSystem:
		return FileTime(t.start())
	}
	return 100 * t.rate()
}

func (t *Trace) boot() time.Time         { return or(t.Boot, t.start().Add(-100*time.Second)) }
func (t *Trace) pointerSize() int        { return or(t.PointerSize, 8) }
func (t *Trace) clock() Clock            { return or(t.Clock, ClockQPC) }
func (t *Trace) frequency() int64        { return or(t.Frequency, 10_000_000) }
func (t *Trace) mhz() uint32             { return or(t.MHz, 2400) }
func (t *Trace) bufferSize() int         { return or(t.BufferSize, 4096) }
func (t *Trace) startBuffers() int       { return or(t.StartBuffers, 1) }
func (t *Trace) timerResolution() uint32 { return or(t.TimerResolution, 156250) }

func (t *Trace) build() uint32 {
	if t.Old {
		return or(t.Build, 2600)
	}
	return or(t.Build, 19045)
}

func (t *Trace) os() [2]uint8 {
	if t.Old {
		return or(t.OS, [2]uint8{5, 1})
	}
	return or(t.OS, [2]uint8{10, 0})
}

// or returns v, or the default if v is zero.
func or[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}
