package attribution

import (
	"cmp"
)

// gathered are the facts of one kind in a sequence of buffers, ready for the builder. The builder
// takes the blocks as they are and replaces the numbers of their worker by its own.
type gathered[T any] struct {
	facts   numbered[T]  // that the worker has not met before
	said    pile[saying] // of all facts, by the worker's numbers
	texts   []Text       // the worker's numbers of texts that no fact had before, in the order of the facts
	decoded decodedTexts // of all facts; the worker may add more
	first   uint32       // the number of the first of facts
	by      *gatherer    // nil until there is a record
}

// gatherer numbers the facts of one kind that a worker finds, and their texts.
type gatherer struct {
	texts   foundTexts
	used    []bool // by text: a fact has it
	blocks  uint32 // of facts
	numbers *numbers
}

// numbers are the builder's numbers for those of a worker. Only the builder uses them.
type numbers struct {
	blocks  []uint32 // the number of a block's first fact
	texts   []Text   // 0 if no fact has the text
	noRoom  bool     // for some of the texts
	origins []uint32 // of methods
	reJITs  []uint32 // of methods
	sibling Sources  // FromSibling if the worker reads a sibling
}

func newGatherer() gatherer {
	return gatherer{numbers: new(numbers)}
}

// renewed returns a gatherer without facts, with room for as many texts.
func (g *gatherer) renewed() gatherer {
	clear(g.used)
	return gatherer{texts: g.texts.renewed(), used: g.used[:0], numbers: new(numbers)}
}

// push adds a fact that is new to the worker, and returns its number.
func (g *gathered[T]) push(v T) uint32 {
	last := len(g.facts.blocks) - 1
	if last < 0 {
		g.first = g.by.blocks * factBlock
	}
	if last < 0 || len(g.facts.blocks[last]) == factBlock {
		g.facts.blocks = append(g.facts.blocks, make([]T, 0, factBlock))
		g.by.blocks++
		last++
	}
	block := append(g.facts.blocks[last], v)
	g.facts.blocks[last] = block
	return g.first + uint32(last*factBlock+len(block)-1)
}

// use notes the texts of a new fact.
func (g *gathered[T]) use(texts ...Text) {
	by := g.by
	for _, n := range texts {
		if n == 0 {
			continue
		}
		for int(n) > len(by.used) {
			by.used = append(by.used, false)
		}
		if !by.used[n-1] {
			by.used[n-1], g.texts = true, append(g.texts, n)
		}
	}
	g.decoded = by.texts.decodedTexts
}

// cut leaves out what is beyond the first records, which are fewer than there are. Numbers
// increase in the order of the records, so what stays comes first in every list.
func (g *gathered[T]) cut(records int, textsOf func(*T) []Text) {
	var said pile[saying]
	facts := uint32(0)
	for _, block := range g.said.blocks {
		block = block[:min(len(block), records)]
		for _, s := range block {
			if len(g.facts.blocks) > 0 && s.fact >= g.first {
				facts = max(facts, s.fact-g.first+1)
			}
		}
		if records -= len(block); len(block) > 0 {
			said.blocks = append(said.blocks, block)
		}
	}
	g.said = said
	g.facts.cut(facts)
	used := make(map[Text]bool)
	for _, block := range g.facts.blocks {
		for i := range block {
			for _, n := range textsOf(&block[i]) {
				used[n] = true
			}
		}
	}
	texts := 0
	for texts < len(g.texts) && used[g.texts[texts]] {
		texts++
	}
	g.texts = g.texts[:texts]
}

// take adds what a worker has gathered. number returns the number of a text with this hash, or
// noRoom. Take reports whether the limit has left something out.
func (l *list[T]) take(b *Builder, g *gathered[T], textsOf func(*T) []Text, number func([]byte, uint32) Text) (wasCut bool) {
	records, room := g.said.len(), max(cmp.Or(l.limit, b.limits.Records)-l.n, 0)
	if wasCut = records > room; wasCut {
		b.Unlisted += int64(records - room)
		g.cut(room, textsOf)
	}
	n := g.by.numbers
	n.sibling = b.sibling
	for _, block := range g.facts.blocks {
		n.blocks = append(n.blocks, l.facts.end())
		l.facts.blocks, l.of = append(l.facts.blocks, block), append(l.of, n)
	}
	for _, run := range g.said.blocks {
		for i := range run {
			run[i].fact = n.blocks[run[i].fact/factBlock] + run[i].fact%factBlock
		}
		l.said, l.n = append(l.said, run), l.n+len(run)
	}
	n.texts = append(n.texts, make([]Text, max(g.decoded.len()-len(n.texts), 0))...)
	for _, text := range g.texts {
		at := number(g.decoded.at(text))
		n.texts[text-1], n.noRoom = at, n.noRoom || at == noRoom
	}
	return wasCut
}

// dropped returns 1 for a text that has no room.
func (n *numbers) dropped(text Text) int64 {
	if text != 0 && n.texts[text-1] == noRoom {
		return 1
	}
	return 0
}

// text returns the builder's number of a text, or 0 if it has none.
func (n *numbers) text(text Text) Text {
	if text == 0 || n.texts[text-1] == noRoom {
		return 0
	}
	return n.texts[text-1]
}
