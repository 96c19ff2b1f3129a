package formats

import (
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Pool is an allocator for record batches that reuses memory: successive batches take about the
// same amount. It does not clear the memory, although writers of Arrow streams expect cleared
// memory.
type Pool struct {
	mu     sync.Mutex
	free   [largestPooled + 1][][]byte // by the logarithm of the size
	cached int                         // bytes in free
}

var _ memory.Allocator = (*Pool)(nil)

// The memory in a pool is a power of two of bytes. These are the logarithms of the smallest size,
// to which Arrow aligns memory, and of the largest size that is kept, and the limit on bytes that
// are kept:
const (
	smallestPooled = 6
	largestPooled  = 24
	maxCached      = 16 << 20
)

// Allocate returns memory with undefined contents.
func (p *Pool) Allocate(size int) []byte {
	class := max(bits.Len(uint(max(size, 1)-1)), smallestPooled)
	if class > largestPooled {
		return make([]byte, size)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list := p.free[class]
	if len(list) == 0 {
		return make([]byte, 1<<class)[:size]
	}
	b := list[len(list)-1]
	p.free[class] = list[:len(list)-1]
	p.cached -= cap(b)
	return b[:size]
}

// Reallocate returns memory of another size with the contents of b, which it frees.
func (p *Pool) Reallocate(size int, b []byte) []byte {
	if size <= cap(b) {
		return b[:size]
	}
	larger := p.Allocate(size)
	copy(larger, b)
	p.Free(b)
	return larger
}

// Free returns memory to the pool.
func (p *Pool) Free(b []byte) {
	class := bits.Len(uint(cap(b))) - 1
	if class < smallestPooled || class > largestPooled || cap(b) != 1<<class {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cached+cap(b) > maxCached {
		return
	}
	p.cached += cap(b)
	p.free[class] = append(p.free[class], b)
}
