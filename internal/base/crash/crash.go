// Package crash brings panics of goroutines to the goroutine that waits for them. There a panic goes
// on as if it had happened there: it ends a program, so that no bug stays hidden, but not a process
// that has loaded the library and recovers, such as a database with the extension.
package crash

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/etl2parquet/etl2parquet/internal/base/stackspace"
)

// Error is a panic: a bug.
type Error struct {
	Value any    // of the panic
	Stack string // where it happened
}

func (e *Error) Error() string {
	return fmt.Sprintf("this is a bug of etl2parquet, please report it: %v\n%s", e.Value, e.Stack)
}

// Guard runs a function, and returns a panic of it as an [Error]. Goroutines use it.
func Guard(f func() error) (err error) {
	stackspace.Grow()
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
