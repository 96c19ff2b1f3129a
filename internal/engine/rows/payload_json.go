package rows

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"strconv"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/text/jsontext"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// jsonWriter writes decoded payloads as JSON, for the column fields of the tables of events: an
// object with the fields by name, and the names of numbers next to them. It belongs to one worker.
type jsonWriter struct {
	clock decode.Clock
	text  []byte // of one value
}

// jsonLayout is a layout with the JSON names of its fields.
type jsonLayout struct {
	*decode.Layout
	fields []jsonField
}

// jsonField is a field with its name in JSON.
type jsonField struct {
	*schema.Field
	name      []byte // in quotes, with the colon
	textName  []byte // of the member with the number's name; nil if it has none
	values    *schema.Values
	structure *jsonLayout
}

// newJSONLayout compiles a layout of fields: those of the event, or of a structure in it.
func newJSONLayout(l *decode.Layout, fields []schema.Field) *jsonLayout {
	own := make(map[string]bool, len(fields))
	for i := range fields {
		own[fields[i].Name] = true
	}
	j := &jsonLayout{Layout: l, fields: make([]jsonField, len(fields))}
	for i := range fields {
		f := &j.fields[i]
		f.Field = &fields[i]
		name := f.Name
		if name == restName { // the column has the same name
			name = "payload_" + name
		}
		f.name = jsonName(name)
		if text := f.Name + "_text"; !f.IsArray() && f.Struct == nil && !own[text] {
			if f.values = f.ValueNames(); f.values != nil {
				f.textName = jsonName(text)
			}
		}
	}
	for i, structure := range l.Structures() {
		if structure != nil {
			j.fields[i].structure = newJSONLayout(structure, fields[i].Struct)
		}
	}
	return j
}

// restName is the name of the bytes that a payload has after its fields.
const restName = schema.RestColumn

var restMemberName = jsonName(restName)

func jsonName(name string) []byte { return append(jsontext.AppendText(nil, []byte(name)), ':') }

// append appends a payload as an object. The frame's spans, up to used, are its fields.
func (j *jsonWriter) append(dst, payload []byte, l *jsonLayout, frame *decode.Frame, used int) []byte {
	dst = j.object(dst, payload, l, frame)
	if used == len(payload) {
		return dst
	}
	dst = appendMemberName(dst[:len(dst)-1], restMemberName)
	return append(hex.AppendEncode(append(dst, '"'), payload[used:]), `"}`...)
}

// object appends the fields at the frame's spans as an object. Member names are those of the
// fields; missing fields are omitted.
func (j *jsonWriter) object(dst, payload []byte, l *jsonLayout, frame *decode.Frame) []byte {
	dst = append(dst, '{')
	for i := range l.fields {
		s := frame.Spans[i]
		if s.From < 0 {
			continue
		}
		f := &l.fields[i]
		b := payload[s.From:s.To]
		switch {
		case f.Kind == schema.WBEMSID && !f.IsArray() && decode.WBEMSID(b, l.PointerSize) == nil:
		case f.Kind == schema.LZNT1Text16:
			dst = j.compressed(dst, payload, f, i, frame.Spans)
		case f.structure != nil:
			dst = j.structures(appendMemberName(dst, f.name), payload, f, s, frame)
		case f.IsArray():
			dst = j.array(appendMemberName(dst, f.name), payload, l.Layout, i, f.Field, s, frame)
		default:
			dst = j.value(appendMemberName(dst, f.name), f.Field, b, l.PointerSize)
			if f.textName != nil {
				if j.text = f.values.AppendText(j.text[:0], decode.Uint(b)); len(j.text) > 0 {
					dst = jsontext.AppendText(appendMemberName(dst, f.textName), j.text)
				}
			}
		}
	}
	return append(dst, '}')
}

// appendMemberName begins a member of an object.
func appendMemberName(dst, name []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(dst, name...)
}

// compressed appends a compressed text; it omits a damaged one.
func (j *jsonWriter) compressed(dst, payload []byte, f *jsonField, i int, spans []decode.Span) []byte {
	units, err := decode.DecompressField(nil, payload, i, spans)
	if err != nil {
		return dst
	}
	return jsontext.AppendText(appendMemberName(dst, f.name), decode.AppendUTF16(nil, units))
}

func (j *jsonWriter) structures(dst, payload []byte, f *jsonField, s decode.Span, outer *decode.Frame) []byte {
	if f.IsArray() {
		dst = append(dst, '[')
	}
	frame := decode.Frame{Outer: outer}
	for at := int(s.From); at < int(s.To); {
		if at > int(s.From) {
			dst = append(dst, ',')
		}
		var next int
		frame.Spans, next = f.structure.Element(payload, at, outer, frame.Spans)
		dst = j.object(dst, payload, f.structure, &frame)
		at = next
	}
	if f.IsArray() {
		dst = append(dst, ']')
	}
	return dst
}

func (j *jsonWriter) array(dst, payload []byte, l *decode.Layout, index int, f *schema.Field, s decode.Span, frame *decode.Frame) []byte {
	width := 0 // of values whose length is in another field
	if f.LengthField != "" {
		if width = l.ValueWidth(index, payload, frame); width == 0 {
			return append(dst, "[]"...)
		}
	}
	b := payload[s.From:s.To]
	dst = append(dst, '[')
	for first := true; len(b) > 0; first = false {
		if !first {
			dst = append(dst, ',')
		}
		var value []byte
		if width > 0 {
			value, b = b[:min(width, len(b))], b[min(width, len(b)):]
		} else {
			value, b = l.Value(f, b)
		}
		dst = j.value(dst, f, value, l.PointerSize)
	}
	return append(dst, ']')
}

// value appends one value: numbers and booleans as such, all others as text.
func (j *jsonWriter) value(dst []byte, f *schema.Field, b []byte, pointerSize int) []byte {
	switch f.Kind {
	case schema.U8, schema.U16, schema.U32, schema.U64, schema.Pointer, schema.Size, schema.WideU32:
		return strconv.AppendUint(dst, decode.Uint(b), 10)
	case schema.Port:
		return strconv.AppendUint(dst, uint64(binary.BigEndian.Uint16(b)), 10)
	case schema.I8:
		return strconv.AppendInt(dst, int64(int8(b[0])), 10)
	case schema.I16:
		return strconv.AppendInt(dst, int64(int16(le.Uint16(b))), 10)
	case schema.I32:
		return strconv.AppendInt(dst, int64(int32(le.Uint32(b))), 10)
	case schema.I64:
		return strconv.AppendInt(dst, int64(le.Uint64(b)), 10)
	case schema.F32:
		return jsontext.AppendFloat(dst, float64(math.Float32frombits(le.Uint32(b))), 32)
	case schema.F64:
		return jsontext.AppendFloat(dst, math.Float64frombits(le.Uint64(b)), 64)
	case schema.Bool8, schema.Bool32:
		return strconv.AppendBool(dst, decode.Uint(b) != 0)
	case schema.Ticks:
		return append(append(append(dst, '"'), index.Instant(j.clock.UnixNano(int64(le.Uint64(b)))).String()...), '"')
	case schema.Bytes:
		return append(hex.AppendEncode(append(dst, '"'), b), '"')
	}
	j.text = decode.AppendText(j.text[:0], f, b, pointerSize)
	return jsontext.AppendText(dst, j.text)
}
