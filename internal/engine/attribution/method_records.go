package attribution

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
	"github.com/etl2parquet/etl2parquet/schema"
)

// methodRecords are the records of methods in a sequence of buffers.
type methodRecords struct {
	gathered[Method]
	known   *knownMethods // nil until there is a record
	origins []Origin      // new origins, in the order of the new facts
	reJITs  []uint64      // new ReJITIDs, likewise
}

// methodRecord is a method with the time of the event that records it, and the values that the
// worker numbers.
type methodRecord struct {
	time decode.Ticks
	Method
	texts    methodTexts
	from     Origin
	reJITID  uint64
	hasReJIT bool
}

// methodTexts are the texts of a method, by the worker's numbers.
type methodTexts struct{ namespace, name, signature workerText }

// setWorkerTexts stores the texts in a method until translate replaces them by the builder's.
func (m *Method) setWorkerTexts(t methodTexts) {
	m.Namespace, m.Name, m.Signature = Text(t.namespace), Text(t.name), Text(t.signature)
}

// workerTexts returns the texts that setWorkerTexts stored.
func (m *Method) workerTexts() methodTexts {
	return methodTexts{workerText(m.Namespace), workerText(m.Name), workerText(m.Signature)}
}

// knownMethods are the methods that a worker has met recently, by its own numbers. Equal methods
// are one fact, because each rundown repeats everything that exists.
type knownMethods struct {
	gatherer
	record      methodRecord           // being read
	last        workerText             // namespace
	recent      [][]Method             // blocks of facts met lately; the builder does not change them before Build
	firstRecent workerFact             // the number of the first of them
	n           int                    // facts met lately
	found       int                    // records of them
	pass        int                    // the next facts, which are not looked for; see worth
	passing     bool                   // in this sequence of buffers
	slots       []hashSlot[workerFact] // hash table of them, by number plus 1
	origins     numbering[Origin]
	reJITs      numbering[uint64]
}

// knownMethods returns the cache for a sequence of buffers.
func (k *Known) knownMethods() *knownMethods {
	m := k.methods
	if m == nil {
		k.methods = &knownMethods{gatherer: newGatherer()}
		return k.methods
	}
	renew := m.texts.bytes() > maxKnownBytes || len(m.origins.values) > maxKnown || len(m.reJITs.values) > maxKnown
	if renew || m.n > maxKnown {
		if m.n/fewFound > m.found {
			m.pass = m.n * passes << doubles
		}
		clear(m.slots)
		clear(m.recent) // the worker no longer needs them
		m.recent, m.n, m.found = m.recent[:0], 0, 0
	}
	if renew { // the next sequence will have about as many
		m = &knownMethods{gatherer: m.renewed(), slots: m.slots, recent: m.recent, pass: m.pass}
		k.methods = m
	}
	if m.n == 0 {
		m.firstRecent, m.passing = m.next, m.pass > 0
	}
	return m
}

// beginMethod begins a record, which the caller fills in.
func (r *Records) beginMethod(t decode.Ticks, process uint32, source Sources) *knownMethods {
	m := &r.methods
	if m.known == nil {
		m.known = r.reading().knownMethods()
		m.by = &m.known.gatherer
	}
	m.known.record = methodRecord{time: t}
	record := &m.known.record
	record.Process, record.Sources, record.module = process, source, -1
	return m.known
}

// end ends a record. A payload that ended inside a field makes no record.
func (r *methodRecords) end(ended bool) {
	if ended {
		return
	}
	k := r.known
	m := &k.record
	m.setWorkerTexts(m.texts)
	m.origin = k.origins.number(m.from)
	if k.origins.fresh {
		r.origins = append(r.origins, m.from)
	}
	if m.hasReJIT {
		m.reJIT = k.reJITs.number(m.reJITID) + 1
		if k.reJITs.fresh {
			r.reJITs = append(r.reJITs, m.reJITID)
		}
	}
	r.observations.push(workerObservation{m.time, r.number(&m.Method, m.texts)})
}

// number returns the worker's number of a fact, and adds the fact if it is new.
func (r *methodRecords) number(m *Method, texts methodTexts) workerFact {
	k := r.known
	if k.passing {
		k.pass--
		n := r.push(*m)
		r.use(texts.namespace, texts.name, texts.signature)
		return n
	}
	if 2*k.n >= len(k.slots) {
		k.slots = grownSlots(k.slots)
	}
	hash, mask := m.hash(), uint32(len(k.slots)-1)
	at := hash & mask
	for ; k.slots[at].number != 0; at = (at + 1) & mask {
		if n := k.slots[at].number - 1; k.slots[at].hash == hash && k.recent[(n-k.firstRecent)/factBlock][n%factBlock] == *m {
			k.found++
			return n
		}
	}
	n := r.push(*m)
	if n%factBlock == 0 {
		last := r.blocks[len(r.blocks)-1]
		k.recent = append(k.recent, last[:factBlock])
	}
	r.use(texts.namespace, texts.name, texts.signature)
	k.n++
	k.slots[at] = hashSlot[workerFact]{number: n + 1, hash: hash}
	return n
}

// text reads UTF-16 text up to a NUL or the end.
func (k *knownMethods) text(f *fixed) workerText {
	if f.ended {
		return 0
	}
	text := f.cut(decode.TextEnd(schema.Text16, f.b))
	if len(text) <= 2 && number(text) == 0 {
		return 0
	}
	return k.texts.number(schema.Text16, text)
}

// namespace reads the namespace. It is often the same as in the event before, because the methods
// of a class are recorded together.
func (k *knownMethods) namespace(f *fixed) workerText {
	if k.last != 0 && bytes.HasPrefix(f.b, k.texts.field(k.last)) {
		f.skip(len(k.texts.field(k.last)))
		return k.last
	}
	number := k.text(f)
	if k.last = number; len(f.b) == 0 { // without its NUL, it may be only the beginning of the next text
		k.last = 0
	}
	return number
}

// methodList is a list of methods. Most equal facts are stored once. Until translate, its facts
// have the workers' numbers of texts, origins and ReJITIDs.
type methodList struct {
	list[Method]
	origins numbering[Origin]
	reJITs  numbering[uint64]
}

// numbering gives each distinct value a number, from 0.
type numbering[T comparable] struct {
	values []T
	at     map[T]uint32 // in values
	last   uint32       // the number given last: most values repeat the one before
	fresh  bool         // the last value was new
}

func (n *numbering[T]) number(v T) uint32 {
	n.fresh = false
	if int(n.last) < len(n.values) && n.values[n.last] == v {
		return n.last
	}
	at, ok := n.at[v]
	if n.fresh = !ok; n.fresh {
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
	if r.by == nil {
		return
	}
	l, from := &b.methods, len(b.methods.observations)
	b.ofMethods.prefetch(&r.decoded, r.texts)
	n := r.by.numbers
	if wasCut := l.addGathered(b, &r.gathered, textsOfMethod, b.ofMethods.number); wasCut {
		r.cutOrigins()
	}
	for _, v := range r.origins {
		n.origins = append(n.origins, l.origins.number(v))
	}
	for _, v := range r.reJITs {
		n.reJITs = append(n.reJITs, l.reJITs.number(v)+1)
	}
	if !n.noRoom {
		return
	}
	for _, run := range l.observations[from:] {
		for _, s := range run {
			texts := l.facts.at(s.fact).workerTexts()
			b.ofMethods.dropped += n.dropped(texts.namespace) + n.dropped(texts.name) + n.dropped(texts.signature)
		}
	}
}

// cutOrigins drops the origins and ReJITIDs that no fact uses.
func (r *methodRecords) cutOrigins() {
	n := r.by.numbers
	origins, reJITs := len(n.origins), len(n.reJITs)
	for _, block := range r.blocks {
		for i := range block {
			origins, reJITs = max(origins, int(block[i].origin)+1), max(reJITs, int(block[i].reJIT))
		}
	}
	r.origins, r.reJITs = r.origins[:origins-len(n.origins)], r.reJITs[:reJITs-len(n.reJITs)]
}

func textsOfMethod(m *Method) []workerText {
	t := m.workerTexts()
	return []workerText{t.namespace, t.name, t.signature}
}

// translate replaces the workers' numbers by the builder's.
func (l *methodList) translate(workers int) {
	ordered.InParts(len(l.facts.blocks)*factBlock, workers, func(_, from, to int) {
		for i := from / factBlock; i < to/factBlock; i++ {
			n := l.of[i]
			for j := range l.facts.blocks[i] {
				m := &l.facts.blocks[i][j]
				m.Sources |= n.sibling
				texts := m.workerTexts()
				m.Namespace, m.Name, m.Signature = n.text(texts.namespace), n.text(texts.name), n.text(texts.signature)
				if m.origin = n.origins[m.origin]; m.reJIT > 0 {
					m.reJIT = n.reJITs[m.reJIT-1]
				}
			}
		}
	})
	l.of = nil
}

// hash returns a hash of the fields in which most facts differ.
func (m *Method) hash() uint32 {
	h := (m.Address ^ (uint64(m.Process)<<8|uint64(m.Sources))*0x87c37b91114253d5) * 0x9e3779b97f4a7c15
	return uint32(h >> 32)
}
