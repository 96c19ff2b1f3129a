package attribution

import (
	"hash/maphash"
	"strings"
)

// Text is a text about methods, see [Tables.Text]. Equal texts are the same number, and 0 is
// no text. Methods are so many that each has its texts as numbers: a collection of garbage
// does not look at them.
type Text uint32

// Text returns a text.
func (t *Tables) Text(n Text) string { return t.code.at(n) }

// Texts returns the number of texts, which is greater than all of them.
func (t *Tables) Texts() int { return len(t.code.ends) + 1 }

// numberedTexts are texts by number.
type numberedTexts struct {
	all  string
	ends []uint32
}

func (t *numberedTexts) at(n Text) string {
	if n == 0 {
		return ""
	}
	from, to := boundsOf(t.ends, n)
	return t.all[from:to]
}

// boundsOf returns where a text is in those that end at ends. It must not be 0.
func boundsOf(ends []uint32, n Text) (from, to uint32) {
	if n > 1 {
		from = ends[n-2]
	}
	return from, ends[n-1]
}

// codeTexts is a pool of texts by number, in which each text is once.
type codeTexts struct {
	numberedTexts
	limit   int64           // bytes
	dropped int64           // uses of texts for which there was no room
	builder strings.Builder // of numberedTexts.all
	slots   []textSlot
}

// textSlot is a slot of a hash table: the number of a text, or of a method, and its hash; 0 is free.
type textSlot struct {
	number Text
	hash   uint32
}

// textSeed is the same for all pools. No result depends on it.
var textSeed = maphash.MakeSeed()

const firstTextBytes, firstTextSlots = 16 << 10, 1 << 8

// noRoom is the number of texts for which a pool has no room.
const noRoom = ^Text(0)

func hashOfText(text []byte) uint32 { return uint32(maphash.Bytes(textSeed, text)) }

// number returns the number of a text that is not empty, which has the hash of hashOfText, or
// noRoom if the pool is full.
func (t *codeTexts) number(text []byte, hash uint32) Text {
	if 2*len(t.ends) >= len(t.slots) {
		t.slots = grown(t.slots)
	}
	mask := uint32(len(t.slots) - 1)
	at := hash & mask
	for ; t.slots[at].number != 0; at = (at + 1) & mask {
		if s := t.slots[at]; s.hash == hash && t.at(s.number) == string(text) {
			return s.number
		}
	}
	if int64(len(t.all)+len(text)+textOverhead*len(t.ends)) > t.limit {
		return noRoom
	}
	if t.builder.Cap()-len(t.all) < len(text) {
		t.builder.Grow(max(firstTextBytes, t.builder.Cap(), len(text)))
	}
	t.builder.Write(text)
	t.all = t.builder.String()
	t.ends = append(t.ends, uint32(len(t.all)))
	t.slots[at] = textSlot{Text(len(t.ends)), hash}
	return Text(len(t.ends))
}

// grown returns a hash table of twice the size, or the first one.
func grown(old []textSlot) []textSlot {
	slots := make([]textSlot, max(firstTextSlots, 2*len(old)))
	mask := uint32(len(slots) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := s.hash & mask
		for slots[at].number != 0 {
			at = (at + 1) & mask
		}
		slots[at] = s
	}
	return slots
}

// warm reads the slots of some hashes. Each by itself would wait for memory; here the processor
// asks for many at once. The sum is there to have the compiler keep the reads.
//
//go:noinline
func warm(slots []textSlot, hashes []uint32) (sum uint32) {
	if len(slots) == 0 {
		return 0
	}
	mask := uint32(len(slots) - 1)
	for _, hash := range hashes {
		sum += slots[hash&mask].hash
	}
	return sum
}
