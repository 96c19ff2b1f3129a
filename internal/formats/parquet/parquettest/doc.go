// Package parquettest reads and writes Parquet files with the Parquet library. Tests
// compare the project's own writer with the library, in content and in speed.
package parquettest
