package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// minMemory is enough for a slab and its row groups, whatever the trace.
const minMemory = 128 << 20

// maxWorkers exceeds any machine and is still cheap.
const maxWorkers = 1024

// resourceFlags are the flags for processors and memory.
type resourceFlags struct {
	workers int
	memory  bytesize.Size
	isAdded bool // the command has flags for them
}

// byWorkers means that --memory was not given: the memory depends on the workers.
const byWorkers = -1

// flags returns the flags, with the defaults.
func (f *resourceFlags) flags() []option {
	f.workers = runtime.GOMAXPROCS(0)
	return append([]option{{flag: "workers", value: &f.workers, usage: "processors to use"}}, f.memoryFlags()...)
}

// memoryFlags returns the flags of a command that itself sets the workers.
func (f *resourceFlags) memoryFlags() []option {
	f.memory, f.isAdded = byWorkers, true
	return []option{{
		flag: "memory", value: &f.memory, usage: "memory limit to aim at, at least 128MiB",
		shown:    bytesize.Exact(pipeline.DefaultMemory) + ", more with more than four workers",
		complete: completeWords("256MiB", "512MiB", "1GiB", "2GiB", "4GiB"),
	}}
}

// resolve checks the flags, bounds the workers, and sets the memory if it was not given.
// More workers than processors would only slow each other down and take memory: with 16
// workers on two processors, a conversion cost twice as much.
func (f *resourceFlags) resolve() error {
	if err := checkWorkers(f.workers); err != nil {
		return err
	}
	f.workers = min(f.workers, runtime.GOMAXPROCS(0))
	if f.memory == byWorkers {
		f.memory = bytesize.Size(pipeline.DefaultMemoryOf(f.workers))
	}
	if f.memory < minMemory {
		return usagef("--memory %s: it must be %s or more", f.memory.String(), bytesize.Exact(minMemory))
	}
	return nil
}

// gcPercent is the value of GOGC for cat and info. Twice Go's default takes a few percent less
// processor time. convert does not use it, to keep the memory of thousands of small traces low.
const gcPercent = 200

// relaxGC sets gcPercent until restore is called, unless the user has set GOGC.
func relaxGC() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(gcPercent)
	return func() { debug.SetGCPercent(before) }
}

func checkWorkers(n int) error {
	if n < 1 || n > maxWorkers {
		return usagef("--workers %d: there must be 1 to %d", n, maxWorkers)
	}
	return nil
}

// outsideGo is the memory of the process that Go's limit does not count, mostly the program
// itself. If the limit is small, it is at most a fifth, because little of the program is then in
// use.
const outsideGo = 48 << 20

// reserve is never touched, so it takes no memory of the machine. But Go counts it as a part of the
// heap and collects garbage only when the heap has doubled; small traces are done before. Without
// it, a quarter of the time of a small conversion was garbage collection.
var reserve = sync.OnceValue(func() []byte { return make([]byte, reserveSize) })

const reserveSize = 16 << 20

// limit limits the processors and memory of the process until restore is called. With few inputs
// garbage is collected later; with thousands of small inputs memory must stay low.
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
