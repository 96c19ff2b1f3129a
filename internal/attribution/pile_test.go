package attribution

import "testing"

// TestPile: what is in a pile stays where it is while it grows and shrinks.
func TestPile(t *testing.T) {
	var p pile[int]
	var places []*int
	check := func() {
		t.Helper()
		if p.len() != len(places) || len(p.all()) != len(places) {
			t.Fatalf("%d elements, %d in a list, want %d", p.len(), len(p.all()), len(places))
		}
		for i, place := range places {
			if p.at(uint32(i)) != place || *place != i || p.all()[i] != i {
				t.Fatalf("of %d elements, the one at %d is %d", len(places), i, *p.at(uint32(i)))
			}
		}
	}
	check()
	for _, n := range []int{1, 15, 16, 17, 32, 33, 64, 255, 256, 511, 512, 513, 1024, 1025, 1600} {
		for len(places) < n {
			places = append(places, p.push(len(places)))
		}
		check()
	}
	for _, n := range []int{1024, 1023, 512, 511, 33, 16, 15, 0} {
		for len(places) > n {
			p.pop()
			places = places[:len(places)-1]
		}
		check()
	}
	places = append(places, p.push(0))
	check()
}
