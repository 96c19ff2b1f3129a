package main

// #include "bridge.h"
import "C"

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/etl2parquet/etl2parquet/internal/engine/codes"
	"github.com/etl2parquet/etl2parquet/schema"
)

// hugeInt is a HUGEINT in DuckDB's vectors, the type that holds all other integers.
type hugeInt struct {
	lower uint64
	upper int64
}

// code returns a number as a status code; ok is false if it does not fit a BIGINT.
func (n hugeInt) code() (code uint32, ok bool) {
	return uint32(n.lower), n.upper == 0 && n.lower <= math.MaxInt64 || n.upper == -1 && n.lower > math.MaxInt64
}

// nameCodes fills a vector with the names of the status codes of a chunk.
func nameCodes(system schema.Unit, chunk C.duckdb_data_chunk, output C.duckdb_vector) error {
	n, input := int(C.api_size(chunk)), C.api_vector(chunk, 0)
	names := array.NewStringBuilder(memory.DefaultAllocator)
	defer names.Release()
	for i, number := range values[hugeInt](input, n) {
		name, code, ok := "", uint32(0), bool(C.api_is_valid(input, C.idx_t(i)))
		if ok {
			code, ok = number.code()
		}
		if ok {
			name = codes.Name(system, code)
		}
		if name == "" {
			names.AppendNull()
		} else {
			names.Append(name)
		}
	}
	filled := names.NewStringArray()
	defer filled.Release()
	return fillVector(output, filled, 0, n, nil, 1)
}
