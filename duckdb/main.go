// Command duckdb is the DuckDB extension etl2parquet, built as a shared library:
//
//	make duckdb
//
// It reads Windows event traces in SQL: FROM 'boot.etl', read_etl, etl_tables, etl_problems, and the
// views of the database etl. It uses the library, package
// [github.com/etl2parquet/etl2parquet], and connects to DuckDB's C extension API: entry.c has
// the functions that DuckDB calls, exports.go the Go functions that C calls, and bridge.h the
// DuckDB functions that Go calls.
//
//	bind      reads the parameters, asks DuckDB's settings what      bind.go, parameters.go, doors.go
//	          may be read, finds inputs, table and columns           files.go, traces.go
//	init      learns which of the columns the query reads            scan.go
//	next      takes splits, and copies their rows into vectors       scan.go, cursor.go, vectors.go
//
// Open inputs are kept for the next query: cache.go, held.go, trace_file.go. community has what
// DuckDB's community registry needs.
//
// docs/duckdb.md is for users.
package main

func main() {} // not called in a shared library
