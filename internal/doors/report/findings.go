package report

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// finding is a sentence about a trace: the point, more about it, and the SQL that shows more.
type finding struct {
	Text   string `json:"text"`
	Detail string `json:"detail,omitempty"`
	SQL    string `json:"sql,omitempty"`

	Severity string `json:"severity,omitempty"` // error, warning or info; "" is info
}

func say(text, detail, sql string) finding { return finding{Text: text, Detail: detail, SQL: sql} }

// findings returns sentences about what was aggregated.
func (g *aggregate) findings() (list []finding) {
	add := func(f finding) {
		f.Text, f.Detail = clip(f.Text), clip(f.Detail)
		list = append(list, f)
	}
	for _, f := range g.processorFindings() {
		add(f)
	}
	for _, f := range g.waitFindings() {
		add(f)
	}
	if bytes := g.network; bytes.events() > 0 {
		sent, received := bytes.series[0], bytes.series[1]
		add(say(fmt.Sprintf("%s received and %s sent", bytesText(received.total), bytesText(sent.total)),
			"over the network, in "+plural(sent.events+received.events, "event", "events"), bytes.sql))
	}
	for _, l := range g.counts {
		if n := l.events(); n > 0 {
			add(say(texts.Grouped(n)+" "+l.series[0].name, "the busiest moment: "+l.busiest(&g.axis), l.sql))
		}
	}
	for _, f := range g.eventFindings() {
		add(f)
	}
	return list
}

// processorFindings say which process and function used the processors.
func (g *aggregate) processorFindings() (list []finding) {
	l := g.processor
	if l == nil || l.size() == 0 {
		return nil
	}
	all := float64(l.size())
	f := finding{SQL: l.sql}
	if g.tree != nil && g.isSampled {
		first := g.tree.processTotals()[0]
		f.Text = fmt.Sprintf("%s of the busy time is %s", percent(float64(first.weight), all), first.label.name)
		if f.Detail = g.busiestFunctions(all); f.Detail != "" {
			f.SQL = sqlFunctions
		}
	} else {
		f.Text = fmt.Sprintf("%s of the busy time is %s", percent(float64(l.series[0].size()), all), l.series[0].name)
	}
	list = append(list, f)
	busy := l.size()
	if l.unit == unitSamples {
		if g.facts.interval == 0 {
			return append(list, say(plural(busy, "sample", "samples")+" of busy processors", "the trace does not record the interval between samples", sqlProcesses))
		}
		busy *= g.facts.interval
	}
	processors := plural(g.facts.processors, "processor", "processors")
	if l.unit == unitSamples && g.idle > 0 { // as in what_stands_out: a session can sample less time than it logs
		sampled := busy + g.idle*g.facts.interval
		return append(list, say(
			fmt.Sprintf("%s of the time of %s was busy", percent(float64(busy), float64(sampled)), processors),
			fmt.Sprintf("%s of the %s that were sampled", duration(busy), duration(sampled)), l.sql,
		))
	}
	return append(list, say(
		fmt.Sprintf("%s of %s busy", percent(float64(busy), float64(g.axis.span)*float64(max(g.facts.processors, 1))), processors),
		fmt.Sprintf("%s of processor time in %s", duration(busy), duration(g.axis.span)), l.sql,
	))
}

// busiestFunctions describes the function with the most samples of its own, and code without a name that
// has more. It returns "" if no function has a tenth of all.
func (g *aggregate) busiestFunctions(all float64) string {
	var parts []string
	for _, f := range g.tree.functionTotals() {
		switch share := percent(float64(f.weight), all); {
		case float64(f.weight) < all/10:
		case f.label.name != "":
			return "of all processes: " + strings.Join(append(parts, share+" in "+f.label.name+" itself"), "; ")
		case f.label.module != "" && len(parts) == 0:
			parts = append(parts, share+" in "+f.label.module+", of which there are no symbols")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "of all processes: " + parts[0]
}

// waitFindings say what was waited for.
func (g *aggregate) waitFindings() (list []finding) {
	if n := g.garbage.events(); n > 0 {
		f := finding{Text: fmt.Sprintf("%s paused %s", plural(n, "garbage collection", "garbage collections"), duration(g.garbage.size())), SQL: g.garbage.sql}
		if m := g.longPause; m.ns > 0 {
			f.Detail = fmt.Sprintf("the longest %s: %s of %s, at %s", duration(m.ns), m.file, m.process, duration(m.start-g.axis.start))
		}
		list = append(list, f)
	}
	if n := g.faults.events(); n > 0 {
		f := finding{Text: fmt.Sprintf("%s waited %s", plural(n, "hard page fault", "hard page faults"), duration(g.faults.size())), SQL: sqlFaultFiles}
		if m := g.longFault; m.ns > 0 {
			f.Detail = fmt.Sprintf("the longest %s: %s", duration(m.ns), m.process)
			if m.file != "" {
				f.Detail += ", " + lastPart(m.file)
			}
		}
		list = append(list, f)
	}
	if n := g.disk.events(); n > 0 {
		f := finding{Text: fmt.Sprintf("%s took %s", plural(n, "disk transfer", "disk transfers"), duration(g.disk.size())), SQL: sqlDisk}
		if m := g.longDisk; m.ns > 0 {
			f.Detail = fmt.Sprintf("the longest %s: %s", duration(m.ns), m.process)
			if m.file != "" {
				f.Detail += ", " + lastPart(m.file)
			}
		}
		list = append(list, f)
	}
	if n := g.compiled.events(); n > 0 {
		list = append(list, say(fmt.Sprintf("%s compiled in %s", plural(n, "method", "methods"), duration(g.compiled.size())), "by the .NET runtime, while the trace was recorded", sqlCompiled))
	}
	return list
}

// eventFindings say which events there are, and what is missing.
func (g *aggregate) eventFindings() (list []finding) {
	errors := int64(0)
	var worst kindCount
	for _, k := range g.events.byKind {
		if errors += k.errors; k.errors > worst.errors {
			worst = k
		}
	}
	if errors > 0 {
		list = append(list, say(plural(errors, "event is an error", "events are errors"), fmt.Sprintf("most often %s: %s", worst.path(), texts.Grouped(worst.errors)), sqlErrorKinds))
	}
	if g.processor == nil && len(g.events.byKind) > 0 {
		first := g.events.byKind[0]
		list = append(list, say(
			fmt.Sprintf("%s of the events are %s", percent(float64(first.events), float64(g.events.total)), first.path()),
			fmt.Sprintf("%s of %s", texts.Grouped(first.events), plural(g.events.total, "event", "events")), sqlKinds,
		))
	}
	lost, buffers, raw, payloads := int64(0), int64(0), int64(0), int64(0)
	for _, t := range g.facts.list {
		lost, buffers, raw = lost+t.EventsLost, buffers+t.BuffersLost, raw+t.Raw
		payloads += t.Whole + t.InPart + t.Raw
	}
	if lost > 0 || buffers > 0 {
		list = append(list, say(fmt.Sprintf("%s and %s were lost", plural(lost, "event", "events"), plural(buffers, "buffer", "buffers")), "while the trace was recorded: figures are too small", sqlLost))
	}
	if raw > 0 {
		list = append(list, say(fmt.Sprintf("%s of the payloads are not decoded", percent(float64(raw), float64(payloads))), plural(raw, "payload", "payloads")+" that nothing describes", sqlRaw))
	}
	return list
}

// events returns the number of events of a lane.
func (l *lane) events() (n int64) {
	if l == nil {
		return 0
	}
	for _, s := range l.series {
		n += s.events
	}
	return n
}

// size returns the sum of a lane.
func (l *lane) size() (n int64) {
	for _, s := range l.series {
		n += s.size()
	}
	return n
}

// size returns the sum of a series.
func (s *series) size() int64 {
	if s.values == nil {
		return s.events
	}
	return s.total
}

// busiest describes the bin with the most events.
func (l *lane) busiest(a *axis) string {
	events, busiest := int64(0), 0
	for bin := range a.bins {
		n := int64(0)
		for _, s := range l.series {
			n += s.counts[bin]
		}
		if n > events {
			events, busiest = n, bin
		}
	}
	return fmt.Sprintf("%s in %s, at %s", texts.Grouped(events), duration(a.width), duration(int64(busiest)*a.width))
}
