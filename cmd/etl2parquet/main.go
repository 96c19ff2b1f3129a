// Etl2parquet reads Windows event traces (ETW, .etl), answers questions about them in
// SQL, and converts them into Parquet, Arrow, lines, pages and other programs' files.
//
//	etl2parquet convert INPUT... -o DIR    converts traces into a dataset
//	etl2parquet plan INPUT... -o FILE      shares out inputs among several processes
//	etl2parquet check DIR [--json]         reports whether a dataset is whole
//	etl2parquet clean DIR                  removes the leftovers of interrupted runs
//	etl2parquet info INPUT... [--json]     reports what is in a trace
//	etl2parquet cat INPUT [--table T]      prints the rows of a table
//	etl2parquet splits INPUT... [--max N]  divides a table into parts for parallel readers
//	etl2parquet query INPUT...|DIR ["SQL"] runs SQL over traces or a dataset, with DuckDB
//	etl2parquet report INPUT... -o F.html  writes a page about a trace
//	etl2parquet export INPUT... --format F writes files for other programs
//	etl2parquet mcp [INPUT...] [--root DIR]
//	                                       answers an agent's questions about traces
//	etl2parquet cache list|clear|path      manages the tables that are kept for the next question
//	etl2parquet describe [TABLE] [--json]  explains tables and columns
//	etl2parquet describe DIR [TABLE]       explains the tables of a dataset
//	etl2parquet explain WORD|HEX...        explains hooks, GUIDs, flags, status codes and configuration blobs
//	etl2parquet catalog list|show|build    lists and shows known providers; builds a catalogue
//	etl2parquet bench INPUT... [--json]    measures how fast a trace is read, decoded and encoded
//	etl2parquet version                    prints the version of the program
//
// Results go to standard output, everything else to standard error. The exit
// status is 0 if all is done (damage and losses are reported), 1 if the run
// failed, 2 for a wrong command line, 3 if some inputs failed and the others are
// done, 69 if there is no DuckDB for query, and 130 if the run was interrupted. Any other status is a failure too.
//
// "etl2parquet help COMMAND" describes a command with all of its flags. The library is
// package [github.com/etl2parquet/etl2parquet].
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/remote"
)

func main() { start(time.NewTicker) }

// start runs the program for the command line of this process, and exits.
func start(ticker newTicker) {
	stops := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		stops = append(stops, syscall.SIGHUP)
	}
	ctx, restore := signal.NotifyContext(context.Background(), stops...)
	context.AfterFunc(ctx, restore) // so that a second signal kills the process
	signal.Ignore(syscall.SIGPIPE)  // a conversion continues when its output is no longer read; see output
	a := &app{program: os.Args[0], in: os.Stdin, out: &output{Writer: os.Stdout}, err: os.Stderr, patience: remote.DefaultPatience, ticker: ticker}
	os.Exit(a.run(a.stopWith(ctx, os.Getenv(stopVariable)), os.Args[1:]))
}

// stopVariable names the environment variable that says what ends the program. "stdin" means the
// end of standard input, which is then not read otherwise. The Python package holds the other end
// of that pipe, so the program ends with the process that started it, on every system, even if that
// process is killed.
const stopVariable = "ETL2PARQUET_STOP"

// stopWith returns a context that is cancelled at the event that the variable's value names. It
// removes the variable, because child processes have other standard inputs.
func (a *app) stopWith(ctx context.Context, value string) context.Context {
	if value != "stdin" {
		return ctx
	}
	os.Unsetenv(stopVariable)
	ctx, cancel := context.WithCancel(ctx)
	go func(input io.Reader) {
		io.Copy(io.Discard, input) // an error ends the input, too
		cancel()
	}(a.in)
	a.in = strings.NewReader("")
	return ctx
}
