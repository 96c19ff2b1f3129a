package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
)

// Inputs that no query uses stay open for a while: often the next query reads the same file, and
// indexing it again takes most of the time of a short query. They take at most about idleBytes of
// memory, all together; beyond that, the input that was used longest ago is closed.
const (
	idleBytes = 256 << 20
	idleTime  = time.Minute
)

// inputKey identifies an open input. A file that has changed is another input.
type inputKey struct {
	path     string
	size     int64
	modified int64
	siblings string
	beside   string
	options  string
}

// cache has the open inputs.
type cache struct {
	mu     sync.Mutex
	inputs map[inputKey]*held
	expiry *time.Timer // of the idle inputs; nil if there are none
}

var openInputs = cache{inputs: make(map[inputKey]*held)}

// hold returns the traces of an input for a user, who must release them.
func (c *cache) hold(key inputKey, f *input, d *descriptions) (*held, error) {
	c.mu.Lock()
	h := c.inputs[key]
	first := h == nil
	if first {
		h = &held{key: key, opened: make(chan struct{})}
		c.inputs[key] = h
	}
	h.users++
	c.limitMemory()
	c.mu.Unlock()
	if first {
		h.err = goroutine.Guard(func() error { return h.open(f, d) })
		close(h.opened)
	} else {
		<-h.opened
	}
	if h.err != nil {
		c.release(h)
		return nil, h.err
	}
	return h, nil
}

// share adds a user to an input that already has one.
func (c *cache) share(h *held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.users++
}

// release removes a user of an input. An input that could not be opened is opened again the next time,
// and so is one that has changed.
func (c *cache) release(h *held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.users--; h.users > 0 {
		return
	}
	h.since = time.Now()
	if h.err != nil || h.changed() {
		c.drop(h)
		return
	}
	h.rest()
	idle := c.idle()
	slices.SortFunc(idle, func(a, b *held) int { return a.since.Compare(b.since) })
	bytes := int64(0)
	for _, h := range idle {
		bytes += h.bytes
	}
	for len(idle) > 0 && bytes > idleBytes {
		bytes -= idle[0].bytes
		c.drop(idle[0])
		idle = idle[1:]
	}
	if c.expiry == nil {
		c.expiry = time.AfterFunc(idleTime, c.expire)
	}
}

func (c *cache) idle() (list []*held) {
	for _, h := range c.inputs {
		if h.users == 0 {
			list = append(list, h)
		}
	}
	return list
}

// expire closes the inputs that have been idle for too long.
func (c *cache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expiry = nil
	wait, more := idleTime, false
	for _, h := range c.idle() {
		if left := idleTime - time.Since(h.since); left <= 0 {
			c.drop(h)
		} else {
			wait, more = min(wait, left), true
		}
	}
	if more {
		c.expiry = time.AfterFunc(wait, c.expire)
	}
}

// drop closes an input without users.
func (c *cache) drop(h *held) {
	delete(c.inputs, h.key)
	h.close()
}

// memoryPerProcessor is the memory of queries for each processor, without the indexes of open inputs.
const memoryPerProcessor = 128 << 20

// limitMemory makes Go collect garbage before its memory exceeds what queries may take. The memory of
// the program that has loaded the extension does not count.
func (c *cache) limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(runtime.GOMAXPROCS(0))*memoryPerProcessor + c.openBytes())
	}
}

// openBytes returns the memory of the open inputs.
func (c *cache) openBytes() (bytes int64) {
	for _, h := range c.inputs {
		select {
		case <-h.opened:
			bytes += h.bytes
		default: // being opened
		}
	}
	return bytes
}

// size returns the number of open inputs, and their memory.
func (c *cache) size() (n int, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.inputs), c.openBytes()
}

// hasRoom reports whether the open inputs take less memory than idle ones may.
func (c *cache) hasRoom() bool {
	_, bytes := c.size()
	return bytes <= idleBytes
}
