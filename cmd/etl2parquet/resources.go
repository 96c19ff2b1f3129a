package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/etl2parquet/etl2parquet/internal/bytesize"
)

// leastMemory is enough for a slab and its row groups, whatever the trace.
const leastMemory = 128 << 20

// mostWorkers is far beyond any machine, and no burden yet.
const mostWorkers = 1024

// checkResources checks the flags for processors and memory.
func checkResources(workers int, memory bytesize.Size) error {
	switch {
	case workers < 1 || workers > mostWorkers:
		return usagef("--workers %d: there must be 1 to %d", workers, mostWorkers)
	case memory < leastMemory:
		return usagef("--memory %s: it must be %s or more", memory.String(), bytesize.Exact(leastMemory))
	}
	return nil
}

// collectPercent is how much the heap of cat and info may grow before garbage is collected, in
// percent of what is in use. Twice Go's default takes a few percent less processor time. It is
// not for convert, which keeps the memory of thousands of small traces low.
const collectPercent = 200

// collectLess sets collectPercent until restore, unless the user has set GOGC.
func collectLess() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(collectPercent)
	return func() { debug.SetGCPercent(before) }
}

// limit holds the process to a number of processors and an amount of memory, until
// restore.
func limit(workers int, memory bytesize.Size) (restore func()) {
	processors := runtime.GOMAXPROCS(workers)
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, int64(memory)/5*4)) // what is not the Go heap needs some too
	return func() {
		runtime.GOMAXPROCS(processors)
		debug.SetMemoryLimit(before)
	}
}
