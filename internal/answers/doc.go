// Package answers goes from SQL over traces or datasets to rows, with the DuckDB that the user has installed.
//
//  1. Find finds the program. Statements starts it, and asks it which tables each statement reads.
//  2. DuckDB's plan over the same tables without rows says which columns are read, through views too.
//  3. The tables are taken from the cache, or made of the traces and kept there; see [Traces]. A dataset has them.
//  4. The program defines views over them and runs the statements. The results are written in the requested
//     format, or read as Arrow.
package answers
