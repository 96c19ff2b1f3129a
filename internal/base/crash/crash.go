// Package crash turns panics into errors in processes that are not ours: in a database that has
// loaded the extension, a bug that one trace triggers must not end the host. In the program itself
// panics end the process, so that no bug stays hidden.
package crash

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

var caught atomic.Bool

// Catch makes Guard return panics as errors from now on.
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

// Guard runs a function. After Catch, it returns a panic of the function as an [Error].
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
