package columns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlobs holds that texts have the codes that they would have one after another.
func TestBlobs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var together, single Texts
	for round := range 40 {
		if round%20 == 0 {
			together.reset()
			single.reset()
		}
		var b []byte
		var ends, want []uint32
		for range r.IntN(4 * textsAtOnce) {
			text := fmt.Appendf(nil, "%d", r.IntN(300))[r.IntN(2):] // some are empty
			b = append(b, text...)
			ends, want = append(ends, uint32(len(b))), append(want, single.Blob(text))
		}
		got := make([]uint32, len(ends))
		together.Blobs(b, ends, got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: codes %v, want %v", round, got, want)
		}
	}
}
