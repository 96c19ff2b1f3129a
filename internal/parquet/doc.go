// Package parquet writes tables as Parquet files. It makes pages from the columns of batches, and
// knows nothing of traces. The files have pages of version 1, dictionaries, page indexes,
// statistics and checksums, and only types that every reader supports: see docs/format.md.
package parquet
