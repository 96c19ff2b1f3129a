package redact

import (
	"cmp"
	"slices"
)

// place is a part of a text that is replaced: by a pseudonym, or by the one of the part itself.
type place struct {
	from, to  int
	of        kind
	pseudonym string // "" is the one of the part
}

// places are parts of a text.
type places []place

// add adds the part [from, to).
func (p *places) add(from, to int, of kind, pseudonym string) {
	*p = append(*p, place{from, to, of, pseudonym})
}

// distinct returns the parts in order, without those inside others. Parts that overlap become one.
func (p places) distinct() places {
	slices.SortStableFunc(p, func(a, b place) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	list := p[:0]
	for _, next := range p {
		if last := len(list) - 1; last < 0 || next.from >= list[last].to {
			list = append(list, next)
		} else if next.to > list[last].to {
			list[last].to, list[last].pseudonym = next.to, ""
		}
	}
	return list
}

// appendReplaced appends the text with its places replaced.
func (p places) appendReplaced(dst []byte, text string, k *Key) []byte {
	at := 0
	for _, found := range p.distinct() {
		dst = append(dst, text[at:found.from]...)
		if found.pseudonym == "" {
			found.pseudonym = k.pseudonym(found.of, text[found.from:found.to])
		}
		dst = append(dst, found.pseudonym...)
		at = found.to
	}
	return append(dst, text[at:]...)
}
