package manifest

import "testing"

// TestConsistent checks which pieces of a file fit together: their chunks exist, and their numbers are
// below the totals.
func TestConsistent(t *testing.T) {
	for one, want := range map[piece]bool{
		{stream: stream{total: 1}}:                        true,
		{stream: stream{total: 2}, number: 1, content: 1}: true,
		{stream: stream{total: 1}, number: 1}:             false,
		{stream: stream{total: 1}, content: 2}:            false,
		{stream: stream{total: 1}, content: -1}:           false,
		{}:                                                false,
	} {
		p := Pieces{list: []piece{one}, contents: []string{"a", "b"}}
		if got := p.Consistent(); got != want {
			t.Errorf("%+v: %t", one, got)
		}
	}
}
