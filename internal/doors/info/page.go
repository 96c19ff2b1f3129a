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

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/internal/base/text/bytesize"
	"github.com/etl2parquet/etl2parquet/internal/base/text/grid"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// The maximum rows of each long list on a page; --json has all.
const (
	pageProviders  = 20
	pageEventTypes = 20
	pagePDBs       = 10
	pageProblems   = 12
	pageNotWhole   = 20
)

// wide is the width from which a page has all columns. A narrower one leaves out those that identify
// nothing, so that names and numbers are not cut.
const wide = 100

// page is what info prints about one trace.
type page struct {
	w     io.Writer
	width int
	cut   int // see grid
	s     *etl2parquet.Info
}

// write writes the page about a trace, wrapped to a width. If w is a terminal, cut is its width,
// and 0 otherwise.
func write(w io.Writer, width, cut int, s *etl2parquet.Info) {
	p := &page{w: w, width: width, cut: cut, s: s}
	fmt.Fprintf(w, "%s\n", grid.Printable(s.File))
	p.about()
	p.headers()
	p.providers()
	p.eventTypes()
	p.notWhole()
	p.pdbs()
	p.problems()
}

// about prints the facts with a single value each.
func (p *page) about() {
	s := p.s
	g := grid.Grid{Indent: "  "}
	row := func(name, text string) {
		if text != "" {
			g.Add(name, grid.Printable(text))
		}
	}
	row("size", exactly(s.Size))
	row("kind", kindText(s))
	row("session", cmp.Or(s.SessionName, "(no name)"))
	row("written to", s.LogFileName)
	row("mode", shortNames(s.LogFileModeText))
	if s.MaximumFileBytes > 0 {
		row("limit", bytesize.Round(s.MaximumFileBytes))
	}
	row("kernel flags", shortNames(s.EnableFlagsText))
	row("system", systemText(s))
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
	row("events", number.Grouped(s.Events))
	if d := s.Decoding; d.All() > 0 {
		row("payloads", payloadsText(&d.Payloads))
		row("payload bytes", payloadBytesText(&d.Payloads))
	}
	row("lost", lostText(s))
	g.Cut = p.cut
	g.Print(p.w, p.width)
}

// exactly returns a size in bytes, followed by the rounded size if it is large.
func exactly(n int64) string {
	if n < 1024 {
		return number.Counted(n, "byte")
	}
	return fmt.Sprintf("%s bytes (%s)", number.Grouped(n), bytesize.Round(n))
}

func shortNames(flags []string) string {
	var short []string
	for _, name := range flags {
		short = append(short, session.ShortFlagName(name))
	}
	return strings.Join(short, ", ")
}

// list prints a section of the page, or nothing if no row is shown.
func (p *page) list(title string, shown, all int, g *grid.Grid) {
	if shown == 0 {
		return
	}
	if shown < all {
		title = fmt.Sprintf("%s: %s of %s", title, number.Grouped(int64(shown)), number.Grouped(int64(all)))
	}
	fmt.Fprintf(p.w, "\n%s\n", title)
	g.Indent, g.Cut = "  ", p.cut
	g.Print(p.w, p.width)
}

func (p *page) headers() {
	counts := p.s.EventsByHeader
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	g := grid.Grid{Right: []bool{true, true}}
	g.Add("events", "share", "header")
	for _, name := range names {
		g.Add(number.Grouped(counts[name]), number.Share(counts[name], p.s.Events), name)
	}
	p.list("Headers", len(names), len(names), &g)
}

// since returns a time in seconds since the start of the session, the form that --from accepts.
func (p *page) since(t etl2parquet.Instant) string {
	if p.s.Start == nil {
		return "-"
	}
	return fmt.Sprintf("%.6f", time.Duration(t-*p.s.Start).Seconds())
}

// kept returns the columns of a row that a page of a width has: a narrow one lacks some.
func kept[T any](width int, row []T, narrowLacks ...int) (list []T) {
	for i, v := range row {
		if width >= wide || !slices.Contains(narrowLacks, i) {
			list = append(list, v)
		}
	}
	return list
}

func (p *page) providers() {
	all := p.s.Providers
	shown := all[:min(len(all), pageProviders)]
	const types = 2 // is left out
	g := grid.Grid{Right: kept(p.width, []bool{true, true, true, true, true}, types)}
	row := func(cells ...string) { g.Add(kept(p.width, cells, types)...) }
	row("events", "share", "types", "first, s", "last, s", "provider")
	for _, t := range shown {
		row(number.Grouped(t.Events), number.Share(t.Events, p.s.Events), number.Grouped(t.EventTypes),
			p.since(t.FirstEvent), p.since(t.LastEvent), providerText(t.Name, t.ID)+ofComponent(t.NameSource))
	}
	p.list("Providers", len(shown), len(all), &g)
}

// providerText returns the name of a provider, or else its GUID.
func providerText(name, id *string) string {
	switch {
	case name != nil:
		return grid.Printable(*name)
	case id != nil:
		return *id
	}
	return "(none in the header)"
}

func (p *page) eventTypes() {
	all := p.s.EventTypes
	shown := all[:min(len(all), pageEventTypes)]
	const version, table = 4, 6 // are left out
	g := grid.Grid{Right: kept(p.width, []bool{true, true, false, false, true}, version)}
	row := func(cells ...string) { g.Add(kept(p.width, cells, version, table)...) }
	row("events", "share", "name", "event", "version", "provider", "table")
	for i := range shown {
		t := &shown[i]
		row(number.Grouped(t.Events), number.Share(t.Events, p.s.Events), nameText(t), eventText(t), versionText(t),
			providerText(t.ProviderName, t.ProviderID), t.HeaderTable)
	}
	p.list("Event types", len(shown), len(all), &g)
}

// ofComponent returns a remark if a name is the name of a component, not a provider.
func ofComponent(source *string) string {
	if source != nil && *source == index.ComponentName {
		return " (component)"
	}
	return ""
}

// nameText returns the name of an event, or a dash if nothing names it.
func nameText(t *etl2parquet.EventTypeTotal) string {
	if t.EventName == nil {
		return "-"
	}
	return grid.Printable(*t.EventName)
}

// eventText returns the number that identifies an event, in the terms of its header.
func eventText(t *etl2parquet.EventTypeTotal) string {
	switch t.HeaderTable {
	case "system_trace_header", "perfinfo_trace_header":
		return fmt.Sprintf("hook 0x%04X", t.EventID)
	case "event_header":
		return fmt.Sprintf("id %d", t.EventID)
	case "message_trace_header":
		return fmt.Sprintf("message %d", t.EventID)
	case "other_header":
		return fmt.Sprintf("header 0x%02X", t.EventID)
	}
	return fmt.Sprintf("type %d", t.EventID)
}

func versionText(t *etl2parquet.EventTypeTotal) string {
	switch t.HeaderTable {
	case "message_trace_header", "other_header":
		return "-" // these headers have no version
	}
	return fmt.Sprint(t.Version)
}

// notWhole lists the payloads that are not read whole, and the files that would help.
func (p *page) notWhole() {
	var n NotWhole
	n.Add(p.s.Decoding)
	if n.Whole == n.All() {
		return
	}
	g := n.grid(pageNotWhole)
	p.list(n.title(), g.Rows(), g.Rows(), g)
}

func (p *page) pdbs() {
	all := p.s.ProviderPDBs
	shown := all[:min(len(all), pagePDBs)]
	var g grid.Grid
	g.Add("pdb", "guid", "age")
	for _, pdb := range shown {
		g.Add(grid.Printable(pdb.Name), pdb.GUID, fmt.Sprint(pdb.Age))
	}
	p.list("Debug information of providers (for WPP messages)", len(shown), len(all), &g)
}

func (p *page) problems() {
	kinds := ProblemKinds(p.s.Problems)
	var g grid.Grid
	for i := range kinds[:min(len(kinds), pageProblems)] {
		g.Add(kinds[i].Line())
	}
	if more := len(kinds) - pageProblems; more > 0 {
		g.Add(fmt.Sprintf("and %d more kinds, which the JSON lists", more))
	}
	p.list("Problems", g.Rows(), g.Rows(), &g)
}
