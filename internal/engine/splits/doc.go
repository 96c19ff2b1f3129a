// Package splits writes parts of a table as tokens: short texts that other processes, on
// other machines too, read the part by.
package splits
