package attribution

// sortKey is the place of a fact in the order of ids. It holds most of the id, so that few
// comparisons read the fact itself.
type sortKey struct {
	number  uint64
	process uint32
	index   listFact
}

// radixDigits is the number of bytes that facts are sorted by: those of number and process.
const radixDigits = 8 + 4

// digit returns byte i of the sort key, the lowest first.
func (o *sortKey) digit(i int) uint8 {
	if i < 8 {
		return uint8(o.number >> (8 * i))
	}
	return uint8(o.process >> (8 * (i - 8)))
}

// radixSort sorts facts by process and number. It may return the memory of other, which has the
// same length. It first counts the values of each byte, and then orders the facts by one byte after
// another, the lowest first. It skips bytes that are the same in all facts.
func radixSort(facts, other []sortKey) []sortKey {
	var counts [radixDigits][256]uint32
	for i := range facts {
		f := &facts[i]
		for d := range radixDigits {
			counts[d][f.digit(d)]++
		}
	}
	for d := range counts {
		if len(facts) == 0 || counts[d][facts[0].digit(d)] == uint32(len(facts)) {
			continue
		}
		start := uint32(0)
		for value, n := range counts[d] {
			counts[d][value] = start
			start += n
		}
		for i := range facts {
			at := &counts[d][facts[i].digit(d)]
			other[*at] = facts[i]
			*at++
		}
		facts, other = other, facts
	}
	return facts
}
