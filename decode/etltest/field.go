package etltest

import (
	"encoding/binary"
	"fmt"
	"sort"
)

// Fields replaces header fields, after everything else has been computed, by
// values that need not make sense. The names are from the header tables,
// such as "size" or "savedoffset". A name unknown to the header is an error, and
// so is a value that does not fit. Negative values are in two's complement.
type Fields map[string]uint64

// place is where a field lies in its header.
type place struct {
	off  int // bytes from the start of the header
	size int // 1, 2, 4 or 8
}

// set writes the fields into header, each at its place.
func (f Fields) set(header []byte, find func(name string) (place, bool)) error {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p, ok := find(name)
		if !ok {
			return fmt.Errorf("no field %q here", name)
		}
		v := f[name]
		if high := v >> (8*p.size - 1) >> 1; p.size < 8 && high != 0 && int64(v)>>(8*p.size-1) != -1 {
			return fmt.Errorf("field %s: %#x does not fit in %d bytes", name, v, p.size)
		}
		put(header[p.off:], p.size, v)
	}
	return nil
}

// Patch replaces bytes of a finished event or buffer.
type Patch struct {
	Offset int
	Bytes  []byte
}

func patch(dst []byte, patches []Patch) error {
	for _, p := range patches {
		if p.Offset < 0 || p.Offset > len(dst) || len(p.Bytes) > len(dst)-p.Offset {
			return fmt.Errorf("patch at %#x: outside the %#x bytes", p.Offset, len(dst))
		}
		copy(dst[p.Offset:], p.Bytes)
	}
	return nil
}

// put writes v in little endian order in size bytes.
func put(dst []byte, size int, v uint64) {
	switch size {
	case 1:
		dst[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(dst, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(dst, uint32(v))
	case 8:
		binary.LittleEndian.PutUint64(dst, v)
	default:
		panic("etltest: field of no known size")
	}
}

// zeros appends n zero bytes.
func zeros(dst []byte, n int) []byte { return append(dst, make([]byte, n)...) }

// fill appends bytes up to a length.
func fill(dst []byte, length int, with byte) []byte {
	n := len(dst)
	if n >= length {
		return dst
	}
	dst = zeros(dst, length-n)
	for i := n; with != 0 && i < length; i++ {
		dst[i] = with
	}
	return dst
}

// align8 rounds up to a multiple of 8.
func align8(n int) int { return (n + 7) &^ 7 }
