// Command duckdb is the DuckDB extension etl2parquet, built as a shared library:
//
//	make duckdb
//
// It reads Windows event traces in SQL: FROM 'boot.etl', read_etl, etl_tables, and the views
// of the database etl. It stands on the library, package
// [github.com/etl2parquet/etl2parquet], and is written in Go behind DuckDB's C extension
// API: entry.c has what DuckDB calls, exports.go what C calls of Go, bridge.h what Go calls
// of DuckDB.
//
//	bind      parameters to files, a table and its columns           bind.go, parameters.go
//	init      which of its columns are wanted                        scan.go
//	next      takes splits, and copies their rows into vectors       scan.go, cursor.go, vectors.go
//
// docs/duckdb.md is for users.
package main

func main() {} // a shared library has none
