// Package parquet writes tables as Parquet files. It makes pages from the columns of batches, and
// knows nothing about traces. The files have pages of version 1, dictionaries, page indexes if a
// column has several pages, statistics and checksums, and only types that every reader supports:
// see docs/dev/format.md. Encodings are chosen for the size after compression: see choose.go.
package parquet
