// Package batch is what a run over many inputs needs: a budget that those share
// which are converted side by side, and results in the order of the inputs.
package batch
