// Package schema says, as data, what there is: the output tables with their
// columns, and the names behind the numbers that Windows writes.
//
// It knows no file, no byte and no Arrow or Parquet type. Everything a user
// can look up with "etl2parquet describe" is written here and nowhere else.
package schema
