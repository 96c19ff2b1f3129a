package bench

import (
	"runtime"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/cputime"
)

// Cost is the cost of some work.
type Cost struct {
	Wall time.Duration
	CPU  time.Duration // of all threads of the process, in user and system mode
}

func (c *Cost) add(d Cost) { c.Wall, c.CPU = c.Wall+d.Wall, c.CPU+d.CPU }

// measure returns the cost of f with a number of processors.
func measure(processors int, f func() error) (c Cost, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	start, used := time.Now(), cputime.Used()
	err = f()
	return Cost{time.Since(start), cputime.Used() - used}, err
}
