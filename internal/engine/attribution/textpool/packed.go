package textpool

import (
	"slices"
	"strings"
)

// Texts are texts by number. The zero value has none.
type Texts struct {
	all  string
	ends []uint32
}

// At returns a text.
func (t *Texts) At(n Number) string {
	if n == 0 {
		return ""
	}
	from, to := bounds(t.ends, n)
	return t.all[from:to]
}

// End returns a number that exceeds all of them.
func (t *Texts) End() Number { return Number(len(t.ends)) + 1 }

// Memory returns about how many bytes the texts hold.
func (t *Texts) Memory() int64 { return int64(len(t.all)) + 4*int64(cap(t.ends)) }

// Consistent reports whether all texts are inside of the one that has them all.
func (t *Texts) Consistent() bool {
	return slices.IsSorted(t.ends) && (len(t.ends) == 0 || int64(t.ends[len(t.ends)-1]) <= int64(len(t.all)))
}

// bounds returns where a text is in those that end at ends. It must not be 0.
func bounds(ends []uint32, n Number) (from, to uint32) {
	if n > 1 {
		from = ends[n-2]
	}
	return from, ends[n-1]
}

// Packed is a pool whose texts lie one after another in memory, up to a limit.
type Packed struct {
	Texts
	Limit   int64 // bytes
	Dropped int64 // uses of texts for which there was no room
	builder strings.Builder
	slots   []Slot
}

// overhead is the approximate memory of a text in addition to its bytes.
const overhead = 48

// firstBytes is the least memory that a pool takes for several texts.
const firstBytes = 16 << 10

// Number returns the number of a text that is not empty, with the hash of [Decoded], or NoRoom.
func (p *Packed) Number(text []byte, hash uint32) Number {
	if 2*len(p.ends) >= len(p.slots) {
		p.slots = Grown(p.slots)
	}
	mask := uint32(len(p.slots) - 1)
	at := hash & mask
	for ; p.slots[at].Number != 0; at = (at + 1) & mask {
		if s := p.slots[at]; s.Hash == hash && p.At(s.Number) == string(text) {
			return s.Number
		}
	}
	if int64(len(p.all)+len(text)+overhead*len(p.ends)) > p.Limit {
		return NoRoom
	}
	if p.builder.Cap()-len(p.all) < len(text) {
		p.builder.Grow(max(firstBytes, p.builder.Cap(), len(text)))
	}
	p.builder.Write(text)
	p.all = p.builder.String()
	p.ends = append(p.ends, uint32(len(p.all)))
	p.slots[at] = Slot{Number(len(p.ends)), hash}
	return Number(len(p.ends))
}

// Close gives up what only Number needs, and returns the texts.
func (p *Packed) Close() Texts {
	p.slots = nil
	return p.Texts
}

// Warm makes Number faster for some texts.
func (p *Packed) Warm(d *Decoded, texts []Number) { warm(p.slots, d.hashes, texts) }
