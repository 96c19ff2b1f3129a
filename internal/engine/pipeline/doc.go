// Package pipeline makes rows from a trace: it runs both passes over it, and passes the rows to a
// [Sink].
//
//	index pass     chunks of buffers -> workers -> merged in file order -> index
//	convert pass   slabs of time -> workers: decode, sort, fill columns -> batches
//	               batches, in slab order -> row groups -> workers: encode
//	               row groups, in their order -> sink
//
// Everything that decides what the output looks like (chunks, slabs, which batches make a row
// group) follows from the trace and the selection, and every merge is made in order. So the output
// has the same bytes for any number of workers.
//
// Memory is bounded because the total size of the slabs in flight is.
package pipeline
