package pdb

import "sync"

// cacheWeight bounds the bytes that a cache keeps, apart from the entry added last.
const cacheWeight = 8 << 20

// cache holds what was read from modules. When it is full, it is emptied: modules are quick to read
// again, and stacks refer to few of them.
type cache[T interface{ weight() int }] struct {
	mu      sync.Mutex
	entries map[int]T
	total   int
}

// get returns the cached value of a module, or reads it. Several goroutines may read the same
// module at once; all of them get equal values.
func (c *cache[T]) get(module int, read func(module int) T) T {
	c.mu.Lock()
	found, ok := c.entries[module]
	c.mu.Unlock()
	if ok {
		return found
	}
	found = read(module)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || c.total > cacheWeight {
		c.entries, c.total = make(map[int]T), 0
	}
	if _, ok := c.entries[module]; !ok {
		c.total += found.weight()
	}
	c.entries[module] = found
	return found
}
