// Command duckdb is the DuckDB extension etl2parquet, built as a shared library:
//
//	make duckdb
//
// It reads Windows event traces in SQL: FROM 'boot.etl', read_etl, etl_tables, and the views
// of the database etl. It uses the library, package
// [github.com/etl2parquet/etl2parquet], and connects to DuckDB's C extension API: entry.c has
// the functions that DuckDB calls, exports.go the Go functions that C calls, and bridge.h the
// DuckDB functions that Go calls.
//
//	bind      reads the parameters, finds files, table and columns   bind.go, parameters.go
//	init      learns which of the columns the query reads            scan.go
//	next      takes splits, and copies their rows into vectors       scan.go, cursor.go, vectors.go
//
// docs/duckdb.md is for users.
package main

func main() {} // not called in a shared library
