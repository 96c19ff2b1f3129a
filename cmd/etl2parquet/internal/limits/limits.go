// Package limits bounds the processors and the memory of the process.
package limits

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// gcPercent is the value of GOGC for cat and info, and for many inputs. Twice Go's default takes a few
// percent less processor time; for a thousand small traces an eighth less, and 14 MiB more.
const gcPercent = 200

// RelaxGC sets gcPercent until restore is called, unless the user has set GOGC.
func RelaxGC() (restore func()) {
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

// Set limits the processors and memory of the process until restore is called. With few inputs
// the first collection of garbage is late. That would keep the memory of thousands of small inputs high:
// with many, collections are half as frequent instead.
func Set(workers int, memory int64, few bool) (restore func()) {
	processors := runtime.GOMAXPROCS(workers)
	before := debug.SetMemoryLimit(-1)
	limit := max(memory/5*4, memory-outsideGo)
	relaxed := func() {}
	switch {
	case !few:
		relaxed = RelaxGC()
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
