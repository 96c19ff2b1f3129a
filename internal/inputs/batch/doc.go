// Package batch converts the traces of many inputs into a dataset: [Conversion]. It
// names the traces, decides which share files, divides processors, memory and open
// files among the traces that are converted concurrently, and reports results in input
// order. [Report] writes them as JSON.
package batch
