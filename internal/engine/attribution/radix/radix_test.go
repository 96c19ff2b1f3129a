package radix

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSort checks the order of facts, and that equal ones keep theirs.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, next := range map[string]func(i int) Fact{
		"one":             func(int) Fact { return Fact{Number: 7, Process: 1} },
		"few processes":   func(int) Fact { return Fact{Number: r.Uint64N(1 << 20), Process: r.Uint32N(3) << 30} },
		"any":             func(int) Fact { return Fact{Number: r.Uint64(), Process: r.Uint32()} },
		"in order":        func(i int) Fact { return Fact{Number: uint64(i)} },
		"backwards":       func(i int) Fact { return Fact{Number: uint64(-i), Process: ^uint32(0)} },
		"an odd process":  func(i int) Fact { return Fact{Process: uint32(i % 257)} },
		"only high bytes": func(int) Fact { return Fact{Number: r.Uint64N(9) << 56} },
	} {
		var facts []Fact
		for i := range 5000 {
			f := next(i)
			f.Index = uint32(i)
			facts = append(facts, f)
		}
		want := slices.Clone(facts)
		slices.SortStableFunc(want, func(a, b Fact) int {
			return cmp.Or(cmp.Compare(a.Process, b.Process), cmp.Compare(a.Number, b.Number))
		})
		if got := Sort(facts, make([]Fact, len(facts))); !slices.Equal(got, want) {
			t.Errorf("%s: the facts are in another order", name)
		}
	}
}
