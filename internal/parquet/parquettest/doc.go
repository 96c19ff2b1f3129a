// Package parquettest reads Parquet files with the Parquet library, and writes
// them with it: what the project's own writer is compared with, in contents and
// in speed. It is for tests.
package parquettest
