package main

// #include "bridge.h"
import "C"

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
)

// simpleTypes are DuckDB's types for Arrow types without elements: the types that DuckDB reads from
// Parquet files with the same columns.
var simpleTypes = map[arrow.Type]struct {
	id   C.int
	name string
}{
	arrow.BOOL:      {C.DUCKDB_TYPE_BOOLEAN, "BOOLEAN"},
	arrow.INT32:     {C.DUCKDB_TYPE_INTEGER, "INTEGER"},
	arrow.INT64:     {C.DUCKDB_TYPE_BIGINT, "BIGINT"},
	arrow.UINT64:    {C.DUCKDB_TYPE_UBIGINT, "UBIGINT"},
	arrow.FLOAT32:   {C.DUCKDB_TYPE_FLOAT, "FLOAT"},
	arrow.FLOAT64:   {C.DUCKDB_TYPE_DOUBLE, "DOUBLE"},
	arrow.STRING:    {C.DUCKDB_TYPE_VARCHAR, "VARCHAR"},
	arrow.BINARY:    {C.DUCKDB_TYPE_BLOB, "BLOB"},
	arrow.TIMESTAMP: {C.DUCKDB_TYPE_TIMESTAMP_TZ, "TIMESTAMP WITH TIME ZONE"},
}

// logicalType returns the type of a column, which must be destroyed.
func logicalType(t arrow.DataType) C.duckdb_logical_type {
	switch t := t.(type) {
	case *arrow.ListType:
		element := logicalType(t.Elem())
		defer C.api_destroy_type(element)
		return C.api_list_type(element)
	case *arrow.StructType:
		n := t.NumFields()
		types, names := make([]C.duckdb_logical_type, n), make([]*C.char, n)
		for i, f := range t.Fields() {
			types[i], names[i] = logicalType(f.Type), C.CString(f.Name)
		}
		defer func() {
			for i := range n {
				C.api_destroy_type(types[i])
				C.free(unsafe.Pointer(names[i]))
			}
		}()
		return C.api_struct_type(unsafe.SliceData(types), unsafe.SliceData(names), C.idx_t(n))
	}
	if isNanos(t) {
		return C.api_type(C.DUCKDB_TYPE_TIMESTAMP_NS)
	}
	simple, ok := simpleTypes[t.ID()]
	if !ok {
		panic(fmt.Sprintf("a column of type %s", t))
	}
	return C.api_type(simple.id)
}

// logicalName returns the name of a type in DuckDB's spelling.
func logicalName(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.ListType:
		return logicalName(t.Elem()) + "[]"
	case *arrow.StructType:
		var members []string
		for _, f := range t.Fields() {
			members = append(members, f.Name+" "+logicalName(f.Type))
		}
		return "STRUCT(" + strings.Join(members, ", ") + ")"
	}
	if isNanos(t) {
		return "TIMESTAMP_NS"
	}
	return simpleTypes[t.ID()].name
}

func isNanos(t arrow.DataType) bool {
	of, ok := t.(*arrow.TimestampType)
	return ok && of.Unit == arrow.Nanosecond
}

// withNanos returns a type with times in nanoseconds, in DuckDB a type without a time zone.
func withNanos(t arrow.DataType) arrow.DataType {
	switch t := t.(type) {
	case *arrow.ListType:
		return arrow.ListOf(withNanos(t.Elem()))
	case *arrow.StructType:
		var members []arrow.Field
		for _, f := range t.Fields() {
			f.Type = withNanos(f.Type)
			members = append(members, f)
		}
		return arrow.StructOf(members...)
	case *arrow.TimestampType:
		return &arrow.TimestampType{Unit: arrow.Nanosecond}
	}
	return t
}
