package attribution

import (
	"cmp"
)

// gathered holds the facts of one kind in a sequence of buffers, ready for the builder. The builder
// adopts the blocks and replaces the worker's numbers by its own.
type gathered[T any] struct {
	facts        numbered[T]       // facts that the worker has not met before
	observations pile[observation] // records of all facts, by the worker's numbers
	texts        []Text            // the worker's numbers of texts that no fact had before, in the order of the facts
	decoded      decodedTexts      // of all facts; the worker may add more
	first        uint32            // the number of the first of facts
	by           *gatherer         // nil until there is a record
}

// gatherer numbers the facts of one kind that a worker finds, and their texts.
type gatherer struct {
	texts   foundTexts
	used    []bool // by text: a fact has it
	blocks  uint32 // of facts
	numbers *numbers
}

// numbers maps a worker's numbers to the builder's. Only the builder uses it.
type numbers struct {
	blocks  []uint32 // the number of a block's first fact
	texts   []Text   // 0 if no fact has the text
	noRoom  bool     // some of the texts did not fit
	origins []uint32 // of methods
	reJITs  []uint32 // of methods
	sibling Sources  // FromSibling if the worker reads a sibling
}

func newGatherer() gatherer {
	return gatherer{numbers: new(numbers)}
}

// renewed returns a gatherer without facts, with the same capacity for texts.
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

// use marks the texts of a new fact as used.
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

// cut keeps only the first records. Numbers increase in the order of the records, so the kept
// elements come first in every list.
func (g *gathered[T]) cut(records int, textsOf func(*T) []Text) {
	var kept pile[observation]
	facts := uint32(0)
	for _, block := range g.observations.blocks {
		block = block[:min(len(block), records)]
		for _, s := range block {
			if len(g.facts.blocks) > 0 && s.fact >= g.first {
				facts = max(facts, s.fact-g.first+1)
			}
		}
		if records -= len(block); len(block) > 0 {
			kept.blocks = append(kept.blocks, block)
		}
	}
	g.observations = kept
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

// addGathered adds what a worker has gathered, and reports whether the limit dropped anything. number
// returns the builder's number of a text with this hash, or noRoom.
func (l *list[T]) addGathered(b *Builder, g *gathered[T], textsOf func(*T) []Text, number func([]byte, uint32) Text) (wasCut bool) {
	records, room := g.observations.len(), max(cmp.Or(l.limit, b.limits.Records)-l.n, 0)
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
	for _, run := range g.observations.blocks {
		for i := range run {
			run[i].fact = n.blocks[run[i].fact/factBlock] + run[i].fact%factBlock
		}
		l.observations, l.n = append(l.observations, run), l.n+len(run)
	}
	n.texts = append(n.texts, make([]Text, max(g.decoded.len()-len(n.texts), 0))...)
	for _, text := range g.texts {
		at := number(g.decoded.at(text))
		n.texts[text-1], n.noRoom = at, n.noRoom || at == noRoom
	}
	return wasCut
}

// dropped returns 1 if a text was dropped because there was no room, else 0.
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
