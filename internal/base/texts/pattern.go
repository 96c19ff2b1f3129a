package texts

import (
	"regexp"
	"sync"
)

// Pattern returns a function that compiles expression when it is first called, and then returns the result:
// compiling one at the start of the program takes 10 to 100 us. The function panics if the expression is
// invalid. Any number of goroutines may call it.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
