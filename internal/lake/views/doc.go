// Package views makes the SQL views of the folders in views/ over the tables of a dataset, and writes views.sql,
// the script that defines them for DuckDB.
//
// # A view is a folder
//
// The folder has the name of the view. There is no other list of the views:
//
//	view.sql    the columns, then one SELECT of DuckDB's SQL
//	view.md     the page: what a row is, the rule and its source, and the traces that prove it
//	rows.txtar  traces as text, and the rows of the view over them, for the tests
//	proof.txtar queries over the view and over tables that must have the same rows in real traces
//
// A view with parameters has macro.sql in place of view.sql: its first line names them. A view that several providers
// answer has view.toml, with its columns, and a file of TOML for each [Source].
//
// Starts and stops are paired by one implementation: of sources by [Source.Order], and in view.sql by a comment in place
// of a relation,
//
//	/* pairs of steps by process_id, thread_id: nested on thread_id, with status */
//
// where the relation steps has the columns trace, event_ref, clock_ns, processor, the key, and step: 1 for a start and -1
// for a stop. The relation has, in addition, state, stop_ref, end_ns, ambiguous, stop_status, and of the order nested
// pair_level, the number of open starts. "on" names the column of the key that is a thread.
//
// The first line of view.sql names the tables or views, among those that the statement reads, that give
// the view its rows; by them [Set.RowsOf] explains an empty view. The next lines document the columns after trace, the first column
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
// # Proofs
//
// A proof in proof.txtar counts something twice: by a query over the view, and by one that does not
// read the view and takes another way, over the tables of events, for example. It consists of
//
//	<name>/traces     the traces, one a line: traces/net.4.5.2.x86.etl in ../shared, testdata/sample.etl
//	                  of this repository, or oracles/libtrace/payloads.jsonl, of whose payloads the
//	                  test makes the traces payloads32 and payloads64
//	<name>/view.sql   the query over the view, for DuckDB and Spark, with ORDER BY
//	<name>/other.sql  the other query, for DuckDB
//	<name>/rows.csv   the rows of both; -update writes it if they are equal
//	<name>/how.md     optional: a sentence on the other query
//
// go test ./interop -run TestProofs -v prints the table of all proofs; -proofs cpu_samples runs those of
// one view. The section "Proven on" begins with "Synthetic traces only" if no proof has a real trace.
//
// A view reads tables and other views by their names in SQL, after FROM or JOIN. It may read the
// table of any event in the kernel's or the built-in catalogue: if a dataset lacks the table, an
// empty one replaces it.
//
// The ns between two moments of a trace t are written as
//
//	CASE /* ns of t */ WHEN b >= a THEN b - a END
//
// so that they are NULL where the clock was set by a step that is not known.
package views
