// Package formats has the sinks that hand rows on one after another, as they are
// made: record batches to a function, and bytes to a writer, as NDJSON, CSV or an
// Arrow stream. Each is for the rows of one table.
package formats
