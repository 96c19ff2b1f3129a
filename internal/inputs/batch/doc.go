// Package batch converts the traces of many inputs into a dataset: [Conversion]. It
// names the traces, decides which share files, shares out processors, memory and
// open files among those that are converted at the same time, and reports results
// in the order of the inputs. [Report] writes them as JSON.
package batch
