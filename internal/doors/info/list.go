package info

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// writeList writes a line for each of several traces. On a narrow page, the name and what is text
// stand above the numbers.
func writeList(w io.Writer, o *Options, traces []*facts.Info, folder string) {
	lines := make([]line, len(traces))
	computers := false
	var events, lost int64
	for i, t := range traces {
		lines[i] = lineOf(t, folder)
		computers = computers || lines[i].computer != ""
		events += t.Events
		if t.EventsLost != nil {
			lost += int64(*t.EventsLost)
		}
	}
	title := fmt.Sprintf("%s, %s, %s lost", texts.Counted(int64(len(traces)), "trace"), texts.Counted(events, "event"), texts.Grouped(lost))
	if folder != "" {
		title = texts.Printable(folder) + ": " + title
	}
	g := texts.Grid{Head: true, Style: o.Style}
	g.Add(title)
	g.Print(w, o.Width)
	fmt.Fprintln(w)
	if g := wideList(o, lines, computers); g.Fits(o.Width + wrapped) {
		g.Print(w, o.Width)
		return
	}
	narrowList(o, lines, computers).Print(w, o.Width)
}

// wrapped is how much of a system may be wrapped so that a trace is a row.
const wrapped = 12

// wideList has a row for each trace.
func wideList(o *Options, lines []line, computers bool) *texts.Grid {
	g := &texts.Grid{Right: []bool{false, true, true, true, true, true, true, true, true}, Head: true, Style: o.Style}
	row := func(computer string, texts ...string) {
		if computers {
			texts = append(texts, computer)
		}
		g.Add(texts...)
	}
	row("computer", "trace", "start, UTC", "duration", "events", "lost", "whole", "in part", "raw", "problems", "system")
	for _, l := range lines {
		row(cmp.Or(l.computer, "-"), l.name, l.start, l.duration, l.events, l.lost, l.whole, texts.GroupedOrDash(l.inPart), texts.GroupedOrDash(l.raw), l.problems, cmp.Or(l.system, "-"))
	}
	return g
}

// narrowList has a row for each trace below its name.
func narrowList(o *Options, lines []line, computers bool) *texts.Grid {
	g := &texts.Grid{Indent: "  ", Right: []bool{true, true, true, true, true, true}, Head: true, Style: o.Style}
	g.Add("start, UTC", "duration", "events", "lost", "whole", "problems")
	title := "trace, system"
	if computers {
		title += ", computer"
	}
	g.AddAbove(title + ", payloads that are not whole")
	for _, l := range lines {
		g.Add(l.start, l.duration, l.events, l.lost, l.whole, l.problems)
		above := []string{l.name}
		for _, text := range []string{l.system, l.computer, counted(l.inPart, "in part"), counted(l.raw, "raw")} {
			if text != "" {
				above = append(above, text)
			}
		}
		g.AddAbove(strings.Join(above, ", "))
	}
	return g
}

// counted returns a number with a word, or "" for none.
func counted(n int64, word string) string {
	if n == 0 {
		return ""
	}
	return texts.Grouped(n) + " " + word
}

// commonFolder returns the folder that all traces are in, with its separator, or "".
func commonFolder(traces []*facts.Info) string {
	folder := traces[0].File
	for _, t := range traces {
		n := 0
		for n < min(len(folder), len(t.File)) && folder[n] == t.File[n] {
			n++
		}
		folder = folder[:strings.LastIndexAny(folder[:n], `/\`)+1]
	}
	return folder
}

// line is what a list says of a trace.
type line struct {
	name, start, duration, events, lost, whole, problems string
	system, computer                                     string // "" if unknown
	inPart, raw                                          int64  // payloads
}

func lineOf(t *facts.Info, folder string) line {
	l := line{
		name: texts.Printable(strings.TrimPrefix(t.File, folder)), start: "not known", duration: "-", events: texts.Grouped(t.Events),
		lost: lostOf(t), whole: "-", problems: problemsText(t.Problems), system: texts.Printable(t.OS),
	}
	if t.ComputerName != nil {
		l.computer = texts.Printable(*t.ComputerName)
	}
	if t.Start != nil {
		l.start = t.Start.Time().Format(time.DateTime)
	}
	if t.DurationNS != nil {
		l.duration = texts.Elapsed(time.Duration(*t.DurationNS))
	}
	if d := t.Decoding; d.All() > 0 {
		l.whole, l.inPart, l.raw = texts.WholeShare(d.Whole, d.All()), d.InPart, d.Raw
	}
	return l
}

// lostOf says how many events a trace lost.
func lostOf(t *facts.Info) string {
	switch {
	case t.SessionEvents == nil:
		return texts.GroupedOrDash(0)
	case t.EventsLost == nil:
		return "?" // the session had lost some by the end of this file of a series
	case *t.EventsLost == 0 && *t.BuffersLost > 0:
		return "some" // the session does not count the events of lost buffers
	}
	return texts.GroupedOrDash(int64(*t.EventsLost))
}

// problemsText counts the problems that are errors or warnings. A loss is one problem, as convert counts
// it: the column lost has the number of lost events.
func problemsText(list []facts.Problem) string {
	n := int64(0)
	for i := range list {
		switch p := &list[i]; {
		case p.Severity == facts.SeverityInfo:
		case batch.LostThing(p.Code) != "":
			n++
		default:
			n += p.Count
		}
	}
	return texts.GroupedOrDash(n)
}
