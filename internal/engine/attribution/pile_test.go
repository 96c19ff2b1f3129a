package attribution

import "testing"

// TestPile checks that the elements of a pile do not move while it grows.
func TestPile(t *testing.T) {
	var p pile[int]
	var places []*int
	for n := range 1700 {
		places = append(places, p.push(n))
		if p.len() != len(places) {
			t.Fatalf("%d elements, want %d", p.len(), len(places))
		}
	}
	for i, v := range concat(1, []pile[int]{p}) {
		if v != i || *places[i] != i {
			t.Fatalf("the element at %d is %d and %d", i, v, *places[i])
		}
	}
}
