// Package columnstest has tables of every kind of column, and rows for them, for
// the tests of package columns and of those that write its batches.
package columnstest
