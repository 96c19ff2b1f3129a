// Package repeats makes large traces for measurements from small real ones: see [Amplify].
package repeats

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
)

var le = binary.LittleEndian

// Options give the size of the result, which consists of one or more complete
// repeats of the input.
type Options struct {
	Size       int64 // least size of the output, bytes
	Repeats    int   // least number of repeats
	Compressed bool  // plain LZ77, as in traces that Windows compresses
	Same       bool  // repeats differ in their times only
}

// Result describes the output.
type Result struct {
	Size    int64        // bytes
	Repeats int          //
	Buffers int          // including the header buffer
	Events  int64        // including those in the header buffer
	Shift   decode.Ticks // time between the starts of two repeats
}

// ErrNothingToRepeat means that a trace has no buffer other than its header buffer.
var ErrNothingToRepeat = errors.New("the trace has no buffers to repeat")

// Amplify writes the buffers of a trace repeatedly. From repeat to repeat it increases
// event times, clock times in kernel payloads, flush times and sequence numbers of
// buffers, so that the result is in order and a valid trace. Unless they are to be the same,
// repeats also vary as parts of a longer trace do: intervals between events, addresses, keys,
// texts and GUIDs differ between repeats, but equal values stay equal inside a repeat. See
// [change] and [jitter]. The first repeat is the input.
// The header buffer is written once, with its events. The trace header then describes the
// output: a sequential file without a maximum size that was closed properly. Times that are
// not on the trace's clock, such as times logged by applications, do not change. The same input
// and options give the same bytes.
//
// The decompressed input is held in memory, the output is not. A damaged trace is an
// error.
//
// The output begins with zeros until all of it is written, so that the output of a failed
// run is not mistaken for a trace.
func Amplify(w io.WriterAt, f *decode.File, o Options) (Result, error) {
	a := amplifier{file: f, compressed: o.Compressed}
	if err := a.vary(o.Same); err != nil {
		return Result{}, err
	}
	if err := a.load(); err != nil {
		return Result{}, err
	}
	if err := a.prepare(); err != nil {
		return Result{}, err
	}
	start := int64(a.headerSize())
	out := bufio.NewWriterSize(io.NewOffsetWriter(w, start), 1<<20)
	r := Result{Size: start, Buffers: 1, Events: a.headerEvents, Shift: a.shift}
	var total shifts
	for ; r.Repeats == 0 || r.Repeats < o.Repeats || r.Size < o.Size; r.Repeats++ {
		var err error
		if total, err = a.shifts(r.Repeats); err != nil {
			return r, err
		}
		n, err := a.writeRepeat(out, r.Repeats, total)
		if err != nil {
			return r, err
		}
		r.Size += n
		r.Buffers += len(a.buffers)
		r.Events += a.events
	}
	if err := out.Flush(); err != nil {
		return r, err
	}
	_, err := w.WriteAt(a.finishHeader(r.Buffers, total), 0)
	return r, err
}

type amplifier struct {
	file       *decode.File
	compressed bool // the output

	header       []byte // the header buffer, up to the end of its events
	logfile      int    // position of TRACE_LOGFILE_HEADER in it
	headerEvents int64

	buffers     []source
	events      int64
	inputPacked bool // a buffer of the input is compressed
	ticks       span
	flushes     span // FILETIME
	sequences   span
	bufferSize  uint32       // in memory; in a plain file also there
	shift       decode.Ticks // time between the starts of two repeats
	finder      *finder      // nil: repeats differ in their times only
	changer     changer
	jitter      *jitter      // nil: none
	times       []int64      // of events, if they vary
	clock       decode.Clock // gives the length of a tick
	counter     decode.Clock // gives the length of a tick of the performance counter
	changed     []byte       // a buffer of a repeat
	packed      []byte       // a compressed buffer
}

// span is the range of a field's values.
type span struct {
	min, max int64
	any      bool
}

func (s *span) add(v int64) {
	if !s.any {
		*s = span{v, v, true}
	}
	s.min, s.max = min(s.min, v), max(s.max, v)
}

// length returns max - min, bounded so that additions do not overflow.
func (s *span) length() int64 {
	return int64(min(uint64(s.max)-uint64(s.min), math.MaxInt64/2))
}

// The positions in a WMI_BUFFER_HEADER that are written.
const (
	bufferSizeAt     = 0x00
	bufferSavedAt    = 0x04
	bufferCurrentAt  = 0x08
	bufferTimeAt     = 0x10
	bufferSequenceAt = 0x18
	bufferStateAt    = 0x2c
	bufferOffsetAt   = 0x30
	bufferFlagAt     = 0x34
)

// The positions in a TRACE_LOGFILE_HEADER that are written, the same for both
// pointer sizes.
const (
	logfileBufferSizeAt     = 0x00
	logfileSubVersionAt     = 0x06
	logfileEndTimeAt        = 0x10
	logfileMaximumAt        = 0x1c
	logfileModeAt           = 0x20
	logfileBuffersWrittenAt = 0x24
	logfileWrittenEnd       = 0x28
)

const (
	modeSequential    = 0x00000001 // EVENT_TRACE_FILE_MODE_SEQUENTIAL
	modeCircular      = 0x00000002 // EVENT_TRACE_FILE_MODE_CIRCULAR
	modeCompressed    = 0x04000000 // EVENT_TRACE_COMPRESSED_MODE
	formatXpress      = 3          // COMPRESSION_FORMAT_XPRESS
	headerGranularity = 0x200      // of the header buffers that Windows writes to compressed traces
	bufferGranularity = 0x400      // of the buffers in memory, whose size is set in KB
	filetimeEpoch     = 116444736000000000
	filetimeLikely    = 0x01b0000000000000 // 1983: counters of processors never reach it
	clockAnchor       = 125911584000000000 // 2000-01-01 as a FILETIME; see ticksOf
	gap               = time.Millisecond   // from the last event of a repeat to the first of the next
)

// load reads the input and finds the fields to shift.
func (a *amplifier) load() error {
	faults, _ := a.file.Faults()
	for _, fault := range faults {
		if fault.Kind != decode.FaultSlack {
			return fmt.Errorf("amplify a damaged trace: %w", fault.Err)
		}
	}
	if a.file.Buffers() < 2 {
		return ErrNothingToRepeat
	}
	var b decode.Buffer
	for i := range a.file.Buffers() {
		if err := a.file.ReadBuffer(i, &b); err != nil {
			return err
		}
		load := a.loadData
		if i == 0 {
			load = a.loadHeader
		}
		if err := load(&b); err != nil {
			return err
		}
	}
	return nil
}

func (a *amplifier) loadHeader(b *decode.Buffer) error {
	a.header = bytes.Clone(b.Data[:b.End()])
	var ev decode.Event
	for {
		err := b.Next(&ev)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if a.headerEvents++; a.headerEvents == 1 {
			a.logfile = ev.Offset + ev.PayloadOffset()
		}
	}
	if a.headerEvents == 0 || len(a.header)-a.logfile < logfileWrittenEnd {
		return fmt.Errorf("trace header event: %w", decode.ErrTruncated)
	}
	return nil
}

func (a *amplifier) loadData(b *decode.Buffer) error {
	h := &b.Header
	s := source{
		data:      bytes.Clone(b.Data[:b.End()]),
		processor: h.Processor,
		fields:    []shifted{{bufferSequenceAt, unitSequence}},
	}
	a.inputPacked = a.inputPacked || h.Compressed()
	a.sequences.add(h.SequenceNumber)
	if h.TimeStamp != 0 {
		u := a.flushUnit(h.TimeStamp)
		s.fields = append(s.fields, shifted{bufferTimeAt, u})
		switch u {
		case unitTicks:
			a.ticks.add(h.TimeStamp)
		case unitFiletime:
			a.flushes.add(h.TimeStamp)
		}
	}
	var ev decode.Event
	for first := true; ; {
		err := b.Next(&ev)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		a.events++
		if ev.Timed {
			a.ticks.add(ev.Time)
			if first {
				s.start, first = ev.Time, false
			}
		}
		s.fields = appendTimes(s.fields, &ev)
		if a.finder != nil {
			a.times = append(a.times, ev.Time)
			s.varied = append(s.varied, a.finder.find(&ev)...)
		}
	}
	s.fields, s.varied = slices.Clip(s.fields), slices.Clip(s.varied)
	a.buffers = append(a.buffers, s)
	return nil
}

// prepare computes what all repeats share.
func (a *amplifier) prepare() error {
	h := a.file.Header()
	if h.LogFileMode&modeCircular != 0 && !a.inOrder() {
		slices.SortStableFunc(a.buffers, func(x, y source) int {
			return int(min(1, max(-1, x.start-y.start)))
		})
	}
	a.bufferSize = max(h.BufferSize, uint32(len(a.header)))
	for i := range a.buffers {
		a.bufferSize = max(a.bufferSize, uint32(len(a.buffers[i].data)))
	}
	if a.bufferSize != h.BufferSize {
		a.bufferSize = roundUp(a.bufferSize, bufferGranularity)
	}
	if a.bufferSize > decode.MaxBufferSize {
		return fmt.Errorf("TRACE_LOGFILE_HEADER.BufferSize: %w: %#x", decode.ErrCorrupt, a.bufferSize)
	}
	for i := range a.buffers {
		a.prepareBuffer(a.buffers[i].data)
	}
	a.clock = decode.NewClock(h.ClockType, clockAnchor, clockAnchor, h.PerfFreq, h.CPUSpeedInMHz)
	a.counter = decode.NewClock(decode.ClockQPC, clockAnchor, clockAnchor, h.PerfFreq, 0)
	flushes := min(a.flushes.length(), math.MaxInt64/200)
	a.shift = max(a.ticks.length(), ticksOf(&a.clock, 100*flushes)) + max(1, ticksOf(&a.clock, int64(gap)))
	if a.finder != nil {
		a.jitter = newJitter(a.times)
		a.shift += a.jitter.most(a.shift)
	}
	return nil
}

// inOrder reports whether each processor's buffers are in time order. In a circular file
// that has wrapped around they are not.
func (a *amplifier) inOrder() bool {
	last := make(map[uint16]decode.Ticks)
	for i := range a.buffers {
		s := &a.buffers[i]
		if t, ok := last[s.processor]; ok && s.start < t {
			return false
		}
		last[s.processor] = s.start
	}
	return true
}

// prepareBuffer changes the header of a data buffer to that of a plain or compressed one,
// except for the size of a compressed one in the file.
func (a *amplifier) prepareBuffer(data []byte) {
	end := uint32(len(data))
	current := end
	flag := decode.BufferFlag(le.Uint16(data[bufferFlagAt:])) &^ decode.BufferCompressed
	if a.compressed {
		current += a.bufferSize
		flag |= decode.BufferCompressed
	}
	le.PutUint32(data[bufferSizeAt:], a.bufferSize)
	le.PutUint32(data[bufferSavedAt:], end)
	le.PutUint32(data[bufferCurrentAt:], current)
	le.PutUint32(data[bufferOffsetAt:], end)
	le.PutUint16(data[bufferFlagAt:], uint16(flag))
}

// ticksOf returns the number of ticks that begin within a duration, on a clock that shows
// clockAnchor in 2000. With this anchor, a clock that counts FILETIME needs no special
// case.
func ticksOf(c *decode.Clock, ns int64) decode.Ticks {
	return c.Ticks(c.UnixNano(clockAnchor)+ns) - clockAnchor
}

// shifts returns the increases of repeat k, counted from 0, over the input.
func (a *amplifier) shifts(k int) (shifts, error) {
	n := int64(k)
	sequence := a.sequences.length() + 1
	latest := max(a.ticks.max, 0) + clockAnchor
	if latest < 0 || n > (math.MaxInt64-latest)/a.shift || n > (math.MaxInt64-max(a.sequences.max, 0))/sequence {
		return shifts{}, fmt.Errorf("repeat %d, each %d ticks and %d buffers long, would end after the end of time or of numbers", n, a.shift, sequence)
	}
	ticks := n * a.shift
	end := a.file.Header().Clock()
	ns := a.clock.UnixNano(clockAnchor + ticks)
	if ns == math.MaxInt64 || end.UnixNano(a.ticks.max+ticks) == math.MaxInt64 {
		return shifts{}, fmt.Errorf("repeat %d, each %d ticks long, would end after 2262", n, a.shift)
	}
	ns -= a.clock.UnixNano(clockAnchor)
	return shifts{
		unitTicks:    ticks,
		unitFiletime: ns / 100,
		unitCounter:  ticksOf(&a.counter, ns),
		unitSequence: n * sequence,
	}, nil
}

// headerSize returns the size of the header buffer in the file.
func (a *amplifier) headerSize() uint32 {
	if a.compressed {
		return roundUp(uint32(len(a.header)), headerGranularity)
	}
	return a.bufferSize
}

func roundUp(n, multiple uint32) uint32 { return (n + multiple - 1) / multiple * multiple }
