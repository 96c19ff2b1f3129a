// Package results prints the results of a conversion.
package results

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// Table prints a line for each converted trace when it is done, and a summary at the end.
type Table struct {
	out   io.Writer
	o     Options
	start time.Time
	name  int  // width of the column of names
	short bool // the columns rows and files are left out, as the page has no room for them
	begun bool

	events, read, writes int64            // of the traces converted in this run
	counts               map[string]int64 // of problems, by code
	errors, warnings     int64
	notWhole             info.NotWhole // of the traces converted in this run
}

// Options say how to print results.
type Options struct {
	Width int // of a page
	Style texts.Style
	Next  string // command line that queries the dataset; "" names none
}

// The widths of the columns after the names, with the two spaces before each.
const (
	shortColumns = 2 + 11 + 2 + 10 + 2 + 7 + 2 + 8
	moreColumns  = 2 + 11 + 2 + 5 // rows and files
)

// New returns a table, on out, for traces of inputs with these names.
func New(out io.Writer, names []string, o Options) *Table {
	r := &Table{out: out, o: o, start: time.Now(), name: len("trace"), counts: make(map[string]int64)}
	for _, name := range names {
		r.name = max(r.name, texts.Width(name))
	}
	r.short = r.name+shortColumns+moreColumns > o.Width
	room := o.Width - shortColumns
	if !r.short {
		room -= moreColumns
	}
	r.name = max(min(r.name, room), len("trace"))
	return r
}

// line prints a row. A name for which there is no room has a line of its own.
func (r *Table) line(name, events, rows, files, written, whole, problems string) {
	var b strings.Builder
	used := r.name + shortColumns
	if !r.short {
		used += moreColumns
	}
	if more := texts.Width(name) - r.name; more > 0 && used+more > r.o.Width {
		fmt.Fprintln(&b, name)
		name = ""
	}
	b.WriteString(texts.Pad(name, r.name, false))
	fmt.Fprintf(&b, "  %11s", events)
	if !r.short {
		fmt.Fprintf(&b, "  %11s  %5s", rows, files)
	}
	fmt.Fprintf(&b, "  %10s  %7s  %8s", written, whole, problems)
	line := b.String()
	if !r.begun {
		line = r.o.Style.Bold(line)
	}
	fmt.Fprintln(r.out, line)
}

// Add prints the line of a trace.
func (r *Table) Add(result *batch.Result) {
	if !r.begun {
		r.line("trace", "events", "rows", "files", "written", "whole", "problems")
		r.begun = true
	}
	report := result.Report
	for _, p := range report.Problems {
		r.counts[p.Code] += p.Count
	}
	counts := result.Problems()
	r.errors += counts[facts.SeverityError]
	r.warnings += counts[facts.SeverityWarning]
	bytes := result.Written()
	written, whole := "-", "-"
	if len(report.Files) > 0 { // the files of a bundle are reported with its first trace
		written = texts.RoundSize(bytes)
	}
	if d := report.Decoding; d != nil {
		whole = texts.WholeShare(d.Whole, d.All())
	}
	if report.Skipped {
		written = "skipped" // it was converted before
	} else {
		r.events += report.Events
		r.read += result.Taken
		r.writes += bytes
		r.notWhole.Add(report.Decoding)
	}
	r.line(report.Trace, texts.Grouped(report.Events), texts.Grouped(report.Rows), texts.GroupedOrDash(int64(len(report.Files))),
		written, whole, texts.GroupedOrDash(counts[facts.SeverityError]+counts[facts.SeverityWarning]))
}

// Summary prints the totals, and the command that queries the dataset.
func (r *Table) Summary(counts *batch.Counts) {
	first := texts.Counted(int64(counts.Converted), "trace") + " converted"
	if counts.Skipped > 0 {
		first += fmt.Sprintf(", %s skipped", texts.Grouped(int64(counts.Skipped)))
	}
	if counts.Failed > 0 {
		first += fmt.Sprintf(", %s failed", texts.Grouped(int64(counts.Failed)))
	}
	var g texts.Grid
	g.Add(first)
	if counts.Converted > 0 {
		g.Add(r.work(time.Since(r.start)))
		g.Add(r.bytes())
	}
	if line := lossLine(r.counts); line != "" {
		g.Add(line)
	}
	if r.errors+r.warnings > 0 {
		g.Add(fmt.Sprintf("problems: %s, %s", texts.Counted(r.errors, "error"), texts.Counted(r.warnings, "warning")))
	}
	fmt.Fprintln(r.out)
	g.Print(r.out, r.o.Width)
	r.notWhole.WriteRun(r.out, r.o.Width, r.o.Style)
	if counts.Traces() > 0 && r.o.Next != "" {
		fmt.Fprintf(r.out, "\n%s\n  %s\n", r.o.Style.Bold("to query it:"), r.o.Next)
	}
}

// leastRatio is the size of a run from which the size of its files is compared with it: the schemas of
// small ones are larger than their rows.
const leastRatio = 1 << 20

// work says how many events were converted, and how fast.
func (r *Table) work(took time.Duration) string {
	return fmt.Sprintf("%s in %s (%s events/s)", texts.Counted(r.events, "event"), texts.Elapsed(took), texts.PerSecond(float64(r.events)/max(took.Seconds(), 1e-6)))
}

// bytes says how much was read and written.
func (r *Table) bytes() string {
	text := fmt.Sprintf("%s read, %s written", texts.RoundSize(r.read), texts.RoundSize(r.writes))
	if r.read >= leastRatio {
		text += fmt.Sprintf(" (%s)", texts.Share(r.writes, r.read))
	}
	return text
}

// lossLine sums up losses, given the counts of problems by code, or returns "".
func lossLine(counts map[string]int64) string {
	var parts []string
	add := func(n int64, thing, how string) {
		if n > 0 {
			parts = append(parts, texts.Counted(n, thing)+" "+how)
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
