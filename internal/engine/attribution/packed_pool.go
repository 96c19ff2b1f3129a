package attribution

import (
	"slices"
	"strings"
)

// textList holds texts by number, one after another in memory. The zero value is empty.
type textList struct {
	all  string
	ends []uint32
}

// at returns a text.
func (t *textList) at(n Text) string {
	if n == 0 {
		return ""
	}
	from, to := textBounds(t.ends, n)
	return t.all[from:to]
}

// end returns a number that is greater than those of all texts.
func (t *textList) end() Text { return Text(len(t.ends)) + 1 }

// memory returns the approximate number of bytes that the texts hold.
func (t *textList) memory() int64 { return int64(len(t.all)) + 4*int64(cap(t.ends)) }

// consistent reports whether all bounds of texts lie within all.
func (t *textList) consistent() bool {
	return slices.IsSorted(t.ends) && (len(t.ends) == 0 || int64(t.ends[len(t.ends)-1]) <= int64(len(t.all)))
}

// textBounds returns where text n lies among texts that end at ends. n must not be 0.
func textBounds[N Text | workerText](ends []uint32, n N) (from, to uint32) {
	if n > 1 {
		from = ends[n-2]
	}
	return from, ends[n-1]
}

// packedPool is a pool whose texts lie one after another in memory, up to a limit.
type packedPool struct {
	textList
	limit   int64 // bytes
	dropped int64 // uses of texts that did not fit
	builder strings.Builder
	slots   []hashSlot[Text]
}

// textOverhead is the approximate memory of a text in addition to its bytes.
const textOverhead = 48

// firstTextBytes is the least memory that a pool allocates for several texts.
const firstTextBytes = 16 << 10

// number returns the number of a non-empty text, with the hash of [decodedTexts], or noRoom.
func (p *packedPool) number(text []byte, hash uint32) Text {
	if 2*len(p.ends) >= len(p.slots) {
		p.slots = grownSlots(p.slots)
	}
	mask := uint32(len(p.slots) - 1)
	at := hash & mask
	for ; p.slots[at].number != 0; at = (at + 1) & mask {
		if s := p.slots[at]; s.hash == hash && p.at(s.number) == string(text) {
			return s.number
		}
	}
	if int64(len(p.all)+len(text)+textOverhead*len(p.ends)) > p.limit {
		return noRoom
	}
	if p.builder.Cap()-len(p.all) < len(text) {
		p.builder.Grow(max(firstTextBytes, p.builder.Cap(), len(text)))
	}
	p.builder.Write(text)
	p.all = p.builder.String()
	p.ends = append(p.ends, uint32(len(p.all)))
	p.slots[at] = hashSlot[Text]{Text(len(p.ends)), hash}
	return Text(len(p.ends))
}

// close frees the memory that only number needs, and returns the texts.
func (p *packedPool) close() textList {
	p.slots = nil
	return p.textList
}

// prefetch makes number faster for some texts.
func (p *packedPool) prefetch(d *decodedTexts, texts []workerText) {
	readSlots(p.slots, d.hashes, texts)
}
