// Package activity reads the paths in activity ids.
package activity

import (
	"encoding/binary"
	"strconv"

	"github.com/etl2parquet/etl2parquet/schema"
)

// An EventSource gives activities ids whose bytes are a path: the numbers of the activity and of
// those around it in their process. The 16 bytes are (ActivityTracker of .NET, MIT):
//
//	0x00  12 bytes  the numbers, outermost first, as a string of nibbles
//	0x0c  u32       a checksum: the sum of the three u32 before it and pathSeed,
//	                from .NET Core on xor the process id
//
// A nibble, the high one of each byte first, is one of:
//
//	0       the end of the path
//	1-10    this number
//	11      a number follows, as by 12-15, from a list of the process: the path was too long
//	12-15   a number in the next 1-4 bytes, little-endian; if this is the high nibble of its
//	        byte, the low one has more bits, above those. A number of 9 to 12 bits in that
//	        form is followed by a byte 0
const (
	pathSeed  = 0x599d99ad
	pathBytes = 12

	lastImmediate  = 10
	overflowPrefix = 11
	firstMultiByte = 12
)

// MaxPath is the length of the longest path, in bytes.
const MaxPath = 1 + 2*pathBytes*len("/10")

// AppendPath appends the path in an activity id, such as //1/2/3, and reports whether the id has
// one, by its checksum: without a process, or with this one. A number from the process's list has a
// $ before it instead of a slash. If ok is false, nothing is appended.
func AppendPath(dst []byte, id schema.GUID, process uint32) (path []byte, ok bool) {
	le := binary.LittleEndian
	sum := le.Uint32(id[0:]) + le.Uint32(id[4:]) + le.Uint32(id[8:]) + pathSeed
	if check := le.Uint32(id[pathBytes:]); check != sum && check != sum^process {
		return dst, false
	}
	n := nibbles{bytes: id[:pathBytes]}
	path = append(dst, '/')
	for {
		separator, nibble := byte('/'), n.next()
		if nibble == overflowPrefix {
			separator, nibble = '$', n.next()
			if nibble < firstMultiByte {
				return dst, false
			}
		}
		if nibble == 0 {
			break
		}
		number := uint64(nibble)
		if nibble > lastImmediate {
			if number, ok = n.number(int(nibble-firstMultiByte) + 1); !ok {
				break // the number was cut off where the space ended
			}
		}
		path = strconv.AppendUint(append(path, separator), number, 10)
	}
	if len(path) == len(dst)+1 {
		return dst, false
	}
	return path, true
}

// nibbles reads bytes as nibbles.
type nibbles struct {
	bytes []byte
	at    int  // of the byte
	low   bool // its high half has been read
}

// next returns the next nibble, or 0 at the end.
func (n *nibbles) next() byte {
	if n.at == len(n.bytes) {
		return 0
	}
	b := n.bytes[n.at]
	if n.low {
		n.at, n.low = n.at+1, false
		return b & 0xf
	}
	n.low = true
	return b >> 4
}

// number returns the number in the next bytes; ok is false if there are fewer.
func (n *nibbles) number(size int) (number uint64, ok bool) {
	if n.low { // the other half of the byte has the highest bits
		number = uint64(n.next())
	}
	padded := number > 0 && size == 1
	if size > len(n.bytes)-n.at {
		return 0, false
	}
	for i := size - 1; i >= 0; i-- {
		number = number<<8 | uint64(n.bytes[n.at+i])
	}
	n.at += size
	if padded && n.at < len(n.bytes) && n.bytes[n.at] == 0 {
		n.at++
	}
	return number, true
}
