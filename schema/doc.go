// Package schema defines, as data, the output tables with their columns, the layouts of
// kernel events, and the names of numbers that Windows writes.
//
// [LookupTable] finds a table that is known without a trace, and [Tables] lists all of these: a
// [Table] has its columns with their types and descriptions. For the tables of a trace see Trace.Tables
// of package etl2parquet. [KernelCatalog] has the layouts of kernel events, and [EventNames] the names
// of an event. Most of the rest is for the packages that fill tables.
//
// It knows nothing about files, bytes, or Arrow and Parquet types. Everything that a user can look
// up with "etl2parquet describe" is defined only here.
package schema
