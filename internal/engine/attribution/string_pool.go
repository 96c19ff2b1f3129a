package attribution

import (
	"hash/maphash"
	"strings"
)

// stringPool is a pool of strings.
type stringPool struct {
	limit   int64
	bytes   int64      // of all texts
	dropped int64      // uses of texts that did not fit
	blocks  [][]string // of stringBlock texts, but for the last
	n       int
	recent  strings.Builder // of texts that number has added
	slots   []hashSlot[Text]
}

// newStringPool returns an empty pool with a limit in bytes.
func newStringPool(limit int64) stringPool {
	return stringPool{limit: limit, slots: grownSlots[Text](nil)}
}

const stringBlock = 1 << 9

// at returns a text. n must not be 0.
func (p *stringPool) at(n Text) string { return p.blocks[(n-1)/stringBlock][(n-1)%stringBlock] }

// prefetch makes number faster for some texts; see [packedPool.prefetch].
func (p *stringPool) prefetch(d *decodedTexts, texts []workerText) {
	readSlots(p.slots, d.hashes, texts)
}

// share returns the text of the pool that equals s, or "" if the pool is full.
func (p *stringPool) share(s string) string {
	if s == "" {
		return ""
	}
	n := numberOf(p, s, uint32(maphash.String(poolSeed, s)), func(s string) string { return s })
	if n == noRoom {
		p.dropped++
		return ""
	}
	return p.at(n)
}

// shareAll replaces texts by the equal texts of the pool.
func (p *stringPool) shareAll(list ...*string) {
	for _, text := range list {
		*text = p.share(*text)
	}
}

// number returns the number of a non-empty text, with the hash of [decodedTexts], or noRoom.
func (p *stringPool) number(text []byte, hash uint32) Text { return numberOf(p, text, hash, p.keep) }

// keep returns a string that shares its memory with others, which saves an allocation per string.
func (p *stringPool) keep(text []byte) string {
	if p.recent.Cap()-p.recent.Len() < len(text) {
		p.recent = strings.Builder{}
		p.recent.Grow(max(firstTextBytes, len(text)))
	}
	p.recent.Write(text)
	return p.recent.String()[p.recent.Len()-len(text):]
}

// numberOf implements number for both forms of a text. keep returns the string that the pool
// stores.
func numberOf[S string | []byte](p *stringPool, s S, hash uint32, keep func(S) string) Text {
	mask := uint32(len(p.slots) - 1)
	at := hash & mask
	for ; p.slots[at].number != 0; at = (at + 1) & mask {
		if n := p.slots[at].number; p.slots[at].hash == hash && p.at(n) == string(s) {
			return n
		}
	}
	if p.bytes+int64(len(s)) > p.limit {
		return noRoom
	}
	p.bytes += int64(len(s)) + textOverhead
	if p.n%stringBlock == 0 {
		p.blocks = append(p.blocks, nil) // most pools have few texts
	}
	last := &p.blocks[len(p.blocks)-1]
	*last = append(*last, keep(s))
	p.n++
	p.slots[at] = hashSlot[Text]{Text(p.n), hash}
	if 2*p.n > len(p.slots) {
		p.slots = grownSlots(p.slots)
	}
	return Text(p.n)
}
