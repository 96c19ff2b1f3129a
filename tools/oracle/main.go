// Oracle compares a trace, as etl2parquet reads it, with what Windows' own programs print about it:
//
//	tracerpt trace.etl -o events.xml -of XML -y
//	xperf -i trace.etl -o dump.csv -a dumper
//	go run ./tools/oracle trace.etl events.xml dump.csv
//
// It compares, for each kind of event, the number and the times of the first and last one with
// tracerpt's, and the numbers of some kinds of kernel events with the dumper's. The workflow that
// records traces on Windows runs it. The exit status is 1 if something differs.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet"
)

func main() {
	same, err := run(context.Background(), os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
	}
	if err != nil || !same {
		os.Exit(1)
	}
}

// kind is a kind of event: the class and its type of a classic event, or the provider and the id of
// another.
type kind struct {
	guid   string // in lower case, without braces
	number int
}

// seen says what is known about the events of a kind.
type seen struct {
	name        string
	count       int
	first, last time.Duration // since the first event of the trace
}

// add adds an event.
func (s *seen) add(at time.Duration) {
	if s.count == 0 || at < s.first {
		s.first = at
	}
	s.last = max(s.last, at)
	s.count++
}

// kinds has the events of a trace, by kind.
type kinds map[kind]*seen

func (k kinds) of(key kind) *seen {
	if k[key] == nil {
		k[key] = new(seen)
	}
	return k[key]
}

// as returns the kinds with the numbers of others. A kernel event has its hook id as a number, whose
// low byte is the type of its class; tracerpt prints the type.
func (k kinds) as(others kinds) kinds {
	named := make(kinds)
	for key, s := range k {
		if short := (kind{key.guid, key.number & 0xff}); others[key] == nil && others[short] != nil {
			key = short
		}
		named[key] = s
	}
	return named
}

func run(ctx context.Context, args []string, out io.Writer) (same bool, err error) {
	if len(args) < 2 || len(args) > 3 {
		return false, fmt.Errorf("give a trace, the XML of tracerpt, and the text of xperf's dumper if there is one")
	}
	ours, err := readTrace(ctx, args[0])
	if err != nil {
		return false, err
	}
	theirs, err := readFile(args[1], readXML)
	if err != nil {
		return false, err
	}
	same = compare(out, ours.as(theirs), theirs)
	if len(args) == 3 {
		lines, err := readFile(args[2], readDump)
		if err != nil {
			return false, err
		}
		same = compareDump(out, ours, lines) && same
	}
	return same, nil
}

// readTrace reads a trace with the library.
func readTrace(ctx context.Context, path string) (kinds, error) {
	trace, err := etl2parquet.Open(ctx, path, etl2parquet.Options{})
	if err != nil {
		return nil, err
	}
	defer trace.Close()
	all := make(kinds)
	var start time.Time
	for event, err := range trace.Events(ctx, etl2parquet.Scan{}) {
		if err != nil {
			return nil, err
		}
		if start.IsZero() {
			start = event.Time
		}
		s := all.of(kind{strings.ToLower(event.ProviderID), event.ID})
		s.name = cmp.Or(event.Provider, event.ProviderID) + "/" + event.Name
		s.add(event.Time.Sub(start))
	}
	return all, nil
}

func readFile[T any](path string, read func(io.Reader) (T, error)) (result T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return result, err
	}
	defer f.Close()
	if result, err = read(f); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return result, err
}

// resolution bounds the differences of times: tracerpt prints 100 ns.
const resolution = time.Microsecond

// compare prints a line for each kind of event, and reports whether all are the same.
func compare(out io.Writer, ours, theirs kinds) bool {
	keys := slices.Collect(maps.Keys(ours))
	for key := range theirs {
		if ours[key] == nil {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b kind) int { return cmp.Or(cmp.Compare(a.guid, b.guid), cmp.Compare(a.number, b.number)) })
	different := 0
	fmt.Fprintf(out, "%-9s %9s %9s  %s\n", "", "ours", "tracerpt", "event")
	for _, key := range keys {
		a, b := ours.of(key), theirs.of(key)
		verdict := "same"
		switch {
		case a.count != b.count:
			verdict = "count"
		case (a.first-b.first).Abs() > resolution || (a.last-b.last).Abs() > resolution:
			verdict = "times"
		}
		if verdict != "same" {
			different++
		}
		fmt.Fprintf(out, "%-9s %9d %9d  %s %d %q\n", verdict, a.count, b.count, key.guid, key.number, a.name)
		if verdict == "times" {
			fmt.Fprintf(out, "%31s first %v and %v, last %v and %v\n", "", a.first, b.first, a.last, b.last)
		}
	}
	fmt.Fprintf(out, "%d kinds of event, %d differ\n", len(keys), different)
	return different == 0
}

// dumpNames are the names that xperf's dumper has for some of our tables.
var dumpNames = map[string]string{
	"CSwitch": "Thread/CSwitch", "ReadyThread": "Thread/ReadyThread", "SampledProfile": "PerfInfo/SampleProf",
}

// compareDump compares numbers of events with the dumper's lines, and lists the names that it does not
// compare.
func compareDump(out io.Writer, ours kinds, lines map[string]int) bool {
	counts := make(map[string]int)
	for _, s := range ours {
		counts[s.name] += s.count
	}
	same := true
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		table, ok := dumpNames[name]
		switch {
		case !ok:
			fmt.Fprintf(out, "%-9s %9s %9d  dumper: %q\n", "listed", "", lines[name], name)
			continue
		case counts[table] == lines[name]:
			fmt.Fprintf(out, "%-9s %9d %9d  dumper: %q\n", "same", counts[table], lines[name], name)
		default:
			same = false
			fmt.Fprintf(out, "%-9s %9d %9d  dumper: %q\n", "count", counts[table], lines[name], name)
		}
	}
	return same
}
