package recordbatch

import (
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
)

// share returns a buffer of memory of the batch.
func (a *arrays) share(p []byte) *memory.Buffer {
	if len(p) == 0 {
		return memory.NewBufferBytes(nil)
	}
	a.lease.retain()
	return memory.NewBufferWithAllocator(p, a.lease)
}

// allocate returns a buffer that the caller fills in.
func (a *arrays) allocate(size int) *memory.Buffer {
	return memory.NewBufferWithAllocator(a.memory.Allocate(size), a.memory)
}

// zeros returns a buffer of zeros, because some allocators do not clear memory.
func (a *arrays) zeros(size int) *memory.Buffer {
	b := a.allocate(size)
	clear(b.Bytes())
	return b
}

func (a *arrays) bitmap(length int) *memory.Buffer {
	return a.zeros(int(bitutil.BytesForBits(int64(length))))
}

// validity returns a bitmap of the slots that have a value, or nil if all have.
func (a *arrays) validity(at place) *memory.Buffer {
	if at.nulls() == 0 {
		return nil
	}
	b := a.bitmap(at.length)
	bits := b.Bytes()
	for _, slot := range at.slots {
		bits[slot/8] |= 1 << (slot % 8)
	}
	return b
}

// bools returns a bitmap of values in their slots.
func (a *arrays) bools(values []bool, at place) *memory.Buffer {
	b := a.bitmap(at.length)
	bits := b.Bytes()
	if at.full {
		for slot, value := range values {
			bits[slot/8] |= byte(one(value)) << (slot % 8)
		}
		return b
	}
	for i, slot := range at.slots {
		bits[slot/8] |= byte(one(values[i])) << (slot % 8)
	}
	return b
}

// fixed returns a buffer of values in their slots, with zeros in the others.
func fixed[T int32 | int64 | float32 | float64](a *arrays, values []T, at place) *memory.Buffer {
	if at.full {
		return a.share(arrow.GetBytes(values))
	}
	b := a.zeros(at.length * int(unsafe.Sizeof(T(0))))
	room := arrow.GetData[T](b.Bytes())
	for i, slot := range at.slots {
		room[slot] = values[i]
	}
	return b
}

// offsetSize is the size of an offset, in bytes.
const offsetSize = 4

// offsets returns the start of each slot's value, and the end of the last one. An empty slot begins
// where it ends.
func (a *arrays) offsets(ends []uint32, at place) *memory.Buffer {
	b := a.allocate(offsetSize * (at.length + 1))
	offsets := arrow.GetData[uint32](b.Bytes())
	if at.full {
		offsets[0] = 0
		copy(offsets[1:], ends)
		return b
	}
	clear(offsets)
	lengths := offsets[1:] // first
	end := uint32(0)
	for i, slot := range at.slots {
		lengths[slot] = ends[i] - end
		end = ends[i]
	}
	end = 0
	for slot, length := range lengths {
		end += length
		lengths[slot] = end
	}
	return b
}

// coded returns the offsets and the bytes of values given by codes. Often a value equals that of
// the row before, so a run of one value is copied at a time.
func (a *arrays) coded(codes []uint32, at place) (offsets, bytes *memory.Buffer) {
	var end uint32
	if at.full {
		offsets = a.allocate(offsetSize * (at.length + 1))
		ends := arrow.GetData[uint32](offsets.Bytes())
		ends[0] = 0
		end = a.endsOf(codes, ends[1:])
	} else {
		height := len(a.stack)
		end = a.endsOf(codes, columns.More(&a.stack, len(codes)))
		offsets = a.offsets(a.stack[height:], at)
		a.stack = a.stack[:height]
	}
	bytes = a.allocate(int(end))
	for rest, room := codes, bytes.Bytes(); len(rest) > 0; {
		n := run(rest)
		room = room[repeat(room, a.texts.At(rest[0]), n):]
		rest = rest[n:]
	}
	return offsets, bytes
}

// endsOf sets ends to the end of each value given by its code, and returns the last.
func (a *arrays) endsOf(codes, ends []uint32) (end uint32) {
	for len(codes) > 0 {
		n, size := run(codes), uint32(len(a.texts.At(codes[0])))
		for i := range ends[:n] {
			end += size
			ends[i] = end
		}
		codes, ends = codes[n:], ends[n:]
	}
	return end
}

// run returns the number of equal codes at the start.
func run(codes []uint32) int {
	for n, code := range codes {
		if code != codes[0] {
			return n
		}
	}
	return len(codes)
}

// maxRepeated bounds what repeat copies at a time, so that the source stays in the first-level
// cache.
const maxRepeated = 8 << 10

// repeat copies a text n times, and returns the number of bytes.
func repeat(room, text []byte, n int) int {
	size, done := n*len(text), copy(room, text)
	for done < size {
		whole := max(maxRepeated/len(text), 1) * len(text)
		done += copy(room[done:size], room[:min(done, whole)])
	}
	return size
}
