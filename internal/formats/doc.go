// Package formats has the sinks that pass rows on as soon as they are made: record batches to a
// function, and bytes to a writer, in one of the formats of a list. Each sink is for the rows of one
// table.
package formats
