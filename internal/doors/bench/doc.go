// Package bench measures the cost of conversions of a trace on this machine, as a whole and by
// stage.
//
// Each round, with each number of workers in turn, indexes the trace, makes all its rows, and converts it. What a
// run takes more than the shorter one is the cost of its last stage.
package bench
