package parquet

import (
	"encoding/binary"
	"math/bits"
)

// Runs of equal values that are worth a run of their own.
const (
	groupSize  = 8  // values of a group: runs of packed values are whole groups
	narrowRun  = 8  // of one or two bits
	wideRun    = 16 // of more bits: runs cut repeats that zstd finds
	narrowBits = 2
)

// appendIndices appends indices of a dictionary with a number of entries, preceded by their width,
// for a page that will be compressed.
func appendIndices(dst []byte, indices []int32, entries int) []byte {
	width := indexWidth(entries)
	return appendRuns(append(dst, byte(width)), indices, width)
}

// indexWidth returns the width of indices of a dictionary: wider than needed, so that equal
// sequences of indices are equal bytes. zstd finds their repeats, and stores frequent bytes in few
// bits.
func indexWidth(entries int) int {
	switch width := bits.Len(uint(max(entries, 1) - 1)); {
	case width <= narrowBits:
		return width
	case width <= 4:
		return 4
	default:
		return (width + 7) / 8 * 8
	}
}

// appendRuns appends values in the hybrid of runs and packed groups that is used for levels and for
// indices of dictionaries. All values must fit in the width.
func appendRuns[T byte | int32](dst []byte, values []T, width int) []byte {
	least := wideRun
	if width <= narrowBits {
		least = narrowRun
	}
	packed := 0 // start of the values not yet appended
	for i := 0; i+least <= len(values); {
		n := 0
		if v := values[i]; v == values[i+groupSize/2] && v == values[i+groupSize-1] { // few groups are beginnings of runs
			n = runLength(values[i:])
		}
		if n < least {
			i += groupSize
			continue
		}
		dst = appendGroups(dst, values[packed:i], width)
		dst = binary.AppendUvarint(dst, uint64(n)<<1)
		for v, bits := uint32(values[i]), width; bits > 0; bits -= 8 {
			dst = append(dst, byte(v))
			v >>= 8
		}
		i += n
		packed = i
	}
	return appendGroups(dst, values[packed:], width)
}

// runLength returns the number of equal values at the start.
func runLength[T byte | int32](values []T) int {
	first, n := values[0], 0
	for ; n+groupSize <= len(values); n += groupSize {
		v := values[n : n+groupSize : n+groupSize]
		if (v[0]^first)|(v[1]^first)|(v[2]^first)|(v[3]^first)|(v[4]^first)|(v[5]^first)|(v[6]^first)|(v[7]^first) != 0 {
			break
		}
	}
	for n < len(values) && values[n] == first {
		n++
	}
	return n
}

// appendGroups appends a run of packed values, whose last group is filled with zeros.
func appendGroups[T byte | int32](dst []byte, values []T, width int) []byte {
	if len(values) == 0 {
		return dst
	}
	groups := (len(values) + groupSize - 1) / groupSize
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	at := len(dst)
	end := at + groups*width
	if width >= 8 {
		dst = appendLow(dst, values, width/8)
		return append(dst, make([]byte, end-len(dst))...)
	}
	dst = grow(dst, end+packedSlack)
	if width == 1 { // shifts by constants take half the time
		for ; len(values) >= groupSize; values = values[groupSize:] {
			dst[at] = byte(values[0]) | byte(values[1])<<1 | byte(values[2])<<2 | byte(values[3])<<3 |
				byte(values[4])<<4 | byte(values[5])<<5 | byte(values[6])<<6 | byte(values[7])<<7
			at++
		}
	}
	for ; len(values) >= groupSize; values = values[groupSize:] {
		group := uint64(values[0]) | uint64(values[1])<<width | uint64(values[2])<<(2*width) | uint64(values[3])<<(3*width) |
			uint64(values[4])<<(4*width) | uint64(values[5])<<(5*width) | uint64(values[6])<<(6*width) | uint64(values[7])<<(7*width)
		binary.LittleEndian.PutUint64(dst[at:], group)
		at += width
	}
	if len(values) > 0 {
		group := uint64(0)
		for i, v := range values {
			group |= uint64(v) << (i * width)
		}
		binary.LittleEndian.PutUint64(dst[at:], group)
	}
	return dst[:end]
}
