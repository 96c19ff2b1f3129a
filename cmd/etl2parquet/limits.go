package main

import "github.com/etl2parquet/etl2parquet/cmd/etl2parquet/internal/limits"

// limit limits the processors and memory of the process until restore is called. With few inputs
// garbage is collected later; with thousands of small inputs memory must stay low.
func (f *resourceFlags) limit(memory int64, few bool) (restore func()) {
	return limits.Set(f.workers, memory, few)
}

// relaxGC lets the heap of cat and info grow further until restore is called.
func relaxGC() (restore func()) { return limits.RelaxGC() }

// maxWorkers exceeds any machine and is still cheap.
const maxWorkers = 1024

func checkWorkers(n int) error {
	if n < 1 || n > maxWorkers {
		return usagef("--workers %d: it must be 1 to %d", n, maxWorkers)
	}
	return nil
}
