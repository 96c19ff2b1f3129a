// Package convert turns a trace, read by package decode, into the dataset:
// Parquet files, one folder per table.
//
//	index pass     chunks of buffers -> workers -> merged in file order -> Index
//	convert pass   slabs of time -> workers: decode, sort, fill columns -> Batch
//	               batches, in slab order -> row groups -> workers: encode
//	               row groups, in their order -> file
//
// Everything that decides what the output looks like (chunks, slabs, which
// batches make a row group) follows from the trace and the memory limit, and
// every merge is made in order. So the output has the same bytes for any
// number of workers.
//
// Memory is bounded because the number of slabs in flight is, by their size.
package convert
