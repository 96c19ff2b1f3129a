package attribution

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRadixSort checks the order of facts, and that the sort is stable.
func TestRadixSort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string]func(i int) sortKey{
		"one":             func(int) sortKey { return sortKey{number: 7, process: 1} },
		"few processes":   func(int) sortKey { return sortKey{number: r.Uint64N(1 << 20), process: r.Uint32N(3) << 30} },
		"any":             func(int) sortKey { return sortKey{number: r.Uint64(), process: r.Uint32()} },
		"in order":        func(i int) sortKey { return sortKey{number: uint64(i)} },
		"backwards":       func(i int) sortKey { return sortKey{number: uint64(-i), process: ^uint32(0)} },
		"an odd process":  func(i int) sortKey { return sortKey{process: uint32(i % 257)} },
		"only high bytes": func(int) sortKey { return sortKey{number: r.Uint64N(9) << 56} },
	} {
		var facts []sortKey
		for i := range 5000 {
			f := next(i)
			f.index = listFact(i)
			facts = append(facts, f)
		}
		want := slices.Clone(facts)
		slices.SortStableFunc(want, func(a, b sortKey) int {
			return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.number, b.number))
		})
		if got := radixSort(facts, make([]sortKey, len(facts))); !slices.Equal(got, want) {
			t.Errorf("%s: the facts are in another order", name)
		}
	}
}
