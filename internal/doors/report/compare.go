package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
)

// comparison is what a page shows of two aggregates.
type comparison struct {
	sides [2]*aggregate
	tree  *tree // of both, with the side as the bin of the cells; nil if they have no stacks of one kind
	notes []string
}

// againstDoc is the other side of a page that compares.
type againstDoc struct {
	Title     string      `json:"title"`
	Traces    []traceDoc  `json:"traces"`
	Span      int64       `json:"span_ns"`
	Bin       int64       `json:"bin_ns"`
	Bins      int         `json:"bins"`
	Lanes     []laneDoc   `json:"lanes"`
	Unit      string      `json:"unit"`      // of the shares: samples or events
	Changes   []changeDoc `json:"changes"`   // of shares, the largest first
	Processes []changeDoc `json:"processes"` // by share of all samples
	Functions []changeDoc `json:"functions"`
	Figures   []figureDoc `json:"figures"`
}

// changeDoc is a share on both sides, in percent of the samples or events of the side.
type changeDoc struct {
	What   string  `json:"what"` // process, function or event
	Name   string  `json:"name"`
	Module string  `json:"module"` // or provider
	A      float64 `json:"a"`
	B      float64 `json:"b"`
}

// figureDoc is a number on both sides.
type figureDoc struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	A    int64  `json:"a"`
	B    int64  `json:"b"`
	SQL  string `json:"sql"`
}

// newComparison compares an aggregate with the one before it.
func newComparison(a, b *aggregate) *comparison {
	c := &comparison{sides: [2]*aggregate{a, b}}
	switch {
	case a.tree == nil && b.tree == nil:
	case a.tree == nil || b.tree == nil:
		c.notes = append(c.notes, "Only one of the two has stacks, so there is no flame graph.")
	case a.isSampled != b.isSampled:
		c.notes = append(c.notes, "Only one of the two has samples of the processors, so there is no flame graph.")
	default:
		c.tree = joined(a.tree, b.tree)
	}
	return c
}

// joined returns a tree with the nodes of two trees. The bins of its cells are the sides.
func joined(a, b *tree) *tree {
	j := newTree()
	var cells []cell
	for side, t := range []*tree{a, b} {
		to := make([]int32, len(t.nodes))
		self := t.self()
		for i := range t.nodes {
			if i > 0 {
				l := t.labels[t.nodes[i].label]
				to[i] = j.child(to[t.nodes[i].parent], j.label(l.name, l.module))
			}
			if self[i] > 0 {
				cells = append(cells, cell{int32(side), to[i], self[i]})
			}
		}
		j.folded += t.folded
		j.deep += t.deep
	}
	j.setCells(cells)
	return j
}

// most is the number of rows of the lists of a comparison.
const (
	mostChanges   = 40
	mostFunctions = 300
)

// document returns the data of the page, with a tree that may be pruned.
func (c *comparison) document(t *tree) *document {
	a, b := c.sides[0], c.sides[1]
	d, other := a.document(nil), b.document(nil)
	d.Notes = append(append(d.Notes, other.Notes...), c.notes...)
	d.Against = &againstDoc{
		Title: other.Title, Traces: other.Traces, Span: other.Span, Bin: other.Bin, Bins: other.Bins, Lanes: other.Lanes, Unit: "events",
		Processes: c.processes(), Functions: []changeDoc{}, Figures: c.figures(),
	}
	changes := slices.Clone(d.Against.Processes)
	if a.isSampled && b.isSampled {
		d.Against.Unit = "samples"
		functions := c.functions()
		changes = append(changes, functions...)
		d.Against.Functions = functions[:min(len(functions), mostFunctions)]
	} else {
		changes = append(changes, c.kinds()...)
	}
	sortChanges(changes)
	d.Against.Changes = changes[:min(len(changes), mostChanges)]
	if t != nil {
		d.Flame = t.document()
		d.Flame.Unit, d.Flame.Sides, d.Flame.SQL = d.Against.Unit, []int64{a.tree.total, b.tree.total}, sqlStacks
		if a.isSampled {
			d.Flame.SQL = sqlFunctions
		}
		if note := t.note(); note != "" {
			d.Notes = append(d.Notes, note)
		}
	}
	d.Findings = c.findings(d.Against)
	return d
}

// sortChanges sorts changes, the largest first.
func sortChanges(list []changeDoc) {
	slices.SortStableFunc(list, func(x, y changeDoc) int {
		return cmp.Or(cmp.Compare(math.Abs(y.B-y.A), math.Abs(x.B-x.A)), cmp.Compare(y.A, x.A),
			strings.Compare(x.What, y.What), strings.Compare(x.Name, y.Name), strings.Compare(x.Module, y.Module))
	})
}

// shareOf collects shares of both sides by label.
type shareOf struct {
	what string
	at   map[label]int
	list []changeDoc
}

func (s *shareOf) add(side int, l label, part, all int64) {
	if all == 0 {
		return
	}
	i, ok := s.at[l]
	if !ok {
		i = len(s.list)
		s.at[l] = i
		s.list = append(s.list, changeDoc{What: s.what, Name: clip(l.name), Module: clip(l.module)})
	}
	share := math.Round(1e5*float64(part)/float64(all)) / 1e3
	if side == 0 {
		s.list[i].A += share
	} else {
		s.list[i].B += share
	}
}

// processes returns the shares of processes: of the time of the processors, or of their stacks.
func (c *comparison) processes() []changeDoc {
	s := &shareOf{what: "process", at: make(map[label]int), list: []changeDoc{}}
	for side, g := range c.sides {
		switch {
		case c.isMixed():
		case c.tree != nil:
			for _, p := range g.tree.processTotals() {
				s.add(side, label{name: p.label.name}, p.weight, g.tree.total)
			}
		case g.processor != nil:
			for _, p := range g.processor.series {
				s.add(side, label{name: p.name}, p.size(), g.processor.size())
			}
		}
	}
	sortChanges(s.list)
	return s.list
}

// isMixed reports whether only one side has samples, so that shares of the processors are not comparable.
func (c *comparison) isMixed() bool {
	a, b := c.sides[0], c.sides[1]
	return a.isSampled != b.isSampled || (a.processor == nil) != (b.processor == nil)
}

// functions returns the shares of functions in the samples, without what they call.
func (c *comparison) functions() []changeDoc {
	s := &shareOf{what: "function", at: make(map[label]int), list: []changeDoc{}}
	for side, g := range c.sides {
		for _, f := range g.tree.functionTotals() {
			s.add(side, f.label, f.weight, g.tree.total)
		}
	}
	sortChanges(s.list)
	return s.list
}

// kinds returns the shares of kinds of event.
func (c *comparison) kinds() []changeDoc {
	s := &shareOf{what: "event", at: make(map[label]int), list: []changeDoc{}}
	for side, g := range c.sides {
		for _, k := range g.events.byKind {
			s.add(side, label{k.name, k.provider}, k.events, g.events.total)
		}
	}
	return s.list
}

// figures returns the numbers of both sides that either has.
func (c *comparison) figures() []figureDoc {
	list := []figureDoc{}
	add := func(name, unit, sql string, of func(g *aggregate) int64) {
		f := figureDoc{Name: name, Unit: unit, SQL: sql, A: of(c.sides[0]), B: of(c.sides[1])}
		if f.A != 0 || f.B != 0 {
			list = append(list, f)
		}
	}
	add("duration", unitTime, "", func(g *aggregate) int64 { return g.axis.span })
	add("busy processors", unitTime, sqlProcesses, func(g *aggregate) int64 {
		switch {
		case g.processor == nil:
			return 0
		case g.isSampled:
			return g.processor.size() * g.facts.interval
		}
		return g.processor.size()
	})
	add("samples", unitCount, sqlProcesses, func(g *aggregate) int64 {
		if !g.isSampled {
			return 0
		}
		return g.processor.size()
	})
	for _, l := range []struct {
		count, time string
		of          func(g *aggregate) *lane
	}{
		{"garbage collections", "pauses of collections", func(g *aggregate) *lane { return g.garbage }},
		{"hard page faults", "waiting for pages", func(g *aggregate) *lane { return g.faults }},
		{"disk transfers", "time of the disk", func(g *aggregate) *lane { return g.disk }},
		{"compiled methods", "compiling", func(g *aggregate) *lane { return g.compiled }},
	} {
		sql := l.of(c.sides[0]).sql
		add(l.count, unitCount, sql, func(g *aggregate) int64 { return l.of(g).events() })
		add(l.time, unitTime, sql, func(g *aggregate) int64 { return l.of(g).size() })
	}
	add("sent", unitBytes, c.sides[0].network.sql, func(g *aggregate) int64 { return g.network.series[0].total })
	add("received", unitBytes, c.sides[0].network.sql, func(g *aggregate) int64 { return g.network.series[1].total })
	for i, l := range c.sides[0].counts {
		add(l.series[0].name, unitCount, l.sql, func(g *aggregate) int64 { return g.counts[i].events() })
	}
	for _, f := range comparedViews {
		add(f.name, f.unit, f.sql, func(g *aggregate) int64 { return g.figures[f.name] })
	}
	add("errors and warnings", unitCount, sqlErrors, func(g *aggregate) int64 { return g.events.errors.events() })
	add("events", unitCount, sqlKinds, func(g *aggregate) int64 { return g.events.total })
	return list
}

// comparedViews are figures from views. Their SQL names the number n.
var comparedViews = []struct{ view, name, unit, sql string }{
	{"http_requests", "median time of requests", unitTime, "SELECT CAST(median(duration_ns) AS BIGINT) AS n\nFROM http_requests"},
	{"http_requests", "longest request", unitTime, "SELECT max(duration_ns) AS n\nFROM http_requests"},
	{"http_requests", "requests with status 400 and higher", unitCount, "SELECT count(*) AS n\nFROM http_requests\nWHERE status >= 400"},
	{"gc_pauses", "longest pause of a collection", unitTime, "SELECT max(pause_ns) AS n\nFROM gc_pauses\nWHERE is_gc"},
	{"exceptions", "exceptions", unitCount, "SELECT count(*) AS n\nFROM exceptions"},
	{"contention", "waiting for locks", unitTime, "SELECT CAST(sum(wait_ns) AS BIGINT) AS n\nFROM contention"},
}

// readFigures runs the statements of the figures whose views have rows.
func (g *aggregate) readFigures(run Runner) error {
	g.figures = make(map[string]int64)
	var names, statements []string
	for _, f := range comparedViews {
		if g.source.views.Lookup(f.view) == nil {
			continue
		}
		ok, err := g.source.hasView(f.view)
		if err != nil {
			return err
		}
		if ok {
			names, statements = append(names, f.name), append(statements, f.sql)
		}
	}
	if statements == nil {
		return nil
	}
	what := func(i int) string { return "the figure " + names[i] }
	return g.runEach(run, statements, what, func(i int, lines io.Reader) (err error) {
		g.figures[names[i]], err = readCount(lines)
		return err
	})
}

// findings returns sentences about what changed.
func (c *comparison) findings(d *againstDoc) (list []finding) {
	for _, change := range d.Changes {
		if len(list) == 4 || math.Abs(change.B-change.A) < 1 {
			break
		}
		sql := map[string]string{"process": sqlProcesses, "function": sqlFunctions, "event": sqlKinds}[change.What]
		list = append(list, say(
			fmt.Sprintf("%s: %+.1f points", clip(cmp.Or(change.Name, change.Module)), change.B-change.A),
			fmt.Sprintf("the %s had %.1f %% of the %s, and has %.1f %%", change.What, change.A, d.Unit, change.B), sql,
		))
	}
	for _, f := range d.Figures {
		if f.Name == "duration" || f.Name == "samples" || f.Name == "events" || f.A == f.B || len(list) == 9 {
			continue
		}
		show := texts.Grouped
		switch f.Unit {
		case unitTime:
			show = duration
		case unitBytes:
			show = bytesText
		}
		list = append(list, say(fmt.Sprintf("%s: %s, then %s", f.Name, show(f.A), show(f.B)), times(f.A, f.B), f.SQL))
	}
	return list
}

// times describes how much larger the second of two numbers is.
func times(a, b int64) string {
	switch {
	case a == 0 || b == 0:
		return ""
	case b > a:
		return significant(float64(b)/float64(a)) + " times as much"
	}
	return percent(float64(a-b), float64(a)) + " less"
}
