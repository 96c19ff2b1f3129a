// Package report writes a trace as one HTML page: findings in words, lanes over time, a flame graph,
// and tables.
//
//  1. [Write] scans the tables that the page needs, each with a few columns, and adds their rows to
//     lanes (values by time bin) and to a tree of stacks (samples by time bin and node).
//  2. Options.SQL, if a DuckDB was found, runs the statements for the tables of the views.
//  3. The page is assembled from the files in assets, with the data as compressed JSON. It is cut
//     until it is smaller than [MaxPage], and says what was cut.
//
// The data of a trace reaches the page as base64 only, and the page's script shows it as text. The
// page's policy allows its own script and style, and nothing else.
package report
