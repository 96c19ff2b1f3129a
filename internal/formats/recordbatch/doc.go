// Package recordbatch turns batches of rows into Arrow record batches.
//
// A batch holds values without gaps; an Arrow array has a slot for every row.
// If the two are the same, the array shares the memory of the batch: for numbers of a column
// without nulls, elements of lists, and the bytes of a column in which each row has bytes of its
// own. All other buffers come from the caller's allocator: numbers with nulls between them,
// bitmaps, offsets, and texts that many rows share, which are written out for each row.
//
// # Ownership
//
// [Maker.RecordBatch] takes ownership of the batch. The caller owns the record batch and releases
// it. The caller must not read, fill or reset the batch until done is called. That happens once,
// when nothing shares its memory any more: after the last Release of the record batch and of all
// its retained slices, columns and buffers.
//
// So a reader of a stream needs no copy: its done returns the batch to those that are filled next.
// While a consumer keeps a record batch, the reader cannot reuse the batch, and has to make another
// or to wait.
//
// The goroutine that releases last calls done. If nothing is shared, done is called before
// RecordBatch returns. If done is nil, the batch is not reused, and the garbage collector frees it.
//
// # Rows
//
// [Reader] reads record batches of a table row by row, into a struct whose fields name their columns.
//
// # Limits
//
// An array holds at most 2 GiB of texts and 2^31-1 elements of lists; RecordBatch returns an error
// for a larger batch. Arrow's streams hold types of at most 64 levels, that is 31 nested lists of
// structs; their writer returns an error beyond that.
package recordbatch
