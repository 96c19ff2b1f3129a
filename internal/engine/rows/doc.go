// Package rows makes rows of events: it gathers the events of a slab of time in their order, and
// fills batches, one per table, column by column. What is selected is decided here too.
package rows
