package attribution

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// methodRecords are the records of methods in a sequence of buffers. Their texts are numbered
// in the order in which they were read, from 1.
type methodRecords struct {
	list  pile[methodRecord]
	bytes []byte // of all texts
	ends  []uint32
	last  struct { // the last namespace
		raw    []byte
		number Text
	}
	mark struct{ bytes, ends int } // the texts before the record being read
}

// methodRecord is a method with the time of the event that records it.
type methodRecord struct {
	time decode.Ticks
	Method
}

// begin adds a record, which the caller fills in.
func (r *methodRecords) begin(t decode.Ticks, process uint32, source Sources) *Method {
	r.mark.bytes, r.mark.ends = len(r.bytes), len(r.ends)
	m := r.list.push(methodRecord{time: t})
	m.Process, m.Sources, m.module = process, source, -1
	return &m.Method
}

// end removes the record if its payload ended inside a field.
func (r *methodRecords) end(ended bool) {
	if !ended {
		return
	}
	r.list.pop()
	r.bytes, r.ends = r.bytes[:r.mark.bytes], r.ends[:r.mark.ends]
	r.last.raw = r.last.raw[:0]
}

const firstTextBytes = 16 << 10

// text reads UTF-16 text up to a NUL or the end.
func (r *methodRecords) text(f *fixed) Text {
	if f.ended {
		return 0
	}
	raw := f.take(decode.TextEnd(schema.Text16, f.b))
	from := len(r.bytes)
	if cap(r.bytes)-from < 2*len(raw) { // of which a character may have three bytes
		r.bytes = slices.Grow(r.bytes, max(firstTextBytes, cap(r.bytes), 2*len(raw)))
	}
	if r.bytes = decode.AppendUTF16(r.bytes, raw); len(r.bytes) == from {
		return 0
	}
	r.ends = append(r.ends, uint32(len(r.bytes)))
	return Text(len(r.ends))
}

// namespace reads a text that is often the same as in the event before: the namespace of the
// methods of a class, which are recorded together.
func (r *methodRecords) namespace(f *fixed) Text {
	if last := r.last.raw; len(last) > 0 && bytes.HasPrefix(f.b, last) {
		f.skip(len(last))
		return r.last.number
	}
	rest := f.b
	number := r.text(f)
	r.last.raw, r.last.number = append(r.last.raw[:0], rest[:len(rest)-len(f.b)]...), number
	return number
}

// textOf returns the bytes of a text.
func (r *methodRecords) textOf(n Text) []byte {
	start := uint32(0)
	if n > 1 {
		start = r.ends[n-2]
	}
	return r.bytes[start:r.ends[n-1]]
}

// methodList is a list of methods in which equal facts are once.
type methodList struct {
	list[Method]
	slots   []uint32 // hash table of facts, by their index plus 1; 0 is free
	numbers []Text   // of the texts of the records that are being added, in the builder; 0 if not asked yet
}

// addMethods adds the methods of a sequence of buffers.
func (b *Builder) addMethods(r *methodRecords) {
	l := &b.methods
	l.numbers = append(l.numbers[:0], make([]Text, len(r.ends)+1)...)
	for _, block := range r.list.blocks {
		block = cut(b, cmp.Or(l.limit, b.limits.Records), l.n, block)
		run := make([]saying, len(block))
		for i := range block {
			m := &block[i]
			m.Sources |= b.sibling
			for _, text := range [...]*Text{&m.Namespace, &m.Name, &m.Signature} {
				*text = b.methodText(r, *text)
			}
			run[i] = saying{m.time, l.number(&m.Method)}
		}
		l.said, l.n = append(l.said, run), l.n+len(run)
	}
}

// methodText returns the number of a text of the records in the builder.
func (b *Builder) methodText(r *methodRecords, n Text) Text {
	if n == 0 {
		return 0
	}
	number := &b.methods.numbers[n]
	if *number == 0 {
		*number = b.ofMethods.number(r.textOf(n))
	}
	return *number
}

const firstMethodSlots = 1 << 8

// number returns the number of a fact, which it adds if it is new.
func (l *methodList) number(m *Method) uint32 {
	if 2*l.facts.len() >= len(l.slots) {
		l.grow()
	}
	mask := uint32(len(l.slots) - 1)
	at := m.hash() & mask
	for ; l.slots[at] != 0; at = (at + 1) & mask {
		if n := l.slots[at] - 1; *l.facts.at(n) == *m {
			return n
		}
	}
	l.facts.push(*m)
	l.slots[at] = uint32(l.facts.len())
	return l.slots[at] - 1
}

func (l *methodList) grow() {
	l.slots = make([]uint32, max(firstMethodSlots, 2*len(l.slots)))
	mask := uint32(len(l.slots) - 1)
	for n := range uint32(l.facts.len()) {
		at := l.facts.at(n).hash() & mask
		for l.slots[at] != 0 {
			at = (at + 1) & mask
		}
		l.slots[at] = n + 1
	}
}

// hash returns a hash of what distinguishes most facts.
func (m *Method) hash() uint32 {
	h := (m.Address ^ (uint64(m.Process)<<8|uint64(m.Sources))*0x87c37b91114253d5) * 0x9e3779b97f4a7c15
	return uint32(h >> 32)
}
