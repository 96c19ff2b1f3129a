// Package rows makes rows of events: it gathers the events of a slab of time in their order, and
// fills batches, one per table, column by column:
//
//	Filter    which events are selected, and what of a selection nothing in the trace matches
//	Context   what all slabs of a trace share: its index, its symbols, the wanted columns
//	Gathered  the events of a slab, sorted, with their bytes and the parts of their stacks
//	Filler    the rows of a table in a slab: columns of headers, of payloads, of stacks
package rows
