// Package bench measures the cost of conversions of a trace on this machine, as a whole and by
// stage.
//
// Each round converts the trace with each number of workers in turn, under Go's profiler, which
// samples every processor a hundred times a second. The functions on the stack of a sample
// determine its stage. So only the conversion itself is measured, and the stages add up to the
// whole.
package bench
