package columns

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Texts gives each distinct text of a batch a number, its code.
type Texts struct {
	bytes []byte
	ends  []uint32
	// A hash table of the texts, without those of GUIDs and of Add: code plus 1, or 0 in a free
	// slot, and the hash of each.
	slots  []textSlot
	hashed int
	guids  map[schema.GUID]uint32
	// recent answers most look-ups of GUIDs, and meanings most look-ups of the names of numbers,
	// without the maps. Both are made on first use, because most batches are small.
	last     recentGUID
	recent   *[256]recentGUID
	meanings *[256]meaning
	scratch  []byte
}

type textSlot struct{ code, hash uint32 }

// textSeed is the same for all tables; no result depends on it.
var textSeed = maphash.MakeSeed()

const firstTextSlots = 16

// recentGUID is the code of a GUID's text.
type recentGUID struct {
	id   schema.GUID
	code uint32
	used bool
}

// meaning is the code of a number's name.
type meaning struct {
	values *schema.Values // that name it; nil if not looked up yet
	number uint64
	code   int64 // or None
}

func (t *Texts) reset() {
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
	if t.guids == nil {
		t.guids, t.slots = make(map[schema.GUID]uint32), make([]textSlot, firstTextSlots)
	}
	if t.hashed > 0 {
		clear(t.slots)
		t.hashed = 0
	}
	clear(t.guids)
	t.last.used = false
	if t.recent != nil {
		clear(t.recent[:])
	}
	if t.meanings != nil {
		clear(t.meanings[:])
	}
}

func (t *Texts) add() uint32 {
	t.ends = append(t.ends, uint32(len(t.bytes)))
	return uint32(len(t.ends) - 1)
}

// Text returns the code of s.
func (t *Texts) Text(s string) uint32 {
	t.scratch = append(t.scratch[:0], s...)
	return t.Blob(t.scratch)
}

// Add stores s without deduplicating it: Text gives the same text another code.
func (t *Texts) Add(s string) uint32 {
	t.bytes = append(t.bytes, s...)
	return t.add()
}

// Blob returns the code of b.
func (t *Texts) Blob(b []byte) uint32 { return t.code(b, hashText(b)) }

func hashText(b []byte) uint32 { return uint32(maphash.Bytes(textSeed, b)) }

// code returns the code of the text that has a hash.
func (t *Texts) code(b []byte, hash uint32) uint32 {
	mask := uint32(len(t.slots) - 1)
	i := hash & mask
	for ; t.slots[i].code > 0; i = (i + 1) & mask {
		if s := t.slots[i]; s.hash == hash && bytes.Equal(t.At(s.code-1), b) {
			return s.code - 1
		}
	}
	t.bytes = append(t.bytes, b...)
	code := t.add()
	t.slots[i] = textSlot{code + 1, hash}
	if t.hashed++; 2*t.hashed > len(t.slots) {
		t.grow()
	}
	return code
}

// Blobs looks up textsAtOnce texts together, and fewer than fewTexts one by one.
const (
	textsAtOnce = 64
	fewTexts    = 8
)

// Blobs sets codes to those of texts that follow one another in b, ending at ends. Most look-ups
// miss the processor's cache, so Blobs prefetches many texts at once; the loads overlap.
func (t *Texts) Blobs(b []byte, ends, codes []uint32) {
	if len(ends) < fewTexts {
		from := uint32(0)
		for i, end := range ends {
			codes[i] = t.Blob(b[from:end])
			from = end
		}
		return
	}
	var hashes [textsAtOnce]uint32
	var slots [textsAtOnce]textSlot
	from := uint32(0)
	for len(ends) > 0 {
		n := min(len(ends), textsAtOnce)
		start := from
		for i, end := range ends[:n] {
			hashes[i] = hashText(b[start:end])
			start = end
		}
		mask := uint32(len(t.slots) - 1)
		for i, hash := range hashes[:n] {
			slots[i] = t.slots[hash&mask]
		}
		for i, end := range ends[:n] {
			text := b[from:end]
			if s := slots[i]; s.code > 0 && s.hash == hashes[i] && bytes.Equal(t.At(s.code-1), text) {
				codes[i] = s.code - 1
			} else {
				codes[i] = t.code(text, hashes[i])
			}
			from = end
		}
		ends, codes = ends[n:], codes[n:]
	}
}

func (t *Texts) grow() {
	old := t.slots
	t.slots = make([]textSlot, 2*len(old))
	mask := uint32(len(t.slots) - 1)
	for _, s := range old {
		if s.code == 0 {
			continue
		}
		i := s.hash & mask
		for t.slots[i].code > 0 {
			i = (i + 1) & mask
		}
		t.slots[i] = s
	}
}

// GUID returns the code of a GUID's text.
func (t *Texts) GUID(id schema.GUID) uint32 {
	if t.last.used && t.last.id == id {
		return t.last.code
	}
	if len(t.guids) == 0 {
		t.last = recentGUID{id, t.addGUID(id), true}
		return t.last.code
	}
	if t.recent == nil {
		t.recent = new([256]recentGUID)
	}
	hash := (binary.LittleEndian.Uint64(id[:]) ^ binary.LittleEndian.Uint64(id[8:])) * 0x9e3779b97f4a7c15
	recent := &t.recent[hash>>56]
	if !recent.used || recent.id != id {
		*recent = recentGUID{id, t.addGUID(id), true}
	}
	t.last = *recent
	return recent.code
}

// addGUID returns the code of a GUID's text, and adds the text if it is new.
func (t *Texts) addGUID(id schema.GUID) uint32 {
	code, ok := t.guids[id]
	if !ok {
		t.bytes, _ = id.AppendText(t.bytes) // never fails
		code = t.add()
		t.guids[id] = code
	}
	return code
}

// Meaning returns the code of a number's name, or None if it has none.
func (t *Texts) Meaning(values *schema.Values, n uint64) int64 {
	if t.meanings == nil {
		t.meanings = new([256]meaning)
	}
	m := &t.meanings[n*0x9e3779b97f4a7c15>>56]
	if m.values == values && m.number == n {
		return m.code
	}
	*m = meaning{values, n, None}
	if t.scratch = values.AppendText(t.scratch[:0], n); len(t.scratch) > 0 {
		m.code = int64(t.Blob(t.scratch))
	}
	return m.code
}

// Len returns the number of texts. Their codes are less than that.
func (t *Texts) Len() int { return len(t.ends) }

// At returns the text of a code. It is valid until reset.
func (t *Texts) At(code uint32) []byte {
	start := uint32(0)
	if code > 0 {
		start = t.ends[code-1]
	}
	return t.bytes[start:t.ends[code]:t.ends[code]]
}

// The approximate memory of a batch's texts in addition to the bytes of the texts.
const (
	guidSize   = 32       // of a GUID in a map
	recentSize = 256 * 24 // of Texts.recent, and of Texts.meanings
)

// capacity returns the number of bytes allocated.
func (t *Texts) capacity() int64 {
	n := cap(t.bytes) + 4*cap(t.ends) + 8*cap(t.slots) + cap(t.scratch) + guidSize*len(t.guids)
	if t.recent != nil {
		n += recentSize
	}
	if t.meanings != nil {
		n += recentSize
	}
	return int64(n)
}

func (t *Texts) memory() int64 { return int64(2*len(t.bytes) + 32*len(t.ends)) }
