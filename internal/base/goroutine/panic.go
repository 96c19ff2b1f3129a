// Package goroutine has what goroutines begin with: a guard, which brings a panic to the goroutine that waits
// for them, and a stack of the size that they need.
package goroutine

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Error is a panic: a bug.
type Error struct {
	Value any    // of the panic
	Stack string // where it happened
}

func (e *Error) Error() string {
	return fmt.Sprintf("this is a bug of etl2parquet, please report it: %v\n%s", e.Value, e.Stack)
}

// Guard runs a function with a stack that it may need, and returns a panic of it as an [Error]: the goroutine
// that waits goes on with it. So the panic ends a program, and no bug stays hidden, but not a process that
// has loaded the library and recovers, such as a database with the extension.
func Guard(f func() error) (err error) {
	Grow()
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *Error: // of a goroutine that f has waited for
			err = v
		default:
			err = &Error{v, string(debug.Stack())}
		}
	}()
	return f()
}

// Raise returns an error, or goes on with the panic that the error stands for. The function that
// waits for goroutines uses it.
func Raise(err error) error {
	if e := new(Error); errors.As(err, &e) {
		panic(e)
	}
	return err
}
