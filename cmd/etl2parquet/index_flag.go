package main

// indexOption is the option of commands that read a file of indexes.
func indexOption(path *string) []option {
	return []option{{flag: "index", value: pathValue{path}, complete: completeFiles, usage: "use the index of the trace in this `file`, written by \"etl2parquet splits --index\", instead of reading the whole trace first"}}
}
