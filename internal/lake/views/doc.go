// Package views has the SQL views over the tables of a dataset, and writes views.sql, the script
// that defines them for DuckDB.
//
// # A view is a folder
//
// The folder has the name of the view. There is no other list of the views:
//
//	view.sql    the columns, then one SELECT, as a text/template
//	view.md     the page: what a row is, the rule and its source, and the traces that prove it
//	rows.txtar  traces as text, and the rows of the view over them, for the tests
//
// The first line of view.sql names the tables that give the view its rows, by which [RowsOf] explains
// an empty view; it may join others. The next lines document the columns after trace, the first column
// of every view:
//
//	-- rows of thread_cswitch
//	--   processor
//	--   ran_ns INT64 nullable: How long it ran, in ns.
//
// A line with only a name is a column that all tables of events share. The lines "common columns" and
// "summary columns" stand for [schema.CommonColumns] and [schema.SummaryColumns].
//
// The first paragraph of view.md is the description in describe and in the comment in views.sql.
// docs/views.md has all pages; go test -update writes it.
//
// A view reads tables and other views by their names in SQL, after FROM or JOIN. It may read the
// table of any event in the kernel's or the built-in catalogue: if a dataset lacks the table, an
// empty one replaces it.
//
// # Two engines
//
// The same text serves DuckDB and Spark. Template functions hide their differences; [Engine] lists
// them. Text that several views share is a template in fragments.sql.
package views
