package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/pflag"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// leastMemory is enough for a slab and its row groups, whatever the trace.
const leastMemory = 128 << 20

// mostWorkers is far beyond any machine, and no burden yet.
const mostWorkers = 1024

// resourceFlags are the flags for processors and memory.
type resourceFlags struct {
	workers int
	memory  bytesize.Size
}

// byWorkers is the memory of a flag that was not given.
const byWorkers = -1

func (f *resourceFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "processors to use")
	f.addMemory(flags)
}

func (f *resourceFlags) addMemory(flags *pflag.FlagSet) {
	f.memory = byWorkers
	flags.Var(&f.memory, "memory", "memory limit to aim at, at least 128MiB")
	flags.Lookup("memory").DefValue = bytesize.Exact(pipeline.DefaultMemory) + ", more with more than four workers"
}

// resolve checks the flags, bounds the workers, and sets the memory if it was not given.
// Workers beyond the processors that there are would only get in each other's way and take
// memory: with 16 of them on two processors, a conversion cost twice as much.
func (f *resourceFlags) resolve() error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	f.workers = min(f.workers, runtime.GOMAXPROCS(0))
	if f.memory == byWorkers {
		f.memory = bytesize.Size(pipeline.DefaultMemoryOf(f.workers))
	}
	if f.memory < leastMemory {
		return usagef("--memory %s: it must be %s or more", f.memory.String(), bytesize.Exact(leastMemory))
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

func checkWorkers(n int) error {
	if n < 1 || n > mostWorkers {
		return usagef("--workers %d: there must be 1 to %d", n, mostWorkers)
	}
	return nil
}

// outsideGo is the memory of the process that Go's limit does not count, mostly the program
// itself. Of little memory it is at most a fifth, as little of the program is in use.
const outsideGo = 48 << 20

// reserve is memory that is never touched, and so takes none of the machine's. But Go takes it for
// a part of the heap, and collects garbage when the heap has doubled: most traces are small, and
// are done before. Without it a quarter of the time of a small conversion was garbage collection.
var reserve = sync.OnceValue(func() []byte { return make([]byte, reserveSize) })

const reserveSize = 16 << 20

// limit holds the process to a number of processors and an amount of memory, until restore. With
// few inputs garbage is collected later: the memory of thousands of small ones is to stay low.
func (f *resourceFlags) limit(few bool) (restore func()) {
	processors := runtime.GOMAXPROCS(f.workers)
	before := debug.SetMemoryLimit(-1)
	memory := int64(f.memory)
	limit := max(memory/5*4, memory-outsideGo)
	if few && os.Getenv("GOGC") == "" {
		limit += int64(len(reserve()))
	}
	debug.SetMemoryLimit(min(before, limit))
	return func() {
		runtime.GOMAXPROCS(processors)
		debug.SetMemoryLimit(before)
	}
}
