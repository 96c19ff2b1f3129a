// Package batch is what a run over many inputs needs: a budget of processors, memory
// and open files that inputs share which are read side by side, and results in the
// order of the inputs.
package batch
