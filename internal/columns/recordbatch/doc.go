// Package recordbatch turns batches of rows into Arrow record batches.
//
// An array of a required column of numbers shares the memory of the batch, as
// does one of a nullable column without nulls, and the bytes of a column of
// which each row has bytes of its own. All other buffers come from an allocator
// of the caller's: a batch holds values without gaps, an Arrow array has a slot
// for every row.
//
// # Who owns what
//
// [Maker.RecordBatch] takes the batch over. The caller owns the record batch
// and releases it, as every Arrow record batch. The caller must not read, fill
// or reset the batch until done is called, which happens once, when nothing
// shares the memory of the batch any more: after the last Release of the record
// batch and of all slices, columns and record batches that others made of it and
// retained. A reader of a stream therefore passes a function that puts the batch
// back among those to be filled next, and needs no copy; consumers may keep a
// record batch for as long as they like, and cost the reader one more batch.
//
// done is called by the goroutine that releases last, which may be any. If
// nothing is shared, done is called before RecordBatch returns. If done is nil
// the batch is not used again: the garbage collector frees it.
package recordbatch
