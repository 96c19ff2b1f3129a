package attribution

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestKnownFind checks that equal payloads of equal tags share one entry, whether they come in the
// same order as before, in another order, or beyond the limits of the cache.
func TestKnownFind(t *testing.T) {
	orders := map[string]func(r *rand.Rand, i int) int{
		"the same order each time": func(_ *rand.Rand, i int) int { return i % 1000 },
		"each twice":               func(_ *rand.Rand, i int) int { return i / 2 % 1000 },
		"any order":                func(r *rand.Rand, _ int) int { return r.IntN(1000) },
		"more than are kept":       func(_ *rand.Rand, i int) int { return i % (maxKnown + 10) },
	}
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			var k Known
			r := rand.New(rand.NewPCG(1, 2))
			images := make(map[int]*fact[Image])
			kept := 0
			for i := range 3 * maxKnown {
				n := order(r, i)
				payload := binary.LittleEndian.AppendUint64(nil, uint64(n/2))
				f, fresh := k.find(eventTag(n%2), payload)
				if fresh && f == &k.uncached.facts { // see TestKnownLeavesOut
					continue
				}
				if fresh {
					if kept++; k.entries == 1 {
						kept = 1
						clear(images)
					}
					if images[n] != nil {
						t.Fatalf("payload %d is fresh again", n)
					}
					f.image = &fact[Image]{value: Image{Base: uint64(n)}}
					images[n] = f.image
				}
				if f.image != images[n] || f.image.value.Base != uint64(n) {
					t.Fatalf("payload %d has the image at %#x", n, f.image.value.Base)
				}
				if int(k.entries) != kept || kept > maxKnown {
					t.Fatalf("%d entries for %d payloads", k.entries, kept)
				}
			}
		})
	}
}

// TestKnownLeavesOut checks that most payloads that never repeat are not kept, that others are, and that a kind which begins to repeat is kept again.
func TestKnownLeavesOut(t *testing.T) {
	var k Known
	const different, repeated = eventTag(1), eventTag(2)
	see := func(tag eventTag, n int) (fresh bool) {
		f, fresh := k.find(tag, binary.LittleEndian.AppendUint64(nil, uint64(n)))
		if fresh {
			if *f != (facts{}) {
				t.Fatalf("the fresh payload %d has facts", n)
			}
			f.debug = workerFact(n + 1)
		} else if f.debug != workerFact(n+1) {
			t.Fatalf("payload %d has the facts of %d", n, f.debug-1)
		}
		return fresh
	}
	again := 0
	for i := range 20 * maxKnown {
		see(different, i)
		if see(repeated, i%1000) {
			again++
		}
	}
	if again > 8000 || k.entries > maxKnown*3/4 {
		t.Errorf("payloads that repeat were fresh %d times; the cache has %d entries", again, k.entries)
	}
	again = 0
	for i := range 50 * maxKnown {
		if see(different, i%1000) {
			again++
		}
	}
	if most := 4 * trial * passes << doubles; again > most {
		t.Errorf("payloads that began to repeat were fresh %d times, want at most %d", again, most)
	}
}
