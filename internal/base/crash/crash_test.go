package crash

import (
	"errors"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	broken := errors.New("broken")
	if err := Guard(func() error { return broken }); err != broken {
		t.Errorf("got %v", err)
	}
	panics := func() error { panic("over") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a panic does not come through")
			}
		}()
		_ = Guard(panics)
	}()
	Catch()
	defer Release()
	var crash *Error
	if err := Guard(panics); !errors.As(err, &crash) || crash.Value != "over" || !strings.Contains(err.Error(), "TestGuard") {
		t.Errorf("got %v", err)
	}
	if err := Guard(func() error { return broken }); err != broken {
		t.Errorf("got %v", err)
	}
}
