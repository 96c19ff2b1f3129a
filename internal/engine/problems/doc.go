// Package problems lists damage in a trace, and losses before it was written: the rows of the table
// problems. A list belongs to a trace or to a part of it; lists of parts are merged in file order.
package problems
