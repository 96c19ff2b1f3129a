// Package views has the SQL views over the tables of a dataset, and writes the script that
// defines them for DuckDB, views.sql.
//
// # A view is a folder
//
// The folder has the name of the view. A program needs no other list of them:
//
//	view.sql    the columns, then one SELECT, as a text/template
//	view.md     the page: what a row is, the rule and its source, and what it was proven on
//	rows.txtar  traces as text, and the rows that the view has of them; for the tests
//
// The first lines of view.sql document the columns after trace, which every view has first:
//
//	--   processor
//	--   ran_ns INT64 nullable: How long it ran, in ns.
//
// A name alone is a column that all tables of events share. The lines "common columns" and
// "summary columns" stand for [schema.CommonColumns] and [schema.SummaryColumns].
//
// The first paragraph of view.md is the sentence for describe and for the comment in views.sql.
// docs/views.md has all pages; go test -update writes it.
//
// A view reads tables and other views by their names in SQL, behind FROM or JOIN. It may read the
// table of any event that the kernel's or the built-in catalogue has: where a dataset lacks the
// table, an empty one stands in.
//
// # Two engines
//
// The same text serves DuckDB and Spark. Where they differ, a template function says what is
// meant; [Engine] lists them. What several views repeat is a template in fragments.sql.
package views
