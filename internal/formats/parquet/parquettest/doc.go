// Package parquettest reads Parquet files with the Parquet library. Tests compare what the
// project's own writer wrote with what the library reads.
package parquettest
