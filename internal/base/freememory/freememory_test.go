package freememory

import "testing"

// TestBytes checks that the systems of the tests say how much memory is free.
func TestBytes(t *testing.T) {
	if n := Bytes(); n < 16<<20 {
		t.Errorf("%d bytes are free", n)
	}
}
