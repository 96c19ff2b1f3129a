package main

// #include "bridge.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/bitutil"
)

// values returns the memory of n values of a vector.
func values[T any](v C.duckdb_vector, n int) []T { return unsafe.Slice((*T)(C.api_data(v)), n) }

// fillVector copies n rows of an array, beginning with row from, to the start of a vector. The mask
// has a bit for each row that is not within a NULL struct; nil means all rows.
//
// Times are multiplied by scale: 1000 makes nanoseconds. It calls C a few times for each vector, and never for each value.
func fillVector(v C.duckdb_vector, a arrow.Array, from, n int, mask []uint64, scale int64) error {
	valid := fillValidity(v, a, from, n, mask)
	switch a := a.(type) {
	case *array.Boolean:
		for i, to := 0, values[bool](v, n); i < n; i++ {
			to[i] = a.Value(from + i)
		}
	case *array.Int32:
		copy(values[int32](v, n), a.Int32Values()[from:])
	case *array.Int64:
		copy(values[int64](v, n), a.Int64Values()[from:])
	case *array.Uint64:
		copy(values[uint64](v, n), a.Uint64Values()[from:])
	case *array.Float32:
		copy(values[float32](v, n), a.Float32Values()[from:])
	case *array.Float64:
		copy(values[float64](v, n), a.Float64Values()[from:])
	case *array.Timestamp:
		for i, to := 0, values[arrow.Timestamp](v, n); i < n; i++ {
			to[i] = a.Value(from+i) * arrow.Timestamp(scale)
		}
	case *array.String:
		return fillStrings(v, a.Data(), from, n)
	case *array.Binary:
		return fillStrings(v, a.Data(), from, n)
	case *array.List:
		return fillList(v, a, from, n, scale)
	case *array.Struct:
		for i := range a.NumField() {
			if err := fillVector(C.api_struct_vector(v, C.idx_t(i)), a.Field(i), from, n, valid, scale); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a column of type %s", a.DataType())
	}
	return nil
}

// fillValidity marks the rows that are NULL, and returns a mask of the other rows, or nil if no row
// is NULL.
func fillValidity(v C.duckdb_vector, a arrow.Array, from, n int, mask []uint64) []uint64 {
	if mask == nil && a.NullN() == 0 {
		return nil
	}
	words := (n + 63) / 64
	valid := unsafe.Slice((*uint64)(unsafe.Pointer(C.api_validity(v))), words)
	if a.NullN() > 0 {
		bitutil.CopyBitmap(a.NullBitmapBytes(), a.Data().Offset()+from, n, arrow.GetBytes(valid), 0)
	}
	for i := range mask {
		valid[i] &= mask[i]
	}
	return valid
}

// listEntry is a list in DuckDB's vectors: the range of its elements.
type listEntry struct{ offset, length uint64 }

func fillList(v C.duckdb_vector, a *array.List, from, n int, scale int64) error {
	offsets := a.Offsets()[a.Data().Offset()+from:][:n+1]
	first := offsets[0]
	for i, to := 0, values[listEntry](v, n); i < n; i++ {
		to[i] = listEntry{uint64(offsets[i] - first), uint64(offsets[i+1] - offsets[i])}
	}
	elements := int(offsets[n] - first)
	if !C.api_list_resize(v, C.idx_t(elements)) {
		return errors.New("DuckDB has no memory for a list")
	}
	if elements == 0 {
		return nil
	}
	return fillVector(C.api_list_vector(v), a.ListValues(), int(first), elements, nil, scale)
}

// stringEntry is a text or bytes in DuckDB's vectors: a short one as a whole, a long one by its
// first bytes and its address.
type stringEntry struct {
	length  uint32
	prefix  [4]byte
	address uint64 // of a long one; the remaining bytes of a short one
}

const shortLength = 12 // of the longest entry without an address

// short returns the entry of at most shortLength bytes.
func short(b []byte) (e stringEntry) {
	e.length = uint32(len(b))
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&e.prefix)), shortLength), b)
	return e
}

// keep copies bytes, more than shortLength, into the memory of a vector, and returns their
// address.
func keep(v C.duckdb_vector, b []byte) (uint64, error) {
	C.api_keep(v, unsafe.Pointer(unsafe.SliceData(b)), C.idx_t(len(b)))
	if e := values[stringEntry](v, 1)[0]; int(e.length) == len(b) {
		return e.address, nil
	}
	return 0, errors.New("DuckDB refuses a text")
}

// fillStrings copies texts or bytes. All long ones of a vector share one allocation.
func fillStrings(v C.duckdb_vector, a arrow.ArrayData, from, n int) error {
	offsets := arrow.GetData[int32](a.Buffers()[1].Bytes())[a.Offset()+from:][:n+1]
	bytes := []byte(nil)
	if b := a.Buffers()[2]; b != nil {
		bytes = b.Bytes()[offsets[0]:offsets[n]]
	}
	hasLong := false
	for i := range n {
		hasLong = hasLong || offsets[i+1]-offsets[i] > shortLength
	}
	address := uint64(0)
	if hasLong {
		var err error
		if address, err = keep(v, bytes); err != nil {
			return err
		}
	}
	to, start := values[stringEntry](v, n), 0
	for i := range n {
		end := int(offsets[i+1] - offsets[0])
		b := bytes[start:end]
		if len(b) <= shortLength {
			to[i] = short(b)
		} else {
			to[i] = stringEntry{uint32(len(b)), [4]byte(b), address + uint64(start)}
		}
		start = end
	}
	return nil
}

// fillText writes one text n times.
func fillText(v C.duckdb_vector, text string, n int) error {
	var e stringEntry
	if b := []byte(text); len(b) <= shortLength {
		e = short(b)
	} else {
		address, err := keep(v, b)
		if err != nil {
			return err
		}
		e = stringEntry{uint32(len(b)), [4]byte(b), address}
	}
	for i, to := 0, values[stringEntry](v, n); i < n; i++ {
		to[i] = e
	}
	return nil
}
