// Package pattern compiles regular expressions when they are first used. Compiling one at the start of
// the program takes 10 to 100 us, and most runs use none.
package pattern

import (
	"regexp"
	"sync"
)

// New returns a function that compiles expression when it is first called, and then returns the result.
// It panics then if the expression is invalid. Any number of goroutines may call it.
func New(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
