// Package recordbatch turns batches of rows into Arrow record batches.
//
// A batch holds values without gaps; an Arrow array has a slot for every row.
// Where the two are the same, the array shares the memory of the batch: numbers
// of a column without nulls, elements of lists, and the bytes of a column of
// which each row has bytes of its own. All other buffers come from the caller's
// allocator: numbers with nulls between them, bitmaps, offsets, and texts that
// many rows have in common, which are written out for each row.
//
// # Who owns what
//
// [Maker.RecordBatch] takes the batch over. The caller owns the record batch and
// releases it. The caller must not read, fill or reset the batch until done is
// called, which happens once, when nothing shares its memory any more: after the
// last Release of the record batch and of all slices, columns and buffers of it
// that somebody retained.
//
// A reader of a stream therefore needs no copy: its done puts the batch back
// among those to be filled next. A consumer that keeps a record batch keeps the
// batch from the reader, which has to make another or to wait.
//
// done is called by the goroutine that releases last. If nothing is shared, done
// is called before RecordBatch returns. If done is nil, the batch is not used
// again and the garbage collector frees it.
//
// # Limits
//
// An array holds at most 2 GiB of texts and 2^31-1 elements of lists; RecordBatch
// returns an error for a batch with more. Arrow's streams hold types of at most 64
// levels, that is 31 lists of structs in one another; their writer returns an
// error beyond that.
package recordbatch
