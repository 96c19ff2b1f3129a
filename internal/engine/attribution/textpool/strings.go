package textpool

import (
	"hash/maphash"
	"strings"
)

// Strings is a pool of strings.
type Strings struct {
	limit   int64
	Bytes   int64      // of all texts
	Dropped int64      // uses of texts for which there was no room
	blocks  [][]string // of stringBlock texts, but for the last
	n       int
	recent  strings.Builder // of texts that Number has added
	slots   []Slot
}

// NewStrings returns an empty pool with a limit in bytes.
func NewStrings(limit int64) Strings { return Strings{limit: limit, slots: Grown(nil)} }

const stringBlock = 1 << 9

// At returns a text, which is not 0.
func (p *Strings) At(n Number) string { return p.blocks[(n-1)/stringBlock][(n-1)%stringBlock] }

// Warm makes Number faster for some texts; see [Packed.Warm].
func (p *Strings) Warm(d *Decoded, texts []Number) { warm(p.slots, d.hashes, texts) }

// Share returns the text of the pool that equals s, or "" if the pool is full.
func (p *Strings) Share(s string) string {
	if s == "" {
		return ""
	}
	n := number(p, s, uint32(maphash.String(seed, s)), func(s string) string { return s })
	if n == NoRoom {
		p.Dropped++
		return ""
	}
	return p.At(n)
}

// ShareAll replaces texts by those of the pool.
func (p *Strings) ShareAll(list ...*string) {
	for _, text := range list {
		*text = p.Share(*text)
	}
}

// Number returns the number of a text that is not empty, with the hash of [Decoded], or NoRoom.
func (p *Strings) Number(text []byte, hash uint32) Number { return number(p, text, hash, p.keep) }

// keep returns a string that shares its memory with others: each alone would be an allocation.
func (p *Strings) keep(text []byte) string {
	if p.recent.Cap()-p.recent.Len() < len(text) {
		p.recent = strings.Builder{}
		p.recent.Grow(max(firstBytes, len(text)))
	}
	p.recent.Write(text)
	return p.recent.String()[p.recent.Len()-len(text):]
}

func number[S string | []byte](p *Strings, s S, hash uint32, keep func(S) string) Number {
	mask := uint32(len(p.slots) - 1)
	at := hash & mask
	for ; p.slots[at].Number != 0; at = (at + 1) & mask {
		if n := p.slots[at].Number; p.slots[at].Hash == hash && p.At(n) == string(s) {
			return n
		}
	}
	if p.Bytes+int64(len(s)) > p.limit {
		return NoRoom
	}
	p.Bytes += int64(len(s)) + overhead
	if p.n%stringBlock == 0 {
		p.blocks = append(p.blocks, nil) // most pools have few texts
	}
	last := &p.blocks[len(p.blocks)-1]
	*last = append(*last, keep(s))
	p.n++
	p.slots[at] = Slot{Number(p.n), hash}
	if 2*p.n > len(p.slots) {
		p.slots = Grown(p.slots)
	}
	return Number(p.n)
}
