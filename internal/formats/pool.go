package formats

import (
	"math/bits"
	"sync"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Pool is an allocator for record batches that uses memory again: batches follow one another,
// and each takes about what the one before took. It does not clear the memory, as writers of
// Arrow streams expect of theirs.
type Pool struct {
	mu   sync.Mutex
	free [largestPooled + 1][][]byte // by the logarithm of their size
	held int                         // bytes in free
}

var _ memory.Allocator = (*Pool)(nil)

// Memory of a pool has a power of two of bytes. The logarithms of the smallest, to which Arrow
// aligns memory, and of the largest that is kept, and the bytes that are kept at most:
const (
	smallestPooled = 6
	largestPooled  = 24
	mostHeld       = 16 << 20
)

// Allocate returns memory, with the contents that it had before.
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
	p.held -= cap(b)
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

// Free gives memory back.
func (p *Pool) Free(b []byte) {
	class := bits.Len(uint(cap(b))) - 1
	if class < smallestPooled || class > largestPooled || cap(b) != 1<<class {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held+cap(b) > mostHeld {
		return
	}
	p.held += cap(b)
	p.free[class] = append(p.free[class], b)
}
