// Package dataset stores the tables of traces in a folder or a bucket; other packages
// make their rows:
//
//	<table>/<part>.parquet
//	events/<provider>/<event>/<part>.parquet
//	_traces/<part>.json                        commit record, written last
//	views.sql
//
// A part is a trace, or a bundle: traces that share files. The first column of every
// file is the trace. Files without a record are not part of the dataset: a run was
// interrupted, or is about to write the record.
package dataset
