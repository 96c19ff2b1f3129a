// Package parquet writes tables as Parquet files. It makes pages from the columns of batches, and
// knows nothing of traces. The files have pages of version 1, dictionaries, page indexes where a
// column has several pages, statistics and checksums, and only types that every reader supports:
// see docs/format.md. Encodings are chosen for the bytes after compression: see choose.go.
package parquet
