// Package dataset keeps the tables of traces in a folder or a bucket, whatever
// makes their rows:
//
//	<table>/<part>.parquet
//	events/<provider>/<event>/<part>.parquet
//	_traces/<part>.json                        commit record, written last
//	views.sql
//
// A part is a trace, or a bundle: traces that share files. The first column of
// every file is the trace. What has no record is not part of the dataset: a run
// was interrupted, or is about to write the record.
package dataset
