package goroutine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestGuard checks that a panic becomes an error, and again a panic in the goroutine that waits.
func TestGuard(t *testing.T) {
	broken := errors.New("broken")
	if err := Raise(Guard(func() error { return broken })); err != broken {
		t.Errorf("got %v", err)
	}
	if err := Raise(nil); err != nil {
		t.Errorf("got %v", err)
	}
	var first, again *Error
	err := Guard(func() error { panic("over") })
	if !errors.As(err, &first) || first.Value != "over" || !strings.Contains(err.Error(), "TestGuard") {
		t.Errorf("got %v", err)
	}
	err = Guard(func() error { return Raise(fmt.Errorf("in a trace: %w", first)) })
	if !errors.As(err, &again) || again != first {
		t.Errorf("got %v, want the first panic", err)
	}
}
