package rows

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

var le = binary.LittleEndian

// valueWriter writes the values of fields, in the form of the payloads, to the columns of a batch.
type valueWriter struct {
	texts       *columns.Texts // of the batch
	clock       decode.Clock
	pointerSize int // in the payloads being read
	scratch     []byte
	joined      []byte // the texts of several payloads, one after another,
	ends        []uint32
	codes       []uint32 // and their codes
}

// fieldSpans says where a field is in each of some payloads.
type fieldSpans struct {
	same decode.Span   // in all payloads
	each []decode.Span // by payload, if they differ
}

// at returns the span of the field in payload i.
func (p *fieldSpans) at(i int) decode.Span {
	if p.each != nil {
		return p.each[i]
	}
	return p.same
}

// all appends the value of a field in each payload.
func (w *valueWriter) all(c *columns.Column, f *schema.Field, payloads [][]byte, at *fieldSpans) {
	n := len(payloads)
	switch f.Kind {
	case schema.U8:
		for i, room := 0, columns.More(&c.Small, n); i < n; i++ {
			room[i] = int32(payloads[i][at.at(i).From])
		}
	case schema.U16:
		for i, room := 0, columns.More(&c.Small, n); i < n; i++ {
			room[i] = int32(le.Uint16(payloads[i][at.at(i).From:]))
		}
	case schema.I32:
		for i, room := 0, columns.More(&c.Small, n); i < n; i++ {
			room[i] = int32(le.Uint32(payloads[i][at.at(i).From:]))
		}
	case schema.U32:
		for i, room := 0, columns.More(&c.Ints, n); i < n; i++ {
			room[i] = int64(le.Uint32(payloads[i][at.at(i).From:]))
		}
	case schema.U64, schema.I64:
		for i, room := 0, columns.More(&c.Ints, n); i < n; i++ {
			room[i] = int64(le.Uint64(payloads[i][at.at(i).From:]))
		}
	case schema.Pointer, schema.Size, schema.WideU32:
		w.words(c, payloads, at)
	case schema.Text16, schema.Chars16, schema.Text8, schema.Chars8:
		w.allTexts(c, f, payloads, at)
	default:
		for i, payload := range payloads {
			s := at.at(i)
			w.one(c, f, payload[s.From:s.To])
		}
	}
}

// appendNumbers appends the adjacent numbers in b, and reports whether the field has one of the
// usual kinds.
func appendNumbers(c *columns.Column, f *schema.Field, b []byte) bool {
	switch f.Kind {
	case schema.U8:
		for i, room := 0, columns.More(&c.Small, len(b)); i < len(room); i++ {
			room[i] = int32(b[i])
		}
	case schema.U16:
		for i, room := 0, columns.More(&c.Small, len(b)/2); i < len(room); i++ {
			room[i] = int32(le.Uint16(b[2*i:]))
		}
	case schema.U32:
		for i, room := 0, columns.More(&c.Ints, len(b)/4); i < len(room); i++ {
			room[i] = int64(le.Uint32(b[4*i:]))
		}
	case schema.U64, schema.I64:
		for i, room := 0, columns.More(&c.Ints, len(b)/8); i < len(room); i++ {
			room[i] = int64(le.Uint64(b[8*i:]))
		}
	default:
		return false
	}
	return true
}

// words appends numbers of 4 or 8 bytes.
func (w *valueWriter) words(c *columns.Column, payloads [][]byte, at *fieldSpans) {
	room := columns.More(&c.Ints, len(payloads))
	for i, payload := range payloads {
		s := at.at(i)
		switch s.To - s.From {
		case 4:
			room[i] = int64(le.Uint32(payload[s.From:]))
		case 8:
			room[i] = int64(le.Uint64(payload[s.From:]))
		default:
			room[i] = int64(decode.Uint(payload[s.From:s.To]))
		}
	}
}

// allTexts appends texts. Adjacent payloads often have the same text.
func (w *valueWriter) allTexts(c *columns.Column, f *schema.Field, payloads [][]byte, at *fieldSpans) {
	room := columns.More(&c.Codes, len(payloads))
	w.joined, w.ends = w.joined[:0], w.ends[:0]
	isWide := f.Kind == schema.Text16 || f.Kind == schema.Chars16
	var last []byte
	for i, payload := range payloads {
		s := at.at(i)
		if b := payload[s.From:s.To]; i == 0 || !bytes.Equal(b, last) {
			last = b
			if isWide {
				w.joined = decode.AppendUnits16(w.joined, decode.TextUnits(f, b))
			} else {
				w.joined = decode.AppendUnits8(w.joined, decode.TextUnits(f, b))
			}
			w.ends = append(w.ends, uint32(len(w.joined)))
		}
		room[i] = uint32(len(w.ends) - 1)
	}
	w.codes = slices.Grow(w.codes[:0], len(w.ends))[:len(w.ends)]
	w.texts.Blobs(w.joined, w.ends, w.codes)
	for i, text := range room {
		room[i] = w.codes[text]
	}
}

// one appends one value. A time must be a date; see [decode.IsDate].
func (w *valueWriter) one(c *columns.Column, f *schema.Field, b []byte) {
	switch f.Kind {
	case schema.U8:
		c.Int32(int32(b[0]))
	case schema.I8:
		c.Int32(int32(int8(b[0])))
	case schema.U16:
		c.Int32(int32(le.Uint16(b)))
	case schema.I16:
		c.Int32(int32(int16(le.Uint16(b))))
	case schema.Port:
		c.Int32(int32(binary.BigEndian.Uint16(b)))
	case schema.U32:
		c.Int64(int64(le.Uint32(b)))
	case schema.I32:
		c.Int32(int32(le.Uint32(b)))
	case schema.U64, schema.I64:
		c.Uint64(le.Uint64(b))
	case schema.Pointer, schema.Size, schema.WideU32:
		c.Uint64(decode.Uint(b))
	case schema.GUIDs:
		c.Code(w.texts.GUID(schema.GUID(b)))
	case schema.FileTime, schema.Ticks, schema.SystemTime:
		c.Int64(micros(f.Kind, b, &w.clock))
	case schema.F32:
		c.Float32(math.Float32frombits(le.Uint32(b)))
	case schema.F64:
		c.Float64(math.Float64frombits(le.Uint64(b)))
	case schema.Bool8, schema.Bool32:
		c.Bool(decode.Uint(b) != 0)
	case schema.Bytes:
		c.Blob(b)
	default:
		w.scratch = decode.AppendText(w.scratch[:0], f, b, w.pointerSize)
		c.Code(w.texts.Blob(w.scratch))
	}
}

// appendList32 appends a list of the adjacent 32-bit numbers in b.
func appendList32(c *columns.Column, b []byte) {
	for i, room := 0, columns.More(&c.Ints, len(b)/4); i < len(room); i++ {
		room[i] = int64(le.Uint32(b[4*i:]))
	}
	c.EndList()
}

// appendList64 is [appendList32] for numbers of 64 bits.
func appendList64(c *columns.Column, b []byte) {
	for i, room := 0, columns.More(&c.Ints, len(b)/8); i < len(room); i++ {
		room[i] = int64(le.Uint64(b[8*i:]))
	}
	c.EndList()
}

// micros returns a time in us since 1970, rounded down.
func micros(k schema.Kind, b []byte, trace *decode.Clock) int64 {
	switch k {
	case schema.FileTime:
		return decode.FileTimeUnixMicro(le.Uint64(b))
	case schema.SystemTime:
		return decode.SystemTimeUnixMicro(b)
	}
	return columns.Micros(trace.UnixNano(int64(le.Uint64(b))))
}

// nanos appends adjacent times in ns since 1970, in a row, if all of them fit.
func (w *valueWriter) nanos(c *columns.Column, row int, k schema.Kind, b []byte) {
	clock := clockOf(k, &w.clock)
	if !areTimes(clock, b) {
		return
	}
	c.At(row)
	for ; len(b) >= 8; b = b[8:] {
		c.Int64(clock.UnixNano(int64(le.Uint64(b))))
	}
	if c.Spec.List {
		c.EndList()
	}
}

// haveTimes reports whether a field that holds FILETIMEs, or ticks of the clock, has in all payloads
// times whose ns fit.
func (w *valueWriter) haveTimes(f *schema.Field, payloads [][]byte, at *fieldSpans) bool {
	if f.Kind != schema.FileTime && f.Kind != schema.Ticks {
		return true
	}
	clock := clockOf(f.Kind, &w.clock)
	for i, payload := range payloads {
		s := at.at(i)
		if !areTimes(clock, payload[s.From:s.To]) {
			return false
		}
	}
	return true
}

// clockOf returns the clock of a field: that of the trace for ticks, and for FILETIMEs the one that
// counts them.
func clockOf(k schema.Kind, trace *decode.Clock) *decode.Clock {
	if k == schema.Ticks {
		return trace
	}
	return &fileTimes
}

var fileTimes decode.Clock

// areTimes reports whether the ns since 1970 of all adjacent times in b fit; see [decode.Clock.Time].
func areTimes(clock *decode.Clock, b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if _, ok := clock.Time(int64(le.Uint64(b))); !ok {
			return false
		}
	}
	return true
}
