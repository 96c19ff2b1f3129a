// Package columnstest has tables with every kind of column, and rows for them, for tests of package
// columns and of packages that write its batches.
package columnstest
