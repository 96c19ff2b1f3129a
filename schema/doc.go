// Package schema defines, as data, the output tables with their columns, the layouts of
// kernel events, and the names of numbers that Windows writes.
//
// It knows nothing about files, bytes, or Arrow and Parquet types. Everything that a user can look
// up with "etl2parquet describe" is defined only here.
package schema
