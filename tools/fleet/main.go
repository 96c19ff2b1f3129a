// Fleet makes a folder of small made traces, with the truth about them beside, as truth.json:
//
//	go run ./tools/fleet -seed 1 -traces 1000 -kinds 1800 OUT
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/etl2parquet/etl2parquet/tools/fleet/fleets"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const (
	exitFailure = 1
	exitUsage   = 2
)

const usage = `usage: fleet [flags] OUT

Makes the folder OUT, which must not exist or be empty. The same flags give the
same bytes. OUT/truth.json says what each trace has. With fewer than 1,000
traces, the defaults of -machines, -series, -circular, -damage and -copies are
smaller in proportion.

`

func run(args []string, stdout, stderr io.Writer) int {
	o := fleets.Defaults(1, 1000, 1800)
	flags := flag.NewFlagSet("fleet", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "`number` that all random choices follow from")
	for _, f := range []struct {
		name  string
		value *int
		help  string
	}{
		{"traces", &o.Traces, "files, in all"},
		{"kinds", &o.Kinds, "kinds of event, in all, without those of Windows"},
		{"logs", &o.Logs, "kinds of log, each with its own kinds of event"},
		{"machines", &o.Machines, "machines"},
		{"boots", &o.Boots, "boots of each machine"},
		{"builds", &o.Builds, "builds of Windows"},
		{"series", &o.Series, "sessions that wrote 2 to 4 files, one after another"},
		{"circular", &o.Circular, "circular files that wrapped"},
		{"damage", &o.Damage, "damaged files"},
		{"copies", &o.Copies, "copies of other files"},
		{"errors", &o.Errors, "planted errors: a build, a machine or an event before them is the cause"},
		{"differences", &o.Differences, "planted differences between a build and the others"},
		{"sessions", &o.Sessions, "further series with losses; every other session is private"},
		{"running", &o.Running, "circular files that were copied while they were written"},
		{"renamed", &o.Renamed, "files whose names do not end in .etl"},
		{"apart", &o.Apart, "logs of which one trace alone describes the events of manifests"},
	} {
		flags.IntVar(f.value, f.name, *f.value, f.help)
	}
	err := flags.Parse(args)
	if err == nil {
		o = fleets.Defaults(o.Seed, o.Traces, o.Kinds)
		err = flags.Parse(args) // again, over the defaults for this number of traces
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	case flags.NArg() != 1:
		flags.Usage()
		return exitUsage
	}
	start := time.Now()
	truth, err := fleets.Make(flags.Arg(0), o)
	if err != nil {
		fmt.Fprintf(stderr, "fleet: %v\n", err)
		return exitFailure
	}
	fmt.Fprintf(stdout, "%s: %d traces, %d bytes, %d events, in %v\n",
		flags.Arg(0), len(truth.Traces), truth.Bytes, truth.Events, time.Since(start).Round(time.Millisecond))
	return 0
}
