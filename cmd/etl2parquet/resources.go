package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/shirou/gopsutil/v4/mem"

	"github.com/etl2parquet/etl2parquet/internal/answers"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
)

// minMemory is enough for a slab and its row groups, whatever the trace.
const minMemory = 128 << 20

// resourceFlags are the flags for processors and memory.
type resourceFlags struct {
	workers int
	memory  texts.Size
	isAdded bool // the command has flags for them
}

// byMachine means that --memory was not given: the memory depends on the machine and the workers.
const byMachine = -1

// flags returns the flags, with the defaults.
func (f *resourceFlags) flags() []option {
	f.workers, f.memory, f.isAdded = runtime.GOMAXPROCS(0), byMachine, true
	return []option{{flag: "workers", value: &f.workers, within: &span{1, maxWorkers}, usage: "processors to use"}, {
		flag: "memory", value: &f.memory, within: atLeast(minMemory), usage: "memory limit to aim at, at least 128MiB",
		shown:    "a quarter of the free memory, " + texts.ExactSize(pipeline.DefaultMemory) + " to " + texts.ExactSize(pipeline.MaxDefaultMemory) + ", more with more than four workers",
		complete: completeWords("256MiB", "512MiB", "1GiB", "2GiB", "4GiB"),
	}}
}

// resolve bounds the workers, and returns the memory that was given, or 0. More workers than processors would
// only slow each other down and take memory: with 16 workers on two processors, a conversion cost twice as
// much.
func (f *resourceFlags) resolve() (given int64) {
	f.workers = min(f.workers, runtime.GOMAXPROCS(0))
	return max(int64(f.memory), 0)
}

// smallInputs is the size of inputs up to which the memory is the least default: they fit many times over,
// even if they are compressed, and asking the system took a fiftieth of the smallest conversion.
const smallInputs = 4 << 20

// memoryFor returns the memory limit for these inputs, or for unknown ones if in is nil.
func (f *resourceFlags) memoryFor(in *inputs.List) int64 {
	switch {
	case f.memory != byMachine:
		return int64(f.memory)
	case in != nil && in.IsSized() && in.Size() <= smallInputs:
		return pipeline.DefaultMemoryOf(f.workers, 0)
	}
	return pipeline.DefaultMemoryOf(f.workers, freeMemory())
}

// bound bounds DuckDB's memory if the user gives a limit, or always.
func (f *resourceFlags) bound(duckdb *answers.DuckDB, always bool) {
	if always || f.memory != byMachine {
		duckdb.Bound(f.memoryFor(nil), f.workers)
	}
}

// maxWorkers exceeds any machine and is still cheap.
const maxWorkers = 1024

// freeMemory returns the bytes that programs can get without swapping, at most the limit of the process's
// control group on Linux. It returns 0 if the system does not say.
func freeMemory() int64 {
	machine, err := mem.VirtualMemory()
	if err != nil {
		return 0
	}
	available := machine.Available
	if limit, err := memlimit.FromCgroup(); err == nil {
		available = min(available, limit)
	}
	return int64(min(available, math.MaxInt64))
}

// gcPercent is the value of GOGC for cat and info, and for many inputs. Twice Go's default takes a few
// percent less processor time; for a thousand small traces an eighth less, and 14 MiB more.
const gcPercent = 200

// relaxGC lets the heap of cat and info grow further: it sets gcPercent until restore is called, unless the user has set GOGC.
func relaxGC() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(gcPercent)
	return func() { debug.SetGCPercent(before) }
}

// outsideGo is the memory of the process that Go's limit does not count, mostly the program
// itself. If the limit is small, it is at most a fifth, because little of the program is then in
// use.
const outsideGo = 48 << 20

// reserve is never touched, so it takes no memory of the machine. But Go counts it as a part of the
// heap and collects garbage only when the heap has doubled. Without it, a quarter of the time of a
// small conversion was garbage collection.
var reserve = sync.OnceValue(func() []byte {
	collectLater()
	return make([]byte, reserveSize)
})

const reserveSize = 16 << 20

// firstPercent is the value of GOGC until the first collection. With it, Go collects when the heap has
// 48 MiB, of which a third is the reserve: small traces are done before. Go's own start, 4 MiB, is less
// than the reserve; a collection at once reads all variables of the program, and took a tenth of the
// time of the smallest conversion.
const firstPercent = 1200

// collectLater postpones the first collection. When it is over, Go's own rule holds.
func collectLater() {
	before := debug.SetGCPercent(firstPercent)
	first := new(*int) // not so small that it would share its memory with others
	runtime.SetFinalizer(first, func(**int) { debug.SetGCPercent(before) })
}

// limit limits the processors and memory of the process until restore is called. With few inputs
// the first collection of garbage is late. That would keep the memory of thousands of small inputs high:
// with many, collections are half as frequent instead.
func (f *resourceFlags) limit(memory int64, few bool) (restore func()) {
	processors := runtime.GOMAXPROCS(f.workers)
	before := debug.SetMemoryLimit(-1)
	limit := max(memory/5*4, memory-outsideGo)
	relaxed := func() {}
	switch {
	case !few:
		relaxed = relaxGC()
	case os.Getenv("GOGC") == "":
		limit += int64(len(reserve()))
	}
	debug.SetMemoryLimit(min(before, limit))
	return func() {
		relaxed()
		runtime.GOMAXPROCS(processors)
		debug.SetMemoryLimit(before)
	}
}
