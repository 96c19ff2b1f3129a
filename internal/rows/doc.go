// Package rows makes rows of events: it cuts a trace into slabs of time, gathers
// the events of a slab in their order, and fills batches, one per table, column by
// column. What is selected is decided here too, and the rows of the tables that do
// not hold events are made here.
package rows
