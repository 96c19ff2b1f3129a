package attribution

import (
	"bytes"
	"cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// methodRecords are the records of methods in a sequence of buffers.
type methodRecords struct {
	list    pile[methodRecord]
	texts   *rawTexts    // of the worker; nil until there is a record
	decoded decodedTexts // those of texts that the records need: the worker may add more
}

// methodRecord is a method with the time of the event that records it. Its texts are numbers
// in rawTexts. The builder numbers its origin and its ReJITID.
type methodRecord struct {
	time decode.Ticks
	Method
	from     Origin
	reJITID  uint64
	hasReJIT bool
}

// beginMethod adds a record, which the caller fills in.
func (r *Records) beginMethod(t decode.Ticks, process uint32, source Sources) *methodRecord {
	m := &r.methods
	if m.texts == nil {
		m.texts = r.reading().methodTexts()
	}
	record := m.list.push(methodRecord{time: t})
	record.Process, record.Sources, record.module = process, source, -1
	return record
}

// end ends a record, and removes it if its payload ended inside a field.
func (r *methodRecords) end(ended bool) {
	if ended {
		r.list.pop()
	}
	r.decoded = r.texts.decoded
}

// rawTexts are the texts of a worker's methods, numbered from 1. Most texts occur again and
// again. There is one builder, and so the worker does for it what it can.
type rawTexts struct {
	raw     []byte // in UTF-16, as events have them
	ends    []uint32
	decoded decodedTexts
	slots   []textSlot
	last    Text   // namespace
	numbers []Text // of the texts in the builder; 0 if it was not asked. Only the builder uses it.
}

// decodedTexts are the same texts in UTF-8, with the hashes that the builder needs.
type decodedTexts struct {
	all    []byte
	ends   []uint32
	hashes []uint32
}

// add adds a text in UTF-16, and reports whether it is not empty.
func (t *decodedTexts) add(text []byte) bool {
	from := len(t.all)
	t.all = decode.AppendUTF16(t.all, text)
	if len(t.all) == from {
		return false
	}
	t.ends, t.hashes = append(t.ends, uint32(len(t.all))), append(t.hashes, hashOfText(t.all[from:]))
	return true
}

func (t *decodedTexts) at(n Text) (text []byte, hash uint32) {
	from, to := boundsOf(t.ends, n)
	return t.all[from:to], t.hashes[n-1]
}

// methodTexts returns the texts of methods for a sequence of buffers.
func (k *Known) methodTexts() *rawTexts {
	switch full := k.texts; {
	case full == nil:
		k.texts = &rawTexts{slots: make([]textSlot, firstTextSlots)}
	case len(full.raw) > maxKnownBytes: // the next ones will be as many
		n, d := cap(full.ends), &full.decoded
		k.texts = &rawTexts{
			raw: make([]byte, 0, cap(full.raw)), ends: make([]uint32, 0, n), slots: make([]textSlot, len(full.slots)),
			decoded: decodedTexts{make([]byte, 0, cap(d.all)), make([]uint32, 0, n), make([]uint32, 0, n)},
		}
	}
	return k.texts
}

// read reads UTF-16 text up to a NUL or the end.
func (t *rawTexts) read(f *fixed) Text {
	if f.ended {
		return 0
	}
	text := f.take(decode.TextEnd(schema.Text16, f.b))
	if len(text) <= 2 && number(text) == 0 {
		return 0
	}
	hash := hashOfText(text)
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for ; t.slots[at].number != 0; at = (at + 1) & mask {
		if s := t.slots[at]; s.hash == hash && bytes.Equal(t.at(s.number), text) {
			return s.number
		}
	}
	if !t.decoded.add(text) {
		return 0
	}
	t.raw, t.ends = append(t.raw, text...), append(t.ends, uint32(len(t.raw)+len(text)))
	t.slots[at] = textSlot{Text(len(t.ends)), hash}
	if 2*len(t.ends) > len(t.slots) {
		t.slots = grown(t.slots)
	}
	return Text(len(t.ends))
}

// namespace reads a text that is often the same as in the event before: the namespace of the
// methods of a class, which are recorded together.
func (t *rawTexts) namespace(f *fixed) Text {
	if t.last != 0 && bytes.HasPrefix(f.b, t.at(t.last)) {
		f.skip(len(t.at(t.last)))
		return t.last
	}
	number := t.read(f)
	if t.last = number; len(f.b) == 0 { // it may lack its NUL, and be the beginning of the next one
		t.last = 0
	}
	return number
}

func (t *rawTexts) at(n Text) []byte {
	from, to := boundsOf(t.ends, n)
	return t.raw[from:to]
}

// methodList is a list of methods in which equal facts are once.
type methodList struct {
	list[Method]
	slots   []textSlot // hash table of facts, by their index plus 1
	hashes  []uint32   // of records
	origins numbering[Origin]
	reJITs  numbering[uint64]
}

// numbering gives each distinct value a number, from 0.
type numbering[T comparable] struct {
	values []T
	at     map[T]uint32 // in values
	last   uint32       // the number given last: most values are the same as before
}

func (n *numbering[T]) number(v T) uint32 {
	if int(n.last) < len(n.values) && n.values[n.last] == v {
		return n.last
	}
	at, ok := n.at[v]
	if !ok {
		if n.at == nil {
			n.at = make(map[T]uint32)
		}
		at = uint32(len(n.values))
		n.at[v], n.values = at, append(n.values, v)
	}
	n.last = at
	return at
}

// addMethods adds the methods of a sequence of buffers.
func (b *Builder) addMethods(r *methodRecords) {
	l := &b.methods
	if r.texts == nil {
		return
	}
	if hashes, known := r.decoded.hashes, len(r.texts.numbers); known < len(hashes) {
		warm(b.ofMethods.slots, hashes[known:])
		r.texts.numbers = append(r.texts.numbers, make([]Text, len(hashes)-known)...)
	}
	for _, block := range r.list.blocks {
		block = cut(b, cmp.Or(l.limit, b.limits.Records), l.n, block)
		run := make([]saying, len(block))
		l.hashes = l.hashes[:0]
		for i := range block {
			block[i].Sources |= b.sibling
			l.hashes = append(l.hashes, block[i].hash())
		}
		warm(l.slots, l.hashes)
		for i := range block {
			m := &block[i]
			m.origin = l.origins.number(m.from)
			if m.hasReJIT {
				m.reJIT = l.reJITs.number(m.reJITID) + 1
			}
			m.Namespace, m.Name, m.Signature = b.methodText(r, m.Namespace), b.methodText(r, m.Name), b.methodText(r, m.Signature)
			run[i] = saying{m.time, l.number(&m.Method, l.hashes[i])}
		}
		l.said, l.n = append(l.said, run), l.n+len(run)
	}
}

// methodText returns the number in the builder of a text of records.
func (b *Builder) methodText(r *methodRecords, n Text) Text {
	if n == 0 {
		return 0
	}
	number := &r.texts.numbers[n-1]
	if *number == 0 {
		*number = b.ofMethods.number(r.decoded.at(n))
	}
	if *number == noRoom {
		b.ofMethods.dropped++
		return 0
	}
	return *number
}

// number returns the number of a fact, which has this hash and is added if it is new.
func (l *methodList) number(m *Method, hash uint32) uint32 {
	if 2*l.facts.len() >= len(l.slots) {
		l.slots = grown(l.slots)
	}
	mask := uint32(len(l.slots) - 1)
	at := hash & mask
	for ; l.slots[at].number != 0; at = (at + 1) & mask {
		if n := uint32(l.slots[at].number - 1); l.slots[at].hash == hash && *l.facts.at(n) == *m {
			return n
		}
	}
	l.facts.push(*m)
	l.slots[at] = textSlot{Text(l.facts.len()), hash}
	return uint32(l.facts.len()) - 1
}

// hash returns a hash of what distinguishes most facts.
func (m *Method) hash() uint32 {
	h := (m.Address ^ (uint64(m.Process)<<8|uint64(m.Sources))*0x87c37b91114253d5) * 0x9e3779b97f4a7c15
	return uint32(h >> 32)
}
