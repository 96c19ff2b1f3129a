package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// document is the data of a page. The page's script reads it: the names of its fields are those of
// assets/*.js.
type document struct {
	Title    string      `json:"title"`
	Program  string      `json:"program"`
	Traces   []traceDoc  `json:"traces"`
	Start    string      `json:"start"`              // of the time axis, for people
	StartNS  string      `json:"start_ns"`           // since 1970; a text, because a number of JavaScript has 53 bits
	Since    int64       `json:"since_ns,omitempty"` // from the start of the only trace, from which --from counts
	Span     int64       `json:"span_ns"`
	Bin      int64       `json:"bin_ns"`
	Bins     int         `json:"bins"`
	Findings []finding   `json:"findings"`
	Lanes    []laneDoc   `json:"lanes"`
	Flame    *flameDoc   `json:"flame,omitempty"`
	Kinds    []kindDoc   `json:"kinds"`
	Tables   []tableDoc  `json:"tables"`
	Notes    []string    `json:"notes"` // what the page lacks, and why
	Against  *againstDoc `json:"against,omitempty"`
}

type traceDoc struct {
	Name  string   `json:"name"`
	Facts []string `json:"facts"`
}

type laneDoc struct {
	ID       string      `json:"id"`
	Title    string      `json:"title"`
	Unit     string      `json:"unit"`
	Note     string      `json:"note,omitempty"`
	SQL      string      `json:"sql"`
	Capacity float64     `json:"capacity,omitempty"`
	Series   []seriesDoc `json:"series"`
}

type seriesDoc struct {
	Name   string  `json:"name"`
	Total  int64   `json:"total"`
	Events int64   `json:"events"`
	Values []int64 `json:"values,omitempty"`
	Counts []int64 `json:"counts"`
}

// flameDoc is a tree of stacks. Nodes are numbered from 0, the root; a parent comes before its children.
// The cells are sorted by node and bin; each is the increase of the node, the bin, and the samples.
type flameDoc struct {
	Unit     string   `json:"unit"`            // samples or events
	Sides    []int64  `json:"sides,omitempty"` // of a comparison: the totals of the two sides, which are the bins of the cells
	Interval int64    `json:"interval_ns,omitempty"`
	Total    int64    `json:"total"`
	Names    []string `json:"names"`
	Modules  []string `json:"modules"`
	Labels   []int32  `json:"labels"` // name and module of each label, as places in the lists
	Parents  []int32  `json:"parents"`
	Nodes    []int32  `json:"nodes"` // the label of each node
	Cells    []int64  `json:"cells"`
	SQL      string   `json:"sql"`
}

type kindDoc struct {
	Provider string `json:"provider"`
	Name     string `json:"name"`
	Events   int64  `json:"events"`
	Errors   int64  `json:"errors"`
}

// tableDoc is the result of a statement.
type tableDoc struct {
	Name    string      `json:"name"`
	Doc     string      `json:"doc"`
	SQL     string      `json:"sql"`
	Total   int64       `json:"total"`
	Columns []columnDoc `json:"columns"`
	Rows    [][]any     `json:"rows"`
}

// columnDoc is a column of a table. Its kind says how its values are shown: time (in ns since the start of
// the time axis), ns, bytes, number, id or text.
type columnDoc struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// maxKinds is the number of kinds of event of a page.
const maxKinds = 300

// noFlame says why a page has no flame graph.
const noFlame = "The page does not say in which functions time went: there are neither samples of the processors nor stacks. \"wpr -start GeneralProfile\" records both."

// document returns the data of the page of an aggregate, with a tree that may be pruned.
func (g *aggregate) document(t *tree) *document {
	d := &document{
		Title: g.facts.title(), StartNS: strconv.FormatInt(g.facts.first, 10), Start: timeText(g.facts.first), Since: g.facts.since(),
		Span: g.axis.span, Bin: g.axis.width, Bins: g.axis.bins,
		Findings: g.found, Lanes: []laneDoc{}, Kinds: []kindDoc{}, Tables: []tableDoc{}, Notes: []string{},
	}
	if len(d.Findings) == 0 {
		d.Findings = g.findings()
	}
	for i := range g.facts.list {
		if i == maxTraces {
			d.Notes = append(d.Notes, "The page describes "+strconv.Itoa(maxTraces)+" of "+plural(int64(len(g.facts.list)), "trace", "traces")+".")
			break
		}
		d.Traces = append(d.Traces, g.facts.list[i].document())
	}
	for _, l := range g.lanes() {
		d.Lanes = append(d.Lanes, l.document())
	}
	for _, err := range g.failed {
		d.Notes = append(d.Notes, clip("Because a statement failed, "+err.Error()))
	}
	if t != nil {
		d.Flame = t.document()
		d.Flame.SQL = sqlStacks
		if g.isSampled {
			d.Flame.Unit, d.Flame.Interval, d.Flame.SQL = "samples", g.facts.interval, sqlFunctions
		}
		if note := t.note(); note != "" {
			d.Notes = append(d.Notes, note)
		}
	}
	if t == nil && g.events.total > 0 && !g.source.compares {
		d.Notes = append(d.Notes, noFlame)
	}
	for i, k := range g.events.byKind {
		if i == maxKinds {
			d.Notes = append(d.Notes, "The page lists "+strconv.Itoa(maxKinds)+" of "+plural(int64(len(g.events.byKind)), "kind of event", "kinds of event")+".")
			break
		}
		d.Kinds = append(d.Kinds, kindDoc{clip(k.provider), clip(k.name), k.events, k.errors})
	}
	return d
}

// setTables adds tables, each with its first rows only.
func (d *document) setTables(list []tableDoc, most int) {
	for _, t := range list {
		t.Rows = t.Rows[:min(len(t.Rows), most)]
		d.Tables = append(d.Tables, t)
	}
}

// maxTraces is the number of traces that a page describes one by one.
const maxTraces = 50

// document returns what a page says about a trace.
func (t *traceFacts) document() traceDoc {
	d := traceDoc{Name: clip(t.Trace)}
	add := func(text string) { d.Facts = append(d.Facts, clip(text)) }
	if t.OS != "" {
		add("Windows " + t.OS)
	}
	if t.Computer != "" {
		add("computer " + t.Computer)
	}
	if t.Processors > 0 {
		text := plural(t.Processors, "processor", "processors")
		if t.MHz > 0 {
			text += " at " + texts.Grouped(t.MHz) + " MHz"
		}
		add(text)
	}
	add("from " + timeText(t.first) + " UTC")
	add(duration(max(t.last-t.first, 0)))
	add(plural(t.Events, "event", "events"))
	if t.EventsLost > 0 || t.BuffersLost > 0 {
		add(plural(t.EventsLost, "event", "events") + " and " + plural(t.BuffersLost, "buffer", "buffers") + " lost")
	} else {
		add("nothing lost")
	}
	if t.Problems > 0 {
		add(plural(t.Problems, "problem", "problems"))
	}
	return d
}

func timeText(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05.000") }

func (l *lane) document() laneDoc {
	d := laneDoc{ID: l.id, Title: l.title, Unit: l.unit, Note: l.note, SQL: l.sql, Capacity: l.capacity}
	for _, s := range l.nonZero() {
		d.Series = append(d.Series, seriesDoc{Name: clip(s.name), Total: s.size(), Events: s.events, Values: s.values, Counts: s.counts})
	}
	return d
}

// note says what the tree lacks, or "".
func (t *tree) note() string {
	var parts []string
	if t.folded > 0 {
		parts = append(parts, plural(t.folded, "frame", "frames")+" with less than "+strconv.FormatFloat(100*t.share, 'g', 3, 64)+" % of the samples are drawn as \""+smallNodes+"\".")
	}
	if t.deep > 0 {
		parts = append(parts, plural(t.deep, "stack has", "stacks have")+" more than "+strconv.Itoa(maxDepth)+" frames: the outermost ones are drawn.")
	}
	return strings.Join(parts, " ")
}

// document returns the tree for a page.
func (t *tree) document() *flameDoc {
	d := &flameDoc{Unit: "events", Total: t.total}
	names, modules := make(map[string]int32), make(map[string]int32)
	place := func(places map[string]int32, list *[]string, text string) int32 {
		if i, ok := places[text]; ok {
			return i
		}
		i := int32(len(*list))
		places[text] = i
		*list = append(*list, clip(text))
		return i
	}
	for _, l := range t.labels {
		d.Labels = append(d.Labels, place(names, &d.Names, l.name), place(modules, &d.Modules, l.module))
	}
	for _, n := range t.nodes {
		d.Parents = append(d.Parents, n.parent)
		d.Nodes = append(d.Nodes, n.label)
	}
	last := int32(0)
	for _, c := range t.cells {
		d.Cells = append(d.Cells, int64(c.stack-last), int64(c.bin), c.count)
		last = c.stack
	}
	return d
}
