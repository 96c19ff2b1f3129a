// Package crash makes errors of panics where the process is not ours: in a database that has
// loaded the extension, a bug that one trace meets must not end the host. The program itself
// lets panics end it, so that no bug goes unseen.
package crash

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

var caught atomic.Bool

// Catch makes Guard return panics from now on.
func Catch() { caught.Store(true) }

// Release undoes Catch, for tests.
func Release() { caught.Store(false) }

// Error is a panic: a bug.
type Error struct {
	Value any    // of the panic
	Stack string // where it happened
}

func (e *Error) Error() string {
	return fmt.Sprintf("this is a bug of etl2parquet, please report it: %v\n%s", e.Value, e.Stack)
}

// Guard runs a function. After Catch, a panic of the function is an [Error].
func Guard(f func() error) (err error) {
	if !caught.Load() {
		return f()
	}
	defer func() {
		if v := recover(); v != nil {
			err = &Error{v, string(debug.Stack())}
		}
	}()
	return f()
}
