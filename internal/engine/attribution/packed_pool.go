package attribution

import "strings"

// textList holds texts by number, one after another in blocks. A text lies within one block, and none
// is longer than a block. The zero value is empty.
type textList struct {
	blocks []string
	ends   []uint32 // as if all blocks but the last had textBlock bytes
}

// textBlock is the size of a block. An event has at most 64 KiB.
const textBlock = 1 << 20

// at returns a text.
func (t *textList) at(n Text) string {
	if n == 0 {
		return ""
	}
	from, to := textBounds(t.ends, n)
	block := (to - 1) / textBlock
	start := block * textBlock
	return t.blocks[block][max(from, start)-start : to-start]
}

// end returns a number that is greater than those of all texts.
func (t *textList) end() Text { return Text(len(t.ends)) + 1 }

// memory returns the approximate number of bytes that the texts hold.
func (t *textList) memory() int64 { return int64(len(t.blocks))*textBlock + bytesOf(t.ends) }

// consistent reports whether all bounds of texts lie within blocks.
func (t *textList) consistent() bool {
	before := uint32(0)
	for _, end := range t.ends {
		if end <= before || int((end-1)/textBlock) >= len(t.blocks) || int((end-1)%textBlock) >= len(t.blocks[(end-1)/textBlock]) {
			return false
		}
		before = end
	}
	return true
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
	limit   int64           // bytes; below 4 GiB
	dropped int64           // uses of texts that did not fit
	builder strings.Builder // of the last block
	slots   []hashSlot[Text]
}

// textOverhead is the approximate memory of a text of a [stringPool] in addition to its bytes,
// packedOverhead that of one of a [packedPool].
const (
	textOverhead   = 48
	packedOverhead = 32
)

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
	if len(text) > textBlock || p.size()+int64(len(text))+packedOverhead*int64(len(p.ends)) > p.limit {
		return noRoom
	}
	p.makeRoom(len(text))
	p.builder.Write(text)
	last := len(p.blocks) - 1
	p.blocks[last] = p.builder.String()
	p.ends = append(p.ends, uint32(last*textBlock+len(p.blocks[last])))
	p.slots[at] = hashSlot[Text]{Text(len(p.ends)), hash}
	return Text(len(p.ends))
}

// size returns the bytes of the blocks.
func (p *packedPool) size() int64 {
	return max(int64(len(p.blocks))-1, 0)*textBlock + int64(p.builder.Len())
}

// makeRoom makes room for the next text in the last block. Only the first block grows, because most
// traces have few texts.
func (p *packedPool) makeRoom(bytes int) {
	if len(p.blocks) == 0 || p.builder.Len()+bytes > textBlock {
		p.builder = strings.Builder{}
		p.blocks = append(p.blocks, "")
	}
	if have := p.builder.Cap(); have-p.builder.Len() < bytes {
		room := textBlock
		if len(p.blocks) == 1 {
			room = min(max(firstTextBytes, 2*have, p.builder.Len()+bytes), textBlock)
		}
		p.builder.Grow(room - p.builder.Len())
	}
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
