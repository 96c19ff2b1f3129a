package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/crash"
)

// Traces that no query uses stay open for a while: often the next query reads the same file, and
// indexing it again takes most of the time of a short query.
const (
	maxIdle  = 8
	idleTime = time.Minute
)

// traceKey identifies an open trace. A file that has changed is another trace.
type traceKey struct {
	path     string
	size     int64
	modified int64
	siblings string
	options  string
}

// held is an open trace that queries share.
type held struct {
	*etl2parquet.Trace
	file    *countedFile
	symbols *etl2parquet.Symbols

	key    traceKey
	opened chan struct{} // closed when trace or err is set
	err    error
	users  int
	since  time.Time // when the last user released it
}

// cache has the open traces.
type cache struct {
	mu     sync.Mutex
	traces map[traceKey]*held
	expiry *time.Timer // of the idle traces; nil if there are none
}

var traces = cache{traces: make(map[traceKey]*held)}

// hold returns a trace for a user, who must release it.
func (c *cache) hold(key traceKey, siblings []string, d *descriptions) (*held, error) {
	c.mu.Lock()
	h := c.traces[key]
	first := h == nil
	if first {
		h = &held{key: key, opened: make(chan struct{})}
		c.traces[key] = h
	}
	h.users++
	c.mu.Unlock()
	if first {
		h.err = crash.Guard(func() error { return h.open(siblings, d) })
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

// share adds a user to a trace that already has one.
func (c *cache) share(h *held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.users++
}

// release removes a user of a trace. A trace that could not be opened is opened again the next time.
func (c *cache) release(h *held) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.users--; h.users > 0 {
		return
	}
	h.since = time.Now()
	if h.err != nil {
		c.drop(h)
		return
	}
	for idle := c.idle(); len(idle) > maxIdle; idle = c.idle() {
		oldest := idle[0]
		for _, other := range idle {
			if other.since.Before(oldest.since) {
				oldest = other
			}
		}
		c.drop(oldest)
	}
	if c.expiry == nil {
		c.expiry = time.AfterFunc(idleTime, c.expire)
	}
}

func (c *cache) idle() (list []*held) {
	for _, h := range c.traces {
		if h.users == 0 {
			list = append(list, h)
		}
	}
	return list
}

// expire closes the traces that have been idle for too long.
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

// drop closes a trace without users.
func (c *cache) drop(h *held) {
	delete(c.traces, h.key)
	h.close()
}

func (c *cache) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.traces)
}

// indexMemory bounds the memory of the index pass of a trace.
const indexMemory = 256 << 20

// open reads the trace once. After an error, close must still be called.
func (h *held) open(siblings []string, d *descriptions) error {
	o, err := d.options()
	if err != nil {
		return err
	}
	o.Siblings, o.Memory = siblings, indexMemory
	if len(d.symbols) > 0 {
		if o.Symbols, err = openSymbols(d.symbols); err != nil {
			return fmt.Errorf("%s: %w", symbolsParameter, err)
		}
		h.symbols = o.Symbols
	}
	file, err := os.Open(h.key.path)
	if err == nil {
		h.file = &countedFile{file: file}
		h.Trace, err = etl2parquet.OpenReader(context.Background(), h.file, h.key.size, h.key.path, o)
	}
	return err
}

// close closes the trace, its symbols and its file. They were only read, so errors do not matter.
func (h *held) close() {
	if h.Trace != nil {
		h.Trace.Close()
	}
	if h.file != nil {
		h.file.file.Close()
	}
	h.symbols.Close()
}

// openSymbols opens the symbols at some paths. A path that cannot be used is an error, because a
// query cannot report warnings.
func openSymbols(paths []string) (*etl2parquet.Symbols, error) {
	first := make(chan string, 1)
	o := etl2parquet.SymbolOptions{Paths: paths, OnNote: func(text string) {
		select {
		case first <- text:
		default:
		}
	}}
	if folder, err := os.UserCacheDir(); err == nil {
		o.Cache = filepath.Join(folder, "etl2parquet", "symbols")
	}
	symbols, err := etl2parquet.OpenSymbols(context.Background(), o)
	select {
	case text := <-first:
		return nil, errors.Join(errors.New(text), err, symbols.Close())
	default:
		return symbols, err
	}
}

// Counts since the extension was loaded: calls that read files, and the bytes read. Each buffer of a
// trace is read by one call.
var fileReads, fileBytes atomic.Int64

// countedFile is a file that counts reads and bytes.
type countedFile struct{ file *os.File }

var _ io.ReaderAt = (*countedFile)(nil)

func (f *countedFile) ReadAt(p []byte, offset int64) (int, error) {
	n, err := f.file.ReadAt(p, offset)
	fileReads.Add(1)
	fileBytes.Add(int64(n))
	return n, err
}
