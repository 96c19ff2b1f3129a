// Package etl2parquet reads Windows event traces (.etl files) on any system and
// gives their contents as Arrow record batches: tables of events, each with its
// time, process, thread, provider and decoded fields, and tables of what the trace
// says about processes, threads, images and files.
//
//	trace, err := etl2parquet.Open(ctx, "boot.etl", etl2parquet.Options{})
//	...
//	defer trace.Close()
//	reader, err := trace.Scan(ctx, etl2parquet.Scan{Table: "Thread/CSwitch", Columns: []string{"time_ns", "new_thread_id"}})
//	...
//	defer reader.Release()
//	for reader.Next() {
//		use(reader.RecordBatch())
//	}
//	err = reader.Err()
//
// [Open] reads the trace once, to learn what is in it; [Trace.Info] and
// [Trace.Tables] tell that. Each [Trace.Scan] reads the parts of the file that it
// needs, with several goroutines, and fills only the columns that are asked for.
// The order of rows is that of time. It is the same for each scan, whatever the
// number of workers.
//
// # Tables
//
// The table events has every event once, with its fields as JSON. A kind of event
// that can be decoded has a table of its own, such as Thread/CSwitch or
// Microsoft-Windows-DNS-Client/3006, with a column for each field. For each type of
// event header there is a table with all that the header says. The command
// "etl2parquet describe" documents the tables and their columns.
//
// # Selections
//
// A selection that matches nothing, because a name is misspelt perhaps, is no error of a scan:
// its reader has no rows. [Trace.Mismatches] says before, and Scan.OnMismatch after the rows,
// what of it matches nothing, and which names may have been meant.
//
// # Parallel readers
//
// [Trace.Splits] divides the rows of a scan into parts, each with a token that a
// reader in another process, or on another machine, sets as Scan.Split. What [Open]
// has learned can be handed to it as well, by [Trace.WriteIndex] and Options.Index.
//
// # Damage
//
// A trace that is damaged is read as far as it can be: what was lost, and where, is
// in the table problems and in the problems of [Trace.Info].
//
// # What is stable
//
// The names and the types of this package, the names of tables and columns and the
// types of columns stay as they are; there may be more of them in later versions.
// So do those of package [github.com/etl2parquet/etl2parquet/schema]. Packages
// convert and decode may change where that makes them better; the notes of a
// release say so.
package etl2parquet
