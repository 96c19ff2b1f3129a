// Package formats has the sinks that pass rows on as soon as they are made: record batches to a
// function, and bytes to a writer, as NDJSON, CSV or an Arrow stream. Each sink is for the rows of
// one table.
package formats
