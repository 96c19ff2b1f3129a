// Package splits writes parts of a table as tokens: short texts from which other processes, even on
// other machines, can read the part.
package splits
