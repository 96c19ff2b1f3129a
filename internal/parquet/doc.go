// Package parquet writes tables as Parquet files: it puts pages together from the
// columns of batches, and knows nothing of traces. What is written is of version
// 1 for pages, with dictionaries, page indexes, statistics and checksums, in types
// that every reader has: see docs/format.md.
package parquet
