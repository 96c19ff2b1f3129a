// Package selection says which events, tables and columns of a trace are wanted, and what of
// that matches nothing in it.
package selection
