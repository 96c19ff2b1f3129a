package main

import (
	"runtime"

	"github.com/etl2parquet/etl2parquet/internal/base/freememory"
	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
)

// minMemory is enough for a slab and its row groups, whatever the trace.
const minMemory = 128 << 20

// resourceFlags are the flags for processors and memory.
type resourceFlags struct {
	workers int
	memory  bytesize.Size
	isAdded bool // the command has flags for them

	isOfMachine bool // the memory was not given
}

// byMachine means that --memory was not given: the memory depends on the machine and the workers.
const byMachine = -1

// flags returns the flags, with the defaults.
func (f *resourceFlags) flags() []option {
	f.workers = runtime.GOMAXPROCS(0)
	return append([]option{{flag: "workers", value: &f.workers, within: &span{1, maxWorkers}, usage: "processors to use"}}, f.memoryFlags()...)
}

// memoryFlags returns the flags of a command that itself sets the workers.
func (f *resourceFlags) memoryFlags() []option {
	f.memory, f.isAdded = byMachine, true
	return []option{{
		flag: "memory", value: &f.memory, within: atLeast(minMemory), usage: "memory limit to aim at, at least 128MiB",
		shown:    "a quarter of the free memory, " + bytesize.Exact(pipeline.DefaultMemory) + " to " + bytesize.Exact(pipeline.MaxDefaultMemory) + ", more with more than four workers",
		complete: completeWords("256MiB", "512MiB", "1GiB", "2GiB", "4GiB"),
	}}
}

// resolve bounds the workers, and sets the memory if it was not given. It returns the memory that was, also
// when it is called again. More workers than processors would only slow each other down and take memory:
// with 16 workers on two processors, a conversion cost twice as much.
func (f *resourceFlags) resolve() (given int64) {
	f.workers = min(f.workers, runtime.GOMAXPROCS(0))
	if f.memory == byMachine {
		f.memory = bytesize.Size(pipeline.DefaultMemoryOf(f.workers, freememory.Bytes()))
		f.isOfMachine = true
	}
	if f.isOfMachine {
		return 0
	}
	return int64(f.memory)
}
