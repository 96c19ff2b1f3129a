package etltest

import (
	"encoding/binary"
	"fmt"
)

// EventInfo is a TRACE_EVENT_INFO: merge tools write one for each event of a
// manifest, as the payload of an event of type 32 of their class.
type EventInfo struct {
	Provider, Class               GUID // Class: of a classic event
	ID                            uint16
	Version, Channel, Level       uint8
	Opcode                        uint8
	Task                          uint16
	Keyword                       uint64
	Source                        uint32 // 0 a manifest, 1 WBEM
	ProviderName, LevelName       string
	ChannelName                   string
	Keywords                      []string
	TaskName, OpcodeName, Name    string
	Message                       string
	Fields                        []InfoField
	CountOfFields, FieldsAtTheTop *uint32 // spoiled values, if not nil
}

// InfoField is a field of an EventInfo, or of a structure in it.
type InfoField struct {
	Name              string
	In, Out           uint16
	Map               string // names the MapInfo of its values
	Count, Length     uint16
	CountOf, LengthOf string      // the fields that hold its count and its length
	Fields            []InfoField // of a structure; empty but not nil is legal
	First, Members    *uint16     // of a structure, spoiled
}

const (
	infoSize     = 0x70
	propertySize = 24
)

// texts holds the texts after a fixed part of size bytes.
type texts struct {
	size  int
	bytes []byte
}

// offset appends a text and returns its offset, or 0 for "".
func (t *texts) offset(s string) uint32 {
	if s == "" {
		return 0
	}
	at := t.size + len(t.bytes)
	t.bytes = AppendString16(t.bytes, s)
	return uint32(at)
}

// list appends texts and an empty one that ends them, and returns their offset.
func (t *texts) list(all []string) uint32 {
	if len(all) == 0 {
		return 0
	}
	at := t.size + len(t.bytes)
	for _, s := range all {
		t.bytes = AppendString16(t.bytes, s)
	}
	t.bytes = append(t.bytes, 0, 0)
	return uint32(at)
}

// property is a field with its place among all.
type property struct {
	*InfoField
	first int // of a structure
}

// properties lists the fields; the members of structures come after all others.
func (e *EventInfo) properties() []property {
	var list []property
	for i := range e.Fields {
		list = append(list, property{InfoField: &e.Fields[i]})
	}
	for i := 0; i < len(list); i++ {
		list[i].first = len(list)
		for j := range list[i].Fields {
			list = append(list, property{InfoField: &list[i].Fields[j]})
		}
	}
	return list
}

// Bytes returns the record. It fails if CountOf or LengthOf names no field.
func (e *EventInfo) Bytes() ([]byte, error) {
	le := binary.LittleEndian
	list := e.properties()
	t := &texts{size: infoSize + propertySize*len(list)}
	out := append(append([]byte{}, e.Provider[:]...), e.Class[:]...)
	out = append(le.AppendUint16(out, e.ID), e.Version, e.Channel, e.Level, e.Opcode)
	out = le.AppendUint64(le.AppendUint16(out, e.Task), e.Keyword)
	for _, v := range []uint32{e.Source, t.offset(e.ProviderName), t.offset(e.LevelName), t.offset(e.ChannelName), t.list(e.Keywords),
		t.offset(e.TaskName), t.offset(e.OpcodeName), t.offset(e.Message), 0, 0, 0, t.offset(e.Name), 0,
		spoiled(uint32(len(list)), e.CountOfFields), spoiled(uint32(len(e.Fields)), e.FieldsAtTheTop), 0} {
		out = le.AppendUint32(out, v)
	}
	for i := range list {
		var err error
		if out, err = list[i].append(out, list, t); err != nil {
			return nil, err
		}
	}
	return append(out, t.bytes...), nil
}

func spoiled[T uint16 | uint32](right T, wrong *T) T {
	if wrong != nil {
		return *wrong
	}
	return right
}

// append appends an EVENT_PROPERTY_INFO.
func (p *property) append(out []byte, list []property, t *texts) ([]byte, error) {
	const isStruct, hasParamLength, hasParamCount, hasFixedCount = 0x01, 0x02, 0x04, 0x20
	le := binary.LittleEndian
	flags, in, outType, count, length := uint32(0), p.In, p.Out, p.Count, p.Length
	if p.Fields != nil {
		flags, in, outType = isStruct, spoiled(uint16(p.first), p.First), spoiled(uint16(len(p.Fields)), p.Members)
	}
	var err error
	if p.CountOf != "" {
		flags |= hasParamCount
		count, err = find(list, p.CountOf)
	} else if count > 0 {
		flags |= hasFixedCount
	}
	if p.LengthOf != "" && err == nil {
		flags |= hasParamLength
		length, err = find(list, p.LengthOf)
	}
	out = le.AppendUint32(out, flags)
	out = le.AppendUint32(out, t.offset(p.Name))
	out = le.AppendUint16(le.AppendUint16(out, in), outType)
	out = le.AppendUint32(out, t.offset(p.Map))
	out = le.AppendUint16(le.AppendUint16(out, count), length)
	return le.AppendUint32(out, 0), err
}

func find(list []property, name string) (uint16, error) {
	for i := range list {
		if list[i].Name == name {
			return uint16(i), nil
		}
	}
	return 0, fmt.Errorf("no field %q for a count or length", name)
}

// MapInfo names the values of a field: merge tools write one for each map, as
// the payload of an event of type 33 of their class.
type MapInfo struct {
	Provider GUID
	Name     string
	Flags    uint32 // 1 values, 2 bits, and more
	Numbers  []uint32
	Names    []string // one for each of Numbers
}

// Bytes returns the record: the provider, and an EVENT_MAP_INFO.
func (m *MapInfo) Bytes() []byte {
	le := binary.LittleEndian
	t := &texts{size: 0x10 + 8*len(m.Numbers)}
	var out []byte
	for _, v := range []uint32{t.offset(m.Name), m.Flags, uint32(len(m.Numbers)), 0} {
		out = le.AppendUint32(out, v)
	}
	for i, n := range m.Numbers {
		out = le.AppendUint32(le.AppendUint32(out, t.offset(m.Names[i])), n)
	}
	return append(append(append([]byte{}, m.Provider[:]...), out...), t.bytes...)
}
