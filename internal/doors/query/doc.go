// Package query runs SQL over datasets with the DuckDB that the user has installed.
//
//  1. Find finds the program. Statements starts it, and asks it which tables each statement reads.
//  2. Plan asks it for its plan over the same tables without rows: that says which columns are read, through
//     views too. The caller makes a dataset with these, as Source.Needs says, or uses an existing one.
//  3. Run makes the program define views over the dataset and run the statements, and writes
//     their results in the requested format.
package query
