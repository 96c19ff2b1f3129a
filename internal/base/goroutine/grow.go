package goroutine

// Grow gives the goroutine a stack of 32 KiB at once if it has less. Stacks begin with 2 KiB and double when
// they are full; each time, the runtime walks and copies them and takes fresh memory: 5 % of the time of
// converting a small trace, in a dozen goroutines.
func Grow()

// The first goroutine initializes packages and runs main.
func init() { Grow() }
