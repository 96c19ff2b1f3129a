// Package results prints the results of a conversion.
package results

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/shell"
	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
	"github.com/etl2parquet/etl2parquet/internal/inputs"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// Table prints a line for each converted trace when it is done, and a summary at the end.
type Table struct {
	out   io.Writer
	start time.Time
	name  int // width of the column of names
	begun bool

	events, read, writes int64            // of the traces converted in this run
	counts               map[string]int64 // of problems, by code
	errors, warnings     int64
	notWhole             info.NotWhole // of the traces converted in this run
}

const longestName = 48

// New returns a table, on out, for traces of inputs with these names.
func New(out io.Writer, names []string) *Table {
	r := &Table{out: out, start: time.Now(), name: len("trace"), counts: make(map[string]int64)}
	for _, name := range names {
		r.name = max(r.name, min(longestName, utf8.RuneCountInString(name)))
	}
	return r
}

func (r *Table) line(name, events, rows, files, written, whole, problems, note string) {
	if note != "" {
		note = "  " + note
	}
	fmt.Fprintf(r.out, "%-*s  %13s  %13s  %5s  %10s  %7s  %8s%s\n", r.name, name, events, rows, files, written, whole, problems, note)
}

// Add prints the line of a trace.
func (r *Table) Add(result *batch.Result) {
	if !r.begun {
		r.begun = true
		r.line("trace", "events", "rows", "files", "written", "whole", "problems", "")
	}
	report := result.Report
	for _, p := range report.Problems {
		r.counts[p.Code] += p.Count
	}
	counts := result.Problems()
	r.errors += counts[problems.Failure]
	r.warnings += counts[problems.Warning]
	bytes := result.Written()
	note, written, whole := "", "-", "-"
	if len(report.Files) > 0 { // the files of a bundle are reported with its first trace
		written = bytesize.Round(bytes)
	}
	if d := report.Decoding; d != nil {
		whole = number.WholeShare(d.Whole, d.All())
	}
	if report.Skipped {
		note = "skipped: converted before"
	} else {
		r.events += report.Events
		r.read += result.Taken
		r.writes += bytes
		r.notWhole.Add(access.Decoding(report.Decoding).(*etl2parquet.Decoding))
	}
	r.line(report.Trace, number.Grouped(report.Events), number.Grouped(report.Rows), orDash(int64(len(report.Files))),
		written, whole, orDash(counts[problems.Failure]+counts[problems.Warning]), note)
}

func orDash(n int64) string {
	if n == 0 {
		return "-"
	}
	return number.Grouped(n)
}

// Summary prints the totals, and the command that queries the dataset, wrapped to a width.
func (r *Table) Summary(counts *batch.Counts, views string, width int) {
	fmt.Fprintf(r.out, "\n%s converted", number.Counted(int64(counts.Converted), "trace"))
	if counts.Skipped > 0 {
		fmt.Fprintf(r.out, ", %s skipped", number.Grouped(int64(counts.Skipped)))
	}
	if counts.Failed > 0 {
		fmt.Fprintf(r.out, ", %s failed", number.Grouped(int64(counts.Failed)))
	}
	fmt.Fprintln(r.out)
	if counts.Converted > 0 {
		took := time.Since(r.start)
		fmt.Fprintf(r.out, "%s in %s (%s events/s), %s read, %s written (%s)\n",
			number.Counted(r.events, "event"), number.Elapsed(took), number.PerSecond(float64(r.events)/max(took.Seconds(), 1e-6)),
			bytesize.Round(r.read), bytesize.Round(r.writes), number.Share(r.writes, r.read))
	}
	if line := lossLine(r.counts); line != "" {
		fmt.Fprintln(r.out, line)
	}
	if r.errors+r.warnings > 0 {
		fmt.Fprintf(r.out, "problems: %s, %s\n", number.Counted(r.errors, "error"), number.Counted(r.warnings, "warning"))
	}
	r.notWhole.WriteRun(r.out, width)
	if counts.Traces() > 0 {
		if inputs.IsBucketURL(views) {
			fmt.Fprintf(r.out, "\nto query it: fetch %s, and duckdb -init views.sql\n", shell.Quote(views))
			return
		}
		fmt.Fprintf(r.out, "\nto query it: duckdb -init %s\n", shell.Quote(views))
	}
}

// lossLine sums up losses, given the counts of problems by code, or returns "".
func lossLine(counts map[string]int64) string {
	var parts []string
	add := func(n int64, thing, how string) {
		if n > 0 {
			parts = append(parts, number.Counted(n, thing)+" "+how)
		}
	}
	add(counts["events_lost"], "event", "while recording")
	add(counts["buffers_lost"], "buffer", "while recording")
	add(counts["buffers_missing"], "buffer", "not in the file")
	add(counts["buffer_reports_loss"], "buffer", "preceded by a loss")
	if len(parts) == 0 {
		return ""
	}
	return "lost: " + strings.Join(parts, ", ")
}
