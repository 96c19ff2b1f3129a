package eventinfo

import (
	"encoding/binary"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/schema"
)

// property is an EVENT_PROPERTY_INFO.
type property struct {
	flags         uint32
	name          string
	in, out       uint16 // of a structure, its first member and their number
	mapName       string
	count, length uint16
	tags          uint32
}

// info is a TRACE_EVENT_INFO.
type info struct {
	provider, class schema.GUID
	descriptor      [16]byte
	source          uint32
	names           map[int]string // by the position of their offset
	properties      []property
	top             int    // properties that belong to no structure
	tags            uint32 // of the event
}

// builder writes a structure with texts after its fixed part.
type builder struct{ fixed, texts []byte }

func (b *builder) u16(v uint16) { b.fixed = binary.LittleEndian.AppendUint16(b.fixed, v) }
func (b *builder) u32(v uint32) { b.fixed = binary.LittleEndian.AppendUint32(b.fixed, v) }

// text adds a text and returns its offset after a fixed part, or 0 for "".
func (b *builder) text(s string, size int) uint32 {
	if s == "" {
		return 0
	}
	offset := size + len(b.texts)
	for _, unit := range append(utf16.Encode([]rune(s)), 0) {
		b.texts = binary.LittleEndian.AppendUint16(b.texts, unit)
	}
	return uint32(offset)
}

func (i *info) bytes() []byte {
	size := propertiesAt + propertySize*len(i.properties)
	var b builder
	b.fixed = append(append(append(b.fixed, i.provider[:]...), i.class[:]...), i.descriptor[:]...)
	b.u32(i.source)
	for at := providerNameAt; at < propertyCountAt; at += 4 {
		b.u32(b.text(i.names[at], size))
	}
	b.u32(uint32(len(i.properties)))
	b.u32(uint32(i.top))
	b.u32(i.tags<<tagsShift | 1)
	for _, p := range i.properties {
		b.u32(p.flags)
		b.u32(b.text(p.name, size))
		b.u16(p.in)
		b.u16(p.out)
		b.u32(b.text(p.mapName, size))
		b.u16(p.count)
		b.u16(p.length)
		b.u32(p.tags)
	}
	return append(b.fixed, b.texts...)
}

// entry is an EVENT_MAP_ENTRY.
type entry struct {
	name  string
	value uint32
}

// mapBytes returns the payload of a record of a map.
func mapBytes(name string, kind, valueType uint32, entries ...entry) []byte {
	size := mapEntriesAt + mapEntrySize*len(entries)
	var b builder
	b.u32(b.text(name, size))
	b.u32(kind)
	b.u32(uint32(len(entries)))
	b.u32(valueType)
	for _, e := range entries {
		b.u32(b.text(e.name, size))
		b.u32(e.value)
	}
	provider := schema.GUID{1, 2, 3}
	return append(append(provider[:], b.fixed...), b.texts...)
}
