package etltest

import "encoding/binary"

// Schema is the metadata of a TraceLogging event, the data of an ItemSchema.
type Schema struct {
	Name   string
	Tag    uint32 // 28 bits
	Fields []SchemaField
}

// SchemaField is a field of a Schema or of a structure in it.
type SchemaField struct {
	Name   string
	In     uint8 // base type, 0-31; a structure if Fields is not nil
	Out    uint8 // 0-127; written if not zero, or if there is a tag
	Tag    uint32
	Array  ArrayKind
	Count  uint16        // ConstantArray
	Custom []byte        // CustomArray: the type information
	Fields []SchemaField // of a structure; empty but not nil is legal
}

// ArrayKind is the 0x60 bits of a field's InType.
type ArrayKind uint8

// The kinds of array.
const (
	Scalar        ArrayKind = 0x00
	ConstantArray ArrayKind = 0x20
	VariableArray ArrayKind = 0x40
	CustomArray   ArrayKind = 0x60
)

const inStruct = 24

// Bytes returns the metadata: u16 size, tag, name, fields.
func (s *Schema) Bytes() []byte {
	out := appendTag([]byte{0, 0}, s.Tag)
	out = appendName(out, s.Name)
	out = appendSchemaFields(out, s.Fields)
	put(out, 2, uint64(len(out)&0xFFFF))
	return out
}

func appendSchemaFields(dst []byte, fields []SchemaField) []byte {
	for _, f := range fields {
		dst = appendName(dst, f.Name)
		in, out, hasOut := f.In&0x1F, f.Out&0x7F, f.Out != 0 || f.Tag != 0
		if f.Fields != nil {
			in, out, hasOut = inStruct, uint8(len(f.Fields)&0x7F), true
		}
		in |= uint8(f.Array)
		if !hasOut {
			dst = append(dst, in)
		} else if f.Tag == 0 {
			dst = append(dst, in|0x80, out)
		} else {
			dst = appendTag(append(dst, in|0x80, out|0x80), f.Tag)
		}
		switch f.Array {
		case ConstantArray:
			dst = binary.LittleEndian.AppendUint16(dst, f.Count)
		case CustomArray:
			dst = binary.LittleEndian.AppendUint16(dst, uint16(len(f.Custom)))
			dst = append(dst, f.Custom...)
		}
		dst = appendSchemaFields(dst, f.Fields)
	}
	return dst
}

// appendTag appends a 28-bit tag, seven bits per byte from the highest on, in the fewest bytes that
// contain all set bits.
func appendTag(dst []byte, tag uint32) []byte {
	for {
		b := byte(tag>>21) & 0x7F
		tag = tag << 7 & 0x0FFFFFFF
		if tag == 0 {
			return append(dst, b)
		}
		dst = append(dst, b|0x80)
	}
}

func appendName(dst []byte, name string) []byte { return append(append(dst, name...), 0) }

// Traits describes a provider: the data of an ItemTraits.
type Traits struct {
	Name          string
	Group, Decode *GUID // written if not nil
}

// Bytes returns the traits: u16 size, name, then each trait as u16 size,
// u8 type, data.
func (t *Traits) Bytes() []byte {
	out := appendName([]byte{0, 0}, t.Name)
	for i, g := range []*GUID{t.Group, t.Decode} {
		if g != nil {
			out = append(append(out, 19, 0, byte(1+i)), g[:]...)
		}
	}
	put(out, 2, uint64(len(out)&0xFFFF))
	return out
}
