package repeats

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// source is a data buffer to repeat.
type source struct {
	data      []byte // up to the end of its events
	processor uint16
	start     decode.Ticks // time of the first event
	fields    []shifted
	varied    []variation
}

// vary finds descriptions of the events, unless repeats are to be the same.
func (a *amplifier) vary(same bool) (err error) {
	if !same {
		a.finder, err = newFinder(a.file)
	}
	return err
}

// begin prepares the changes of a repeat.
func (a *amplifier) begin(repeat int) {
	if a.finder != nil {
		a.changer.begin(repeat)
		a.jitter.begin(repeat)
	}
}

// buffer returns a buffer of the repeat. It is valid until the next call.
func (a *amplifier) buffer(repeat, number int, by shifts) []byte {
	s := &a.buffers[number]
	a.changed = append(a.changed[:0], s.data...)
	for _, f := range s.fields {
		b := a.changed[f.at:][:8]
		v := int64(le.Uint64(b))
		le.PutUint64(b, uint64(v+by[f.unit]+a.later(f.unit, v)))
	}
	if repeat > 0 {
		for _, v := range s.varied {
			a.changer.apply(a.changed, v, number)
		}
	}
	return a.changed
}

// later returns the jitter of a time of the trace.
func (a *amplifier) later(u unit, v int64) int64 {
	switch {
	case a.jitter == nil:
		return 0
	case u == unitTicks:
		return a.jitter.later(v)
	case u == unitFiletime:
		return a.flushLater(v)
	}
	return 0
}

// flushLater returns the jitter of a FILETIME, so that a buffer is not flushed before its
// last event.
func (a *amplifier) flushLater(t int64) int64 {
	if a.jitter == nil {
		return 0
	}
	clock := a.file.Header().Clock()
	at := clock.Ticks((t - filetimeEpoch) * 100)
	return (clock.UnixNano(at+a.jitter.later(at)) - clock.UnixNano(at)) / 100
}

// writeRepeat changes all buffers and writes them.
func (a *amplifier) writeRepeat(w *bufio.Writer, repeat int, by shifts) (size int64, err error) {
	a.begin(repeat)
	for i := range a.buffers {
		data := a.buffer(repeat, i, by)
		if !a.compressed {
			if err := writeFilled(w, data, a.bufferSize); err != nil {
				return size, err
			}
			size += int64(a.bufferSize)
			continue
		}
		a.packed = append(a.packed[:0], data[:decode.BufferHeaderSize]...)
		a.packed = etltest.CompressPlain(a.packed, data[decode.BufferHeaderSize:])
		if len(a.packed) > decode.MaxBufferSize {
			return size, fmt.Errorf("buffer %d of the input has %#x bytes compressed, more than a buffer may have", i+1, len(a.packed))
		}
		le.PutUint32(a.packed[bufferSizeAt:], uint32(len(a.packed)))
		if _, err := w.Write(a.packed); err != nil {
			return size, err
		}
		size += int64(len(a.packed))
	}
	return size, nil
}

var fill = bytes.Repeat([]byte{0xff}, 64<<10)

// writeFilled writes data and 0xFF up to a size.
func writeFilled(w io.Writer, data []byte, size uint32) error {
	if _, err := w.Write(data); err != nil {
		return err
	}
	for left := int(size) - len(data); left > 0; left -= len(fill) {
		if _, err := w.Write(fill[:min(left, len(fill))]); err != nil {
			return err
		}
	}
	return nil
}

// finishHeader returns the header buffer for a trace with this number of buffers and this
// shift of the last repeat.
func (a *amplifier) finishHeader(buffers int, last shifts) []byte {
	h := a.file.Header()
	b := a.header
	le.PutUint32(b[bufferSizeAt:], a.headerSize())
	p := b[a.logfile:]
	mode := h.LogFileMode &^ modeCompressed
	if mode&modeCircular != 0 {
		mode = mode&^modeCircular | modeSequential
	}
	version := p[logfileSubVersionAt:][:2]
	switch old := version[0] < 1 || version[0] == 1 && version[1] < 1; {
	case a.compressed:
		mode |= modeCompressed
		le.PutUint16(b[bufferStateAt:], formatXpress)
		if !old { // an old version must stay: it determines the form of INSTANCE headers
			version[0], version[1] = 2, 0
		}
	case a.inputPacked:
		le.PutUint16(b[bufferStateAt:], 0)
		if !old {
			version[0], version[1] = 1, 5
		}
	}
	end := h.EndTime
	if end == 0 {
		clock := h.Clock()
		end = clock.UnixNano(a.ticks.max)/100 + filetimeEpoch
	}
	le.PutUint32(p[logfileBufferSizeAt:], a.bufferSize)
	le.PutUint64(p[logfileEndTimeAt:], uint64(end+last[unitFiletime]+a.flushLater(end)))
	le.PutUint32(p[logfileMaximumAt:], 0)
	le.PutUint32(p[logfileModeAt:], mode)
	le.PutUint32(p[logfileBuffersWrittenAt:], uint32(buffers))
	var out bytes.Buffer
	_ = writeFilled(&out, b, a.headerSize()) // writing to a bytes.Buffer never fails
	return out.Bytes()
}
