// Package selection says which events, tables and columns of a trace are wanted, and reports the
// parts of a selection that match nothing.
package selection
