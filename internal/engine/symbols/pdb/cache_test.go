package pdb

import "testing"

// heavy is an entry that nearly fills a cache.
type heavy int

func (heavy) weight() int { return cacheWeight/2 + 1 }

// TestCache checks that a cache drops entries beyond its weight, and returns the same values all
// the same.
func TestCache(t *testing.T) {
	var c cache[heavy]
	reads := 0
	read := func(module int) heavy {
		reads++
		return heavy(module)
	}
	for _, module := range []int{1, 2, 1, 2, 3, 3, 1} {
		if got := c.get(module, read); got != heavy(module) {
			t.Errorf("%d, want %d", got, module)
		}
	}
	if len(c.entries) > 2 || reads != 4 {
		t.Errorf("%d entries, %d reads", len(c.entries), reads)
	}
}
