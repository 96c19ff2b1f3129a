package columns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestBlobs checks that texts get the same codes together as one by one.
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

// TestCapacityOfTexts checks that the texts of an idle batch count as memory too.
func TestCapacityOfTexts(t *testing.T) {
	b := NewBatch(&schema.Table{Name: "t"})
	const count, length = 1 << 12, 100
	for i := range count {
		b.Texts.Text(fmt.Sprintf("%0*d", length, i))
	}
	if got, least := b.Capacity(), int64(count*(length+4+8)); got < least || got > 4*least {
		t.Errorf("%d bytes are allocated, want %d or somewhat more", got, least)
	}
}
