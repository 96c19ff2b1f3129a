// Package info formats facts about traces: the page of the command info, the parts of it that other
// commands print too, and the list of the symbols that a trace needs.
package info

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The maximum rows of each long list on a page; --json has all.
const (
	pageProviders  = 20
	pageEventTypes = 20
	pagePDBs       = 10
	pageProblems   = 12
	pageNotWhole   = 20
)

// page is what info prints about one trace.
type page struct {
	w     io.Writer
	width int
	style texts.Style
	s     *facts.Info
}

// write writes the page about a trace, laid out for the width of the options.
func write(w io.Writer, o *Options, s *facts.Info) {
	p := &page{w: w, width: o.Width, style: o.Style, s: s}
	p.title(texts.Printable(s.File))
	p.about()
	if !o.Brief {
		p.headers()
	}
	p.providers()
	p.eventTypes()
	p.views()
	p.notWhole()
	p.pdbs()
	p.problems()
}

// about prints the facts with a single value each.
func (p *page) about() {
	s := p.s
	g := texts.Grid{Indent: "  "}
	row := func(name, text string) {
		if text != "" {
			g.Add(name, texts.Printable(text))
		}
	}
	row("size", exactly(s.Size))
	row("kind", kindText(s))
	row("session", cmp.Or(s.SessionName, "(no name)"))
	row("written to", s.LogFileName)
	row("mode", shortNames(s.LogFileModeText))
	if s.MaximumFileBytes > 0 {
		row("limit", texts.RoundSize(s.MaximumFileBytes))
	}
	row("kernel flags", shortNames(s.EnableFlagsText))
	row("system", systemText(s))
	if s.ComputerName != nil {
		row("computer", *s.ComputerName)
	}
	if s.BuildLab != nil {
		row("build lab", *s.BuildLab)
	}
	row("processors", processorText(s))
	row("time zone", zoneText(&s.TimeZone))
	row("clock", clockText(s))
	row("booted", instantText(s.BootTime, "not known"))
	row("start", instantText(s.Start, "not known"))
	row("end", instantText(s.End, "not known: "+notStopped(s)))
	row("duration", durationText(s))
	row("covers", coveredText(s))
	row("buffers", bufferText(s))
	row("events", texts.Grouped(s.Events))
	if d := s.Decoding; d.All() > 0 {
		row("payloads", payloadsText(&d.Payloads))
		row("payload bytes", payloadBytesText(&d.Payloads))
	}
	row("lost", lostText(s))
	g.Print(p.w, p.width)
}

// title prints a heading, wrapped to the width.
func (p *page) title(text string) {
	g := texts.Grid{Head: true, Style: p.style}
	g.Add(text)
	g.Print(p.w, p.width)
}

// exactly returns a size in bytes, followed by the rounded size if it is large.
func exactly(n int64) string {
	if n < 1024 {
		return texts.Counted(n, "byte")
	}
	return fmt.Sprintf("%s bytes (%s)", texts.Grouped(n), texts.RoundSize(n))
}

func shortNames(flags []string) string {
	var short []string
	for _, name := range flags {
		short = append(short, session.ShortFlagName(name))
	}
	return strings.Join(short, ", ")
}

// list prints a section of the page, or nothing if no row is shown.
func (p *page) list(title string, shown, all int, g *texts.Grid) {
	if shown == 0 {
		return
	}
	if shown < all {
		title = fmt.Sprintf("%s: %s of %s", title, texts.Grouped(int64(shown)), texts.Grouped(int64(all)))
	}
	fmt.Fprintln(p.w)
	p.title(title)
	g.Indent, g.Style = "  ", p.style
	g.Print(p.w, p.width)
}

func (p *page) headers() {
	counts := p.s.EventsByHeader
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	g := texts.Grid{Right: []bool{true, true}, Head: true}
	g.Add("events", "share", "header")
	for _, name := range names {
		g.Add(texts.Grouped(counts[name]), texts.Share(counts[name], p.s.Events), name)
	}
	p.list("Headers", len(names), len(names), &g)
}

// since returns a time in seconds since the start of the session, the form that --from accepts.
func (p *page) since(t facts.Instant) string {
	if p.s.Start == nil {
		return "-"
	}
	return fmt.Sprintf("%.6f", time.Duration(t-*p.s.Start).Seconds())
}

func (p *page) providers() {
	all := p.s.Providers
	shown := all[:min(len(all), pageProviders)]
	g := texts.Grid{Right: []bool{true, true, true, true}, Head: true}
	g.Add("events", "share", "first, s", "last, s", "provider")
	for _, t := range shown {
		g.Add(texts.Grouped(t.Events), texts.Share(t.Events, p.s.Events), p.since(t.FirstEvent), p.since(t.LastEvent),
			providerText(t.Name, t.ID)+ofComponent(t.NameSource))
	}
	p.list("Providers", len(shown), len(all), &g)
}

// providerText returns the name of a provider, or else its GUID.
func providerText(name, id *string) string {
	switch {
	case name != nil:
		return texts.Printable(*name)
	case id != nil:
		return *id
	}
	return "(none in the header)"
}

// eventTypes lists the events with their ids, and below each its table in SQL, or beside it if all
// rows fit.
func (p *page) eventTypes() {
	all := p.s.EventTypes
	shown := all[:min(len(all), pageEventTypes)]
	right := []bool{true, true}
	beside, below := texts.Grid{Right: right, Head: true}, texts.Grid{Right: right, Head: true}
	beside.Add("events", "share", "id", "event", "in SQL")
	below.Add("events", "share", "id", "event, and its table in SQL")
	for i := range shown {
		t := &shown[i]
		cells := []string{texts.Grouped(t.Events), texts.Share(t.Events, p.s.Events), t.IDText(), eventName(t)}
		below.Add(cells...)
		below.AddBelow(sqlName(t))
		beside.Add(append(cells, sqlName(t))...)
	}
	g := &below
	if beside.Indent = "  "; beside.Fits(p.width) {
		g = &beside
	}
	p.list("Event types", len(shown), len(all), g)
}

// views lists the views that have events here. A view over a table of headers is not listed, as it takes few of them.
func (p *page) views() {
	var trace absence.Trace
	if trace.AddEvents(p.s.EventTypes) != nil { // an id that is no GUID
		return
	}
	g := texts.Grid{Right: []bool{true}, Head: true}
	g.Add("events", "view", "")
	n := 0
	for _, v := range views.BuiltIn().All() {
		events := int64(0)
		for _, table := range views.BuiltIn().RowsOf(v.Name) {
			of, known := trace.EventsOf(table)
			if !known {
				events = 0
				break
			}
			events += of
		}
		if events > 0 {
			n++
			g.Add(texts.Grouped(events), v.Name, v.Summary())
		}
	}
	p.list("Views, and the events that each is made of", n, n, &g)
}

// eventName returns the name of an event with its provider, or its number in place of a name.
func eventName(t *facts.EventTypeTotal) string {
	name := fmt.Sprint(t.EventID)
	if t.EventName != nil {
		name = texts.Printable(*t.EventName)
	}
	if t.ProviderName == nil && t.ProviderID == nil {
		return name
	}
	return providerText(t.ProviderName, t.ProviderID) + "/" + name
}

// sqlName returns the name of the table with the payloads of an event in SQL, or else of the table
// with its header.
func sqlName(t *facts.EventTypeTotal) string {
	if t.PayloadTable != nil {
		return texts.Printable(schema.ViewName(*t.PayloadTable))
	}
	return t.HeaderTable
}

// ofComponent returns a remark if a name is the name of a component, not a provider.
func ofComponent(source *string) string {
	if source != nil && *source == index.ComponentName {
		return " (component)"
	}
	return ""
}

// notWhole lists the payloads that are not read whole, and the files that would help.
func (p *page) notWhole() {
	var n NotWhole
	n.Add(p.s.Decoding)
	if n.Whole == n.All() {
		return
	}
	g := n.grid(pageNotWhole, p.width)
	p.list(n.title(), g.Rows(), g.Rows(), g)
}

func (p *page) pdbs() {
	all := p.s.ProviderPDBs
	shown := all[:min(len(all), pagePDBs)]
	g := texts.Grid{Head: true}
	g.Add("pdb", "guid", "age")
	for _, pdb := range shown {
		g.Add(texts.Printable(pdb.Name), pdb.GUID, fmt.Sprint(pdb.Age))
	}
	p.list("Debug information of providers (for WPP messages)", len(shown), len(all), &g)
}

func (p *page) problems() {
	kinds := ProblemKinds(p.s.Problems)
	var g texts.Grid
	for i := range kinds[:min(len(kinds), pageProblems)] {
		g.Add(kinds[i].Line())
	}
	if more := len(kinds) - pageProblems; more > 0 {
		g.Add(fmt.Sprintf("and %d more kinds, which the JSON lists", more))
	}
	p.list("Problems", g.Rows(), g.Rows(), &g)
}
