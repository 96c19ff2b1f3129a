package formats

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// TestPool checks that memory has the requested size, is aligned, keeps its contents when it grows,
// and is reused.
func TestPool(t *testing.T) {
	var p Pool
	for _, size := range []int{0, 1, 63, 64, 65, 1000, 1 << 16, 1<<16 + 1, 1 << 24, 1<<24 + 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			b := p.Allocate(size)
			if len(b) != size || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%64 != 0 {
				t.Fatalf("%d bytes at %p", len(b), b)
			}
			for i := range b {
				b[i] = byte(i)
			}
			larger := p.Reallocate(2*size+1, b)
			if len(larger) != 2*size+1 || !bytes.Equal(larger[:size], b) {
				t.Error("it has grown to something else")
			}
			p.Free(larger)
			again := p.Allocate(2*size + 1)
			if same := unsafe.SliceData(again) == unsafe.SliceData(larger); same != (2*size+1 <= 1<<largestPooled && cap(larger) <= maxCached) {
				t.Errorf("it is used again: %t", same)
			}
		})
	}
}

// TestPoolHolds checks that a pool keeps a bounded amount of memory, and none from other
// allocators.
func TestPoolHolds(t *testing.T) {
	var p Pool
	var list [][]byte
	for range 40 {
		list = append(list, p.Allocate(1<<20))
	}
	for _, b := range list {
		p.Free(b)
	}
	p.Free(nil)
	p.Free(make([]byte, 100))
	if p.cached != maxCached {
		t.Errorf("%d bytes are kept, want %d", p.cached, maxCached)
	}
}

// TestDirtyPool checks that a stream has the same bytes whatever the pool's memory contains.
func TestDirtyPool(t *testing.T) {
	s := openSample(t)
	for _, table := range []string{"event_header", "Thread/CSwitch", "PerfInfo/SampleProf", "stacks", "processes", "event_types"} {
		var clean, again bytes.Buffer
		dirty := new(Pool)
		for size := 64; size <= 1<<18; size *= 2 {
			for range 8 {
				dirty.Free(bytes.Repeat([]byte{0xff}, size))
			}
		}
		for _, o := range []struct {
			to *bytes.Buffer
			m  memory.Allocator
		}{{&clean, memory.DefaultAllocator}, {&again, dirty}} {
			if _, err := write(t, s, table, o.to, Arrow, 0, Options{Allocator: o.m}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(clean.Bytes(), again.Bytes()) {
			t.Errorf("%s: %d bytes of other contents than %d bytes", table, again.Len(), clean.Len())
		}
	}
}
