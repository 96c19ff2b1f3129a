package attribution

import (
	"cmp"

	"github.com/etl2parquet/etl2parquet/decode"
)

// gathered holds the facts of one kind in a sequence of buffers, ready for the builder. The builder
// adopts the blocks, and gives the facts other numbers.
type gathered[T any] struct {
	blocks       [][]T                   // facts that the worker has not met before; all blocks but the last are full
	first        workerFact              // the number of the first of them
	observations pile[workerObservation] // records of all facts
	texts        []workerText            // texts that no fact had before, in the order of the facts
	decoded      decodedTexts            // of all facts; the worker may add more
	by           *gatherer               // nil until there is a record
}

// workerObservation is an observation, until the builder adopts it.
type workerObservation struct {
	time decode.Ticks
	fact workerFact
}

// gatherer numbers the facts of one kind that a worker finds, and their texts.
type gatherer struct {
	texts   foundTexts
	used    []bool     // by text: a fact has it
	next    workerFact // the number of the first fact of the next block
	numbers *numbers
}

// numbers maps a worker's numbers to the builder's. Only the builder uses it.
type numbers struct {
	blocks  []listFact // by block of the worker: the number of its first fact
	texts   []Text     // by workerText, from 1; 0 if no fact has the text
	noRoom  bool       // some of the texts did not fit
	origins []uint32   // of methods
	reJITs  []uint32   // of methods
	sibling Sources    // FromSibling if the worker reads a sibling
}

func newGatherer() gatherer {
	return gatherer{numbers: new(numbers)}
}

// renewed returns a gatherer without facts, with the same capacity for texts.
func (g *gatherer) renewed() gatherer {
	clear(g.used)
	return gatherer{texts: g.texts.renewed(), used: g.used[:0], numbers: new(numbers)}
}

// fact returns the number of a fact in the list that has adopted its block.
func (n *numbers) fact(f workerFact) listFact {
	return n.blocks[f/factBlock] + listFact(f%factBlock)
}

// push adds a fact that is new to the worker, and returns its number.
func (g *gathered[T]) push(v T) workerFact {
	last := len(g.blocks) - 1
	if last < 0 {
		g.first = g.by.next
	}
	if last < 0 || len(g.blocks[last]) == factBlock {
		g.blocks = append(g.blocks, make([]T, 0, factBlock))
		g.by.next += factBlock
		last++
	}
	g.blocks[last] = append(g.blocks[last], v)
	return g.first + workerFact(last*factBlock+len(g.blocks[last])-1)
}

// use marks the texts of a new fact as used.
func (g *gathered[T]) use(texts ...workerText) {
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

// cut keeps only the first records, with their facts and the texts of these. Numbers increase in the
// order of the records, so what is kept comes first in every list.
func (g *gathered[T]) cut(records int, textsOf func(*T) []workerText) {
	var kept pile[workerObservation]
	facts := 0 // of g.blocks
	for _, block := range g.observations.blocks {
		block = block[:min(len(block), records)]
		for _, s := range block {
			if len(g.blocks) > 0 && s.fact >= g.first {
				facts = max(facts, int(s.fact-g.first)+1)
			}
		}
		if records -= len(block); len(block) > 0 {
			kept.blocks = append(kept.blocks, block)
		}
	}
	g.observations = kept
	g.cutFacts(facts)
	used := make(map[workerText]bool)
	for _, block := range g.blocks {
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

// cutFacts keeps only the first facts.
func (g *gathered[T]) cutFacts(n int) {
	g.blocks = g.blocks[:(n+factBlock-1)/factBlock]
	if rest := n % factBlock; rest > 0 {
		last := &g.blocks[len(g.blocks)-1]
		*last = (*last)[:rest]
	}
}

// addGathered adds what a worker has gathered, and reports whether the limit dropped anything. number
// returns the builder's number of a text with this hash, or noRoom.
func (l *list[T]) addGathered(b *Builder, g *gathered[T], textsOf func(*T) []workerText, number func([]byte, uint32) Text) (wasCut bool) {
	records, room := g.observations.len(), max(cmp.Or(l.limit, b.limits.Records)-l.n, 0)
	if wasCut = records > room; wasCut {
		b.Unlisted += int64(records - room)
		g.cut(room, textsOf)
	}
	n := g.by.numbers
	n.sibling = b.sibling
	for _, block := range g.blocks {
		n.blocks = append(n.blocks, l.facts.end())
		l.facts.blocks, l.of = append(l.facts.blocks, block), append(l.of, n)
	}
	run := make([]observation, 0, g.observations.len())
	for _, block := range g.observations.blocks {
		for _, s := range block {
			run = append(run, observation{s.time, n.fact(s.fact)})
		}
	}
	l.observations, l.n = append(l.observations, run), l.n+len(run)
	n.texts = append(n.texts, make([]Text, max(g.decoded.len()-len(n.texts), 0))...)
	for _, text := range g.texts {
		at := number(g.decoded.at(text))
		n.texts[text-1], n.noRoom = at, n.noRoom || at == noRoom
	}
	return wasCut
}

// dropped returns 1 if a text was dropped because there was no room, else 0.
func (n *numbers) dropped(text workerText) int64 {
	if text != 0 && n.texts[text-1] == noRoom {
		return 1
	}
	return 0
}

// text returns the builder's number of a text, or 0 if it has none.
func (n *numbers) text(text workerText) Text {
	if text == 0 || n.texts[text-1] == noRoom {
		return 0
	}
	return n.texts[text-1]
}
