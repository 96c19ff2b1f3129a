package export

import (
	"encoding/binary"
	"math"
)

// message is a protobuf message as bytes. A field is added by its number in the message's definition:
// https://protobuf.dev/programming-guides/encoding.
type message struct{ b []byte }

const (
	wireVarint = 0
	wireDouble = 1
	wireBytes  = 2
)

func (m *message) reset() *message {
	m.b = m.b[:0]
	return m
}

func (m *message) tag(field, wire int) {
	m.b = binary.AppendUvarint(m.b, uint64(field)<<3|uint64(wire))
}

// uint adds an integer, which may be a negative one of type int32 or int64 as its 64 bits.
func (m *message) uint(field int, v uint64) *message {
	m.tag(field, wireVarint)
	m.b = binary.AppendUvarint(m.b, v)
	return m
}

func (m *message) int(field int, v int64) *message { return m.uint(field, uint64(v)) }

func (m *message) double(field int, v float64) *message {
	m.tag(field, wireDouble)
	m.b = binary.LittleEndian.AppendUint64(m.b, math.Float64bits(v))
	return m
}

// text adds a text, which the caller has made valid UTF-8, or bytes.
func (m *message) text(field int, v string) *message {
	m.tag(field, wireBytes)
	m.b = binary.AppendUvarint(m.b, uint64(len(v)))
	m.b = append(m.b, v...)
	return m
}

// message adds a message.
func (m *message) message(field int, v *message) *message {
	m.tag(field, wireBytes)
	m.b = binary.AppendUvarint(m.b, uint64(len(v.b)))
	m.b = append(m.b, v.b...)
	return m
}

// varint adds an integer of a packed list.
func (m *message) varint(v uint64) { m.b = binary.AppendUvarint(m.b, v) }
