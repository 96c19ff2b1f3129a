// Package bench measures what conversions of a trace cost on this machine, and which stages
// of them take how much.
//
// Each round converts the trace with each number of workers in turn, under Go's profiler,
// which samples what every processor does a hundred times a second. The functions on the
// stack of a sample decide to which stage it belongs: only what a conversion does is measured,
// and the stages add up to the whole.
package bench
