package attribution

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSortByDigits checks the order of facts, and that equal ones keep theirs.
func TestSortByDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string]func(i int) placedFact{
		"one":             func(int) placedFact { return placedFact{number: 7, process: 1} },
		"few processes":   func(int) placedFact { return placedFact{number: r.Uint64N(1 << 20), process: r.Uint32N(3) << 30} },
		"any":             func(int) placedFact { return placedFact{number: r.Uint64(), process: r.Uint32()} },
		"in order":        func(i int) placedFact { return placedFact{number: uint64(i)} },
		"backwards":       func(i int) placedFact { return placedFact{number: uint64(-i), process: ^uint32(0)} },
		"an odd process":  func(i int) placedFact { return placedFact{process: uint32(i % 257)} },
		"only high bytes": func(int) placedFact { return placedFact{number: r.Uint64N(9) << 56} },
	} {
		var facts []placedFact
		for i := range 5000 {
			f := next(i)
			f.fact = uint32(i)
			facts = append(facts, f)
		}
		want := slices.Clone(facts)
		slices.SortStableFunc(want, func(a, b placedFact) int {
			return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.number, b.number))
		})
		if got := sortByDigits(facts, make([]placedFact, len(facts))); !slices.Equal(got, want) {
			t.Errorf("%s: the facts are in another order", name)
		}
	}
}
