package decode

import "encoding/binary"

// le reads every number of the format.
var le = binary.LittleEndian

// BufferHeaderSize is the size of a WMI_BUFFER_HEADER on 32- and 64-bit
// Windows since Vista.
const BufferHeaderSize = 0x48

// MaxBufferSize bounds the size of a buffer. ETW allows 16 MiB since Windows 8; a
// compressed buffer can be larger by its header.
const MaxBufferSize = 16<<20 + BufferHeaderSize

// BufferFlag is WMI_BUFFER_HEADER.BufferFlag.
type BufferFlag uint16

// Buffer flags (phnt ETW_BUFFER_FLAG_*; 0x01, 0x20 and 0x40 seen in traces).
const (
	BufferFlushMarker        BufferFlag = 0x01 // the last buffer of a flush
	BufferEventsLost         BufferFlag = 0x02
	BufferBufferLost         BufferFlag = 0x04
	BufferRTBackupCorrupt    BufferFlag = 0x08
	BufferRTBackup           BufferFlag = 0x10
	BufferProcIndex          BufferFlag = 0x20 // the processor number has 16 bits
	BufferCompressed         BufferFlag = 0x40
	bufferFlagsKnown                    = BufferFlag(0x7f)
	bufferTypeContextSwap               = 2
	bufferTypeHeader                    = 4
	bufferTypeMax                       = 8
	compressionFormatLZNT1              = 2
	compressionFormatXpress             = 3
	compressionFormatHuffman            = 4
)

// BufferHeader is a WMI_BUFFER_HEADER (phnt; checked on traces of Windows 7
// to 11). It omits CurrentOffset (0x08), ReferenceCount (0x0C), the union at 0x20
// and the 16 bytes at 0x38: on disk they hold stale state, including kernel
// pointers.
type BufferHeader struct {
	BufferSize     uint32     // 0x00, bytes in the file, this header included
	SavedOffset    uint32     // 0x04, end of data when it was flushed; 0 in header buffers of Windows 7
	TimeStamp      int64      // 0x10, time of the flush: ticks, or FILETIME if a relogger wrote it
	SequenceNumber int64      // 0x18, in the order buffers were filled
	Processor      uint16     // 0x28, 8 bits or, with BufferProcIndex, 16
	LoggerID       uint16     // 0x2A
	State          uint32     // 0x2C; low half of a relogged header buffer: compression format
	Offset         uint32     // 0x30, end of data: the field to trust
	BufferFlag     BufferFlag // 0x34
	BufferType     uint16     // 0x36
}

// ParseBufferHeader reads the header at the start of b; ok is false if its fields contradict each
// other.
func ParseBufferHeader(b []byte) (h BufferHeader, ok bool) {
	if len(b) < BufferHeaderSize {
		return h, false
	}
	h = parseBufferHeader((*[BufferHeaderSize]byte)(b))
	return h, h.sane()
}

func parseBufferHeader(b *[BufferHeaderSize]byte) BufferHeader {
	h := BufferHeader{
		BufferSize:     le.Uint32(b[0x00:]),
		SavedOffset:    le.Uint32(b[0x04:]),
		TimeStamp:      int64(le.Uint64(b[0x10:])),
		SequenceNumber: int64(le.Uint64(b[0x18:])),
		Processor:      uint16(b[0x28]),
		LoggerID:       le.Uint16(b[0x2a:]),
		State:          le.Uint32(b[0x2c:]),
		Offset:         le.Uint32(b[0x30:]),
		BufferFlag:     BufferFlag(le.Uint16(b[0x34:])),
		BufferType:     le.Uint16(b[0x36:]),
	}
	if h.BufferFlag&BufferProcIndex != 0 {
		h.Processor = le.Uint16(b[0x28:])
	}
	return h
}

// Compressed reports whether the bytes after the header are a compressed stream.
// It is a property of the buffer, not of the trace: a compressed trace can have
// plain buffers, and its header buffer is always plain.
func (h *BufferHeader) Compressed() bool {
	return h.BufferFlag&BufferCompressed != 0 && h.BufferType != bufferTypeHeader
}

// saneSize reports whether BufferSize can be a buffer's size at all.
func (h *BufferHeader) saneSize() bool {
	return h.BufferSize >= BufferHeaderSize && h.BufferSize <= MaxBufferSize
}

// sane reports whether the fields are consistent, as they are in every buffer
// that Windows writes. Random bytes pass about once in 2^50.
func (h *BufferHeader) sane() bool {
	if !h.saneSize() || h.BufferFlag&^bufferFlagsKnown != 0 || h.BufferType > bufferTypeMax {
		return false
	}
	if h.Compressed() {
		return h.SavedOffset == h.Offset && h.SavedOffset >= BufferHeaderSize && h.SavedOffset <= MaxBufferSize
	}
	return h.Offset >= BufferHeaderSize && h.Offset <= h.BufferSize && h.SavedOffset <= h.Offset
}

// dataEnd returns the end of the events in a buffer of have bytes, decompressed and including the
// header.
func (h *BufferHeader) dataEnd(have int) int {
	for _, end := range [2]uint32{h.Offset, h.SavedOffset} {
		if end >= BufferHeaderSize && int64(end) <= int64(have) {
			return int(end)
		}
	}
	return have
}
