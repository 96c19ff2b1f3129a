package answers

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// MemoryError means that DuckDB needed more memory than [DuckDB.Bound] allows.
type MemoryError struct {
	Limit   int64 // bytes of blocks, as given to Bound
	Reserve int64 // bytes beside them
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("DuckDB needs more memory than its limit of %s, and the %s beside it for the program itself", texts.RoundSize(e.Limit), texts.RoundSize(e.Reserve))
}

// isMemory reports whether an error is that of the bound on memory.
func isMemory(err error) bool { return errors.As(err, new(*MemoryError)) }

// The memory of DuckDB's process beyond the blocks that it counts: the program, its catalog of views, the footers of
// files, and the values that threads work on. Statements over a trace of 60 MB, whose blocks reached their limit, took
// up to 100 MiB more with two threads, and 150 MiB with 16.
const (
	programReserve = 128 << 20
	threadReserve  = 8 << 20
)

// stackSize is the address space of a thread's stack.
const stackSize = 8 << 20

// memoryBound bounds the memory of DuckDB's process. The zero value bounds nothing.
type memoryBound struct {
	blocks   int64 // that DuckDB counts itself: its memory_limit
	resident int64 // of the process and its child processes, in the machine's memory
	data     int64 // that the process may ask the system for: more, because a part of it is never used
}

// Bound bounds the memory of DuckDB with a number of threads, and must precede the first statement. DuckDB's own limit
// is for its blocks: it does not count lists, texts and other values. So the system bounds the process, with a reserve
// for what statements need beside blocks: on Linux and Windows, DuckDB gets no more memory and reports that; on all
// systems but Windows the process is killed if it has more.
func (d *DuckDB) Bound(memory int64, threads int) {
	b := memoryBound{blocks: memory, resident: memory + programReserve + int64(threads)*threadReserve}
	b.data = b.resident + b.resident/2 + int64(threads+runtime.NumCPU())*stackSize // it starts with a thread per processor
	d.bound = b
}

// watchInterval is the time between two looks at the memory of a process. A thread fills 20 MiB in it.
const watchInterval = 10 * time.Millisecond

// watch watches the memory of a process.
type watch struct {
	bound  memoryBound
	isOver atomic.Bool // the process was killed because of its memory
	stop   context.CancelFunc
}

// watchMemory bounds the memory of a program that has started. The watch must be stopped when the program has ended.
func watchMemory(cmd *exec.Cmd, bound memoryBound) *watch {
	w := &watch{bound: bound, stop: func() {}}
	if bound == (memoryBound{}) {
		return w
	}
	limitData(cmd.Process.Pid, bound.data)
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background())
	go w.run(ctx, cmd)
	return w
}

// run kills the program when it has too much memory.
func (w *watch) run(ctx context.Context, cmd *exec.Cmd) {
	tick := time.NewTicker(watchInterval * slowness)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if residentSize(cmd.Process.Pid) > w.bound.resident && ctx.Err() == nil {
			w.isOver.Store(true)
			_ = cmd.Cancel()
			return
		}
	}
}

// outOfMemory matches what DuckDB says, or the C++ runtime in its place, if it gets no more memory.
var outOfMemory = texts.Pattern(`Out of Memory Error|std::bad_alloc|Cannot allocate memory`)

// errorOf returns the error of a program that has ended, given what it wrote to standard error.
func (w *watch) errorOf(message string, err error) error {
	isFull := w.isOver.Load() || err != nil && w.bound != (memoryBound{}) && outOfMemory().MatchString(message)
	if !isFull {
		return err
	}
	return &MemoryError{w.bound.blocks, w.bound.resident - w.bound.blocks}
}
