package main

import "testing"

// TestFreeMemory checks that the systems of the tests say how much memory is free.
func TestFreeMemory(t *testing.T) {
	if n := freeMemory(); n < 16<<20 {
		t.Errorf("%d bytes are free", n)
	}
}
