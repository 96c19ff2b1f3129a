// Package problems lists what is wrong with a trace, or was lost before it was
// written: the rows of the table problems. A list is of the trace, or of a part of
// it; lists of parts are merged in the order of the file.
package problems
