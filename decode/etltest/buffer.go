package etltest

import (
	"encoding/binary"
	"fmt"
)

// Buffer is one trace buffer: a header of 0x48 bytes, then events.
type Buffer struct {
	Processor uint16
	Logger    uint16 // 0: the trace's; sequence numbers restart where it changes
	Sequence  int64  // 0: the one after the buffer before
	Time      int64  // TimeStamp; 0: when the last event was written
	Flags     uint16 // in addition to those that follow from the trace
	Type      uint16
	State     uint32 // 0: 3, flush

	Size        int         // of the buffer, in a plain trace; 0: the trace's
	Fill        *byte       // after the events of a plain buffer; nil: 0xFF
	Compression Compression // 0: the trace's
	Plain       bool        // not compressed though the trace is

	// The events: those already encoded by Add, then those in Events.
	Data   []byte
	Events []Event

	Stream []byte  // if not nil, stands in for the compressed events
	Set    Fields  // header fields to spoil
	Patch  []Patch // bytes to spoil, from the buffer's start

	Verbatim []byte // if not nil, these bytes are all that is written

	last int64 // time of the latest event in Data
}

// Add encodes an event at the end of Data.
func (b *Buffer) Add(e *Event) error {
	data, err := e.Append(b.Data)
	if err != nil {
		return err
	}
	b.Data = data
	b.last = max(b.last, e.Time)
	return nil
}

// Compression is how the events of a buffer are compressed.
type Compression uint16

// The compression formats, as the header buffer's State has them.
const (
	Uncompressed  Compression = 0
	LZNT1         Compression = 2
	Xpress        Compression = 3 // plain LZ77
	XpressHuffman Compression = 4
)

// compressors holds the appending encoder of each format.
var compressors = map[Compression]func(dst, src []byte) []byte{
	LZNT1:         CompressLZNT1,
	Xpress:        CompressPlain,
	XpressHuffman: CompressHuffman,
}

// The flags of a buffer.
const (
	BufferFlushMarker = 0x01
	BufferEventsLost  = 0x02
	BufferLost        = 0x04
	BufferProcIndex   = 0x20
	BufferCompressed  = 0x40
)

// The types of buffer seen in files.
const (
	BufferGeneric = 0
	BufferHeader  = 4
)

const bufferHeaderSize = 0x48

// bufferFields is WMI_BUFFER_HEADER. Source: the format dossier, 01 section 2.
var bufferFields = map[string]place{
	"buffersize":     {0x00, 4},
	"savedoffset":    {0x04, 4},
	"currentoffset":  {0x08, 4},
	"referencecount": {0x0C, 4},
	"timestamp":      {0x10, 8},
	"sequencenumber": {0x18, 8},
	"clockfrequency": {0x20, 8},
	"processorindex": {0x28, 2},
	"alignment":      {0x29, 1},
	"loggerid":       {0x2A, 2},
	"bufferstate":    {0x2C, 4},
	"offset":         {0x30, 4},
	"bufferflag":     {0x34, 2},
	"buffertype":     {0x36, 2},
	"starttime":      {0x38, 8},
	"startperfclock": {0x40, 8},
}

// bufferHeader holds the computed values of a buffer header.
type bufferHeader struct {
	size, saved, current, offset int
	time, sequence               int64
	processor, logger            uint16
	state                        uint32
	flags, typ                   uint16
}

// oldBufferFields is WMI_BUFFER_HEADER of Windows 2000, XP and Server 2003. Source: issue 29, after
// public type information.
var oldBufferFields = map[string]place{
	"referencecount": {0x00, 4},
	"savedoffset":    {0x04, 4},
	"currentoffset":  {0x08, 4},
	"usesperfclock":  {0x0C, 4},
	"timestamp":      {0x10, 8},
	"processorindex": {0x28, 1},
	"alignment":      {0x29, 1},
	"loggerid":       {0x2A, 2},
	"bufferstate":    {0x2C, 4},
	"offset":         {0x30, 4},
	"eventslost":     {0x34, 4}, // 2000, XP
	"bufferflag":     {0x34, 2}, // 2003
	"buffertype":     {0x36, 2}, // 2003
}

// fieldsOf returns the fields of the buffer header of a trace.
func fieldsOf(t *Trace) map[string]place {
	if t.Old {
		return oldBufferFields
	}
	return bufferFields
}

// appendOld appends a header of Windows 2000, XP or Server 2003.
func (h *bufferHeader) appendOld(dst []byte, t *Trace) []byte {
	le := binary.LittleEndian
	start := len(dst)
	dst = zeros(dst, bufferHeaderSize)
	b := dst[start:]
	le.PutUint32(b[0x04:], uint32(h.offset))
	le.PutUint32(b[0x08:], uint32(h.offset))
	if t.clock() == ClockQPC {
		le.PutUint32(b[0x0C:], 1)
	}
	le.PutUint64(b[0x10:], uint64(h.time))
	b[0x28], b[0x29] = uint8(h.processor), 8
	le.PutUint16(b[0x2A:], h.logger)
	le.PutUint32(b[0x30:], uint32(h.offset))
	if t.os() == [2]uint8{5, 2} {
		le.PutUint16(b[0x34:], h.flags)
		le.PutUint16(b[0x36:], h.typ)
	}
	return dst
}

func (h *bufferHeader) append(dst []byte, t *Trace) []byte {
	if t.Old {
		return h.appendOld(dst, t)
	}
	le := binary.LittleEndian
	start := len(dst)
	dst = zeros(dst, bufferHeaderSize)
	b := dst[start:]
	le.PutUint32(b[0x00:], uint32(h.size))
	le.PutUint32(b[0x04:], uint32(h.saved))
	le.PutUint32(b[0x08:], uint32(h.current))
	le.PutUint64(b[0x10:], uint64(h.time))
	le.PutUint64(b[0x18:], uint64(h.sequence))
	le.PutUint16(b[0x28:], h.processor)
	le.PutUint16(b[0x2A:], h.logger)
	le.PutUint32(b[0x2C:], h.state)
	le.PutUint32(b[0x30:], uint32(h.offset))
	le.PutUint16(b[0x34:], h.flags)
	le.PutUint16(b[0x36:], h.typ)
	return dst
}

// events appends the buffer's encoded events and returns the time of the latest.
func (b *Buffer) events(dst []byte) ([]byte, int64, error) {
	dst = append(dst, b.Data...)
	last := b.last
	for i := range b.Events {
		var err error
		if dst, err = b.Events[i].Append(dst); err != nil {
			return dst, 0, fmt.Errorf("event %d: %w", i, err)
		}
		last = max(last, b.Events[i].Time)
	}
	return dst, last, nil
}

// append appends a data buffer. The header's sequence number, logger and
// flags come from the trace, which knows the buffers around this one.
func (b *Buffer) append(dst []byte, t *Trace, h bufferHeader) ([]byte, error) {
	if b.Verbatim != nil {
		return append(dst, b.Verbatim...), nil
	}
	start := len(dst)
	compression := b.compression(t)
	size := b.size(t)

	dst = zeros(dst, bufferHeaderSize)
	dst, last, err := b.events(dst)
	if err != nil {
		return dst[:start], err
	}
	end := len(dst) - start
	if end > size {
		return dst[:start], fmt.Errorf("%#x bytes do not fit in a buffer of %#x", end, size)
	}

	h.size, h.saved, h.current, h.offset = size, end, end, end
	h.processor, h.typ = b.Processor, b.Type
	h.flags |= b.Flags
	h.state = 3
	if b.State != 0 {
		h.state = b.State
	}
	if h.time = b.Time; h.time == 0 && last != 0 {
		if h.time = last; t.Mode&ModeRelog != 0 {
			h.time = t.fileTime(last)
		}
	}
	if t.procIndex() {
		h.flags |= BufferProcIndex
	} else {
		h.processor = b.Processor&0xFF | 8<<8 // u8 number, u8 alignment
	}

	if compression == Uncompressed && b.Stream == nil && t.RTBackup {
		// The file has nothing after the events.
	} else if compression == Uncompressed && b.Stream == nil {
		dst = fill(dst, start+size, b.filler())
	} else {
		stream := b.Stream
		if stream == nil {
			compress, ok := compressors[compression]
			if !ok {
				return dst[:start], fmt.Errorf("no encoder for compression format %d", compression)
			}
			stream = compress(nil, dst[start+bufferHeaderSize:])
		}
		dst = append(dst[:start+bufferHeaderSize], stream...)
		h.size = len(dst) - start
		h.current = size + end
		h.flags |= BufferCompressed
	}

	h.append(dst[:start], t)
	return dst, b.spoil(dst[start:], t)
}

// spoil applies Set and Patch to a finished buffer.
func (b *Buffer) spoil(buffer []byte, t *Trace) error {
	err := b.Set.set(buffer, func(name string) (place, bool) {
		p, ok := fieldsOf(t)[name]
		return p, ok
	})
	if err != nil {
		return err
	}
	return patch(buffer, b.Patch)
}

func (b *Buffer) compression(t *Trace) Compression {
	switch {
	case b.Plain:
		return Uncompressed
	case b.Compression != 0:
		return b.Compression
	}
	return t.Compression
}

func (b *Buffer) filler() byte {
	if b.Fill != nil {
		return *b.Fill
	}
	return 0xFF
}

func (b *Buffer) size(t *Trace) int {
	if b.Size != 0 {
		return b.Size
	}
	return t.bufferSize()
}
