// Package etl2parquet reads Windows event traces (ETW, .etl files) on any system. It
// gives events as Go values, and tables as Arrow record batches: tables of events,
// each with its time, process, thread, provider and decoded fields, and tables of the
// processes, threads, images and files that the trace records.
//
//	trace, err := etl2parquet.Open(ctx, "boot.etl", etl2parquet.Options{})
//	...
//	defer trace.Close()
//	scan := etl2parquet.Scan{Selection: facts.Selection{Events: []string{"Process/Start"}}}
//	for event, err := range trace.Events(ctx, scan) {
//		...
//		fmt.Println(event.Time, event.ProcessName, event.Name, event.Fields())
//	}
//
// [OpenAll] opens many traces, also in archives, folders and buckets; [Traces] reads them
// as one, by time, and [Traces.Query] answers SQL over them. [Trace.Stacks] gives call stacks, [Trace.Write] bytes in one of the
// [Formats], and [Follow] the events of a file that is still being written. Package
// [github.com/etl2parquet/etl2parquet/convert] makes datasets of Parquet files.
//
// # Columns
//
// A scan of a table is faster than events are, and has a column for each field:
//
//	reader, err := trace.Scan(ctx, etl2parquet.Scan{Table: "Thread/CSwitch", Columns: []string{"time_ns", "new_thread_id"}})
//	...
//	defer reader.Release()
//	for reader.Next() {
//		use(reader.RecordBatch())
//	}
//	err = reader.Err()
//
// [Open] reads the trace once to index it; [Trace.Info] and [Trace.Tables] report
// what it contains. Each [Trace.Scan] reads only the parts of the file that it
// needs, with several goroutines, and fills only the requested columns. Rows are
// in time order, which is the same for each scan and any number of workers.
// Table.Schema has the types of the columns: times in ns are [array.Int64], texts
// [array.String]. A value that the trace does not record is null.
//
// # Tables
//
// The table events has every event once, with its fields as JSON. A kind of event
// that can be decoded has a table of its own, such as Thread/CSwitch or
// Microsoft-Windows-DNS-Client/3006, with a column for each field. For each type of
// event header there is a table with all fields of the header. The command
// "etl2parquet describe" documents the tables and their columns.
//
// # Selections
//
// A selection that matches nothing, for example because a name is misspelt, is not an error: the
// reader has no rows. [Trace.Mismatches] reports before the scan, and Scan.OnMismatch after the
// rows, which parts of the selection match nothing, with similar names from the trace.
//
// # Parallel readers
//
// [Trace.Splits] divides the rows of a scan into parts, each with a token that a
// reader in another process, or on another machine, sets as Scan.Split. To avoid
// indexing the trace again there, pass the index along, by [Trace.WriteIndex] and
// Options.Index.
//
// # Damage
//
// A damaged trace is read as far as possible, without an error. The table problems,
// [Trace.Problems] and [Trace.Info] list what was lost, and where. Scan.Strict makes
// damage an error.
//
// # What is stable
//
// The names and types of this package and of package
// [github.com/etl2parquet/etl2parquet/schema], the names of tables and columns, and
// the types of columns stay as they are; later versions may add to them. Packages
// convert and decode may change; the notes of a release list such changes.
package etl2parquet
