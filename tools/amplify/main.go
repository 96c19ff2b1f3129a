// Amplify writes a large trace from a small one, for measurements:
//
//	go run ./tools/amplify -size 1GB [-compressed] [-same] in.etl out.etl
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/tools/amplify/repeats"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

const (
	exitFailure = 1
	exitUsage   = 2
)

const usage = `usage: amplify -size SIZE [-compressed] [-same] IN.etl OUT.etl

Writes the buffers of IN to OUT, over and over and each time later, up to the
end of the first repeat with which OUT has at least SIZE.

`

func run(args []string, stdout, stderr io.Writer) int {
	var o repeats.Options
	flags := flag.NewFlagSet("amplify", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.Func("size", "least size of OUT: `bytes`, or with KB, MB or GB (powers of 1024)", func(s string) (err error) {
		o.Size, err = parseSize(s)
		return err
	})
	flags.BoolVar(&o.Same, "same", false, "only increase times from repeat to repeat; without it, intervals, addresses, keys, texts and GUIDs vary too")
	flags.BoolVar(&o.Compressed, "compressed", false, "compress the buffers (plain LZ77)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitUsage
	}
	if flags.NArg() != 2 || o.Size == 0 {
		flags.Usage()
		return exitUsage
	}
	start := time.Now()
	r, err := amplify(flags.Arg(0), flags.Arg(1), o)
	if err != nil {
		fmt.Fprintf(stderr, "amplify: %v\n", err)
		return exitFailure
	}
	fmt.Fprintf(stdout, "%s: %d bytes, %d repeats, %d buffers, %d events, in %v\n",
		flags.Arg(1), r.Size, r.Repeats, r.Buffers, r.Events, time.Since(start).Round(time.Millisecond))
	return 0
}

// amplify leaves no output behind when it fails.
func amplify(from, to string, o repeats.Options) (r repeats.Result, err error) {
	in, err := os.Open(from)
	if err != nil {
		return r, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return r, err
	}
	f, err := decode.NewFile(in, info.Size())
	if err != nil {
		return r, fmt.Errorf("%s: %w", from, err)
	}
	if old, err := os.Stat(to); err == nil && os.SameFile(info, old) {
		return r, fmt.Errorf("%s: the output is the input", to)
	}
	out, err := os.Create(to)
	if err != nil {
		return r, err
	}
	r, err = repeats.Amplify(out, f, o)
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return r, errors.Join(fmt.Errorf("%s: %w", from, err), os.Remove(to))
	}
	return r, nil
}

// parseSize reads a positive number of bytes with or without a unit.
func parseSize(s string) (int64, error) {
	digits, unit := strings.ToUpper(s), int64(1)
	for i, suffix := range []string{"KB", "MB", "GB"} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, unit = rest, 1<<(10*(i+1))
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	switch {
	case err != nil:
		return 0, errors.New("want a whole number, as it is or with KB, MB or GB")
	case n <= 0:
		return 0, errors.New("want more than nothing")
	case n > math.MaxInt64/unit:
		return 0, errors.New("too large")
	}
	return n * unit, nil
}
