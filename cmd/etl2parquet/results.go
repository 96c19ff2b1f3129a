package main

import (
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/shell"
)

// results prints a line for each converted trace when it is done, and a summary at the end.
type results struct {
	out   io.Writer
	start time.Time
	name  int // width of the column of names
	begun bool

	converted, skipped   int64
	events, read, writes int64            // of the traces converted in this run
	lost                 map[string]int64 // by problem code
	errors, warnings     int64
	undecoded            undecoded // of the traces converted in this run
}

const longestName = 48

func newResults(out io.Writer, files []input) *results {
	r := &results{out: out, start: time.Now(), name: len("trace"), lost: make(map[string]int64)}
	for i := range files {
		r.name = max(r.name, min(longestName, utf8.RuneCountInString(files[i].trace)))
	}
	return r
}

func (r *results) traces() int { return int(r.converted + r.skipped) }

func (r *results) line(name, events, rows, files, written, decoded, problems, note string) {
	if note != "" {
		note = "  " + note
	}
	fmt.Fprintf(r.out, "%-*s  %13s  %13s  %5s  %10s  %7s  %8s%s\n", r.name, name, events, rows, files, written, decoded, problems, note)
}

func (r *results) add(report *convert.Report, size int64) {
	if !r.begun {
		r.begun = true
		r.line("trace", "events", "rows", "files", "written", "decoded", "problems", "")
	}
	var bytes, problems int64
	for _, f := range report.Files {
		bytes += f.Bytes
	}
	for _, p := range report.Problems {
		r.lost[p.Code] += p.Count
		if _, isLoss := lossCodes[p.Code]; isLoss {
			p.Count = 1 // its count is of lost things, not of problems
		}
		switch p.Severity {
		case convert.Failure:
			r.errors += p.Count
		case convert.Warning:
			r.warnings += p.Count
		default:
			continue
		}
		problems += p.Count
	}
	note, written, decoded := "", "-", "-"
	if len(report.Files) > 0 { // the files of a bundle are reported with its first trace
		written = bytesize.Round(bytes)
	}
	if d := report.Decoding; d != nil {
		decoded = wholeShare(decodedOf(d), d.Events)
	}
	if report.Skipped {
		note = "skipped: converted before"
		r.skipped++
	} else {
		r.converted++
		r.events += report.Events
		r.read += size
		r.writes += bytes
		r.undecoded.add(report.Decoding)
	}
	r.line(report.Trace, grouped(report.Events), grouped(report.Rows), orDash(int64(len(report.Files))),
		written, decoded, orDash(problems), note)
}

func orDash(n int64) string {
	if n == 0 {
		return "-"
	}
	return grouped(n)
}

// summary prints the totals, and the command that queries the dataset.
func (r *results) summary(failed int, views string) {
	fmt.Fprintf(r.out, "\n%s converted", counted(r.converted, "trace"))
	if r.skipped > 0 {
		fmt.Fprintf(r.out, ", %s skipped", grouped(r.skipped))
	}
	if failed > 0 {
		fmt.Fprintf(r.out, ", %s failed", grouped(int64(failed)))
	}
	fmt.Fprintln(r.out)
	if r.converted > 0 {
		took := time.Since(r.start)
		fmt.Fprintf(r.out, "%s in %s (%s events/s), %s read, %s written (%s)\n",
			counted(r.events, "event"), elapsed(took), perSecond(float64(r.events)/max(took.Seconds(), 1e-6)),
			bytesize.Round(r.read), bytesize.Round(r.writes), share(r.writes, r.read))
	}
	if line := lossLine(r.lost); line != "" {
		fmt.Fprintln(r.out, line)
	}
	if r.errors+r.warnings > 0 {
		fmt.Fprintf(r.out, "problems: %s, %s\n", counted(r.errors, "error"), counted(r.warnings, "warning"))
	}
	r.undecoded.print(r.out)
	if r.traces() > 0 {
		if isBucketURL(views) {
			fmt.Fprintf(r.out, "\nto query it: fetch %s, and duckdb -init views.sql\n", shell.Quote(views))
			return
		}
		fmt.Fprintf(r.out, "\nto query it: duckdb -init %s\n", shell.Quote(views))
	}
}
