package ordered

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSort(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, leastPart, 2*leastPart + 1, 7*leastPart + 3} {
		list := make([]uint32, n)
		for i := range list {
			list[i] = random.Uint32N(uint32(n))
		}
		want := slices.Sorted(slices.Values(list))
		for _, workers := range []int{1, 2, 3, 16} {
			if got := Sort(workers, slices.Clone(list), cmp.Compare[uint32]); !slices.Equal(got, want) {
				t.Errorf("%d elements, %d workers: they are not sorted", n, workers)
			}
		}
	}
}
