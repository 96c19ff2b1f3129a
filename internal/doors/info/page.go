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

	"github.com/etl2parquet/etl2parquet/decode"
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
	s     *index.Summary
}

// write writes the page about a trace, wrapped to a width. If w is a terminal, cut is its width,
// and 0 otherwise.
func write(w io.Writer, width, cut int, s *index.Summary) {
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

func systemText(s *index.Summary) string {
	if s.OS == "" {
		return "not known"
	}
	text := s.OS
	if build := fmt.Sprintf("build %d", s.Build); !strings.HasSuffix(text, build) {
		text += fmt.Sprintf(" (%s, %s)", s.OSVersion, build)
	}
	if s.PointerSize == 4 || s.PointerSize == 8 {
		text += fmt.Sprintf(", %d bit", 8*s.PointerSize)
	}
	return text
}

func processorText(s *index.Summary) string {
	text := number.Grouped(int64(s.Processors))
	if s.CPUSpeedMHz > 0 {
		text += fmt.Sprintf(" at %s MHz", number.Grouped(int64(s.CPUSpeedMHz)))
	}
	if slices.Contains(s.LogFileModeText, "EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING") {
		text += "; the session does not record which processor an event is from"
	}
	return text
}

func zoneText(z *index.Zone) string {
	text := "UTC" + utcOffset(z.Bias+z.StandardBias)
	if z.StandardName != "" {
		text += fmt.Sprintf(" (%s)", z.StandardName)
	}
	if z.DaylightDate != nil {
		text += ", UTC" + utcOffset(z.Bias+z.DaylightBias) + " in summer"
	}
	return text
}

// utcOffset turns a bias (UTC - local time, minutes) into an offset from UTC.
func utcOffset(bias int32) string {
	sign, minutes := "+", -int64(bias)
	if minutes < 0 {
		sign, minutes = "-", -minutes
	}
	return fmt.Sprintf("%s%02d:%02d", sign, minutes/60, minutes%60)
}

func instantText(t *index.Instant, none string) string {
	if t == nil {
		return none
	}
	return t.Time().Format("2006-01-02 15:04:05.0000000 UTC") // the precision of FILETIME
}

func durationText(s *index.Summary) string {
	if s.DurationNS == nil {
		return ""
	}
	text := number.Elapsed(time.Duration(*s.DurationNS))
	if s.End == nil {
		text += ", to the last event"
	}
	return text
}

func bufferText(s *index.Summary) string {
	text := fmt.Sprintf("%s of %s", number.Grouped(s.Buffers), bytesize.Round(int64(s.BufferSize)))
	switch {
	case s.CompressionRatio == nil:
		text += fmt.Sprintf(", %s in use", bytesize.Round(s.Uncompressed))
	case s.Compressed == s.Buffers:
		text += fmt.Sprintf(", all compressed %.2f : 1, %s in memory", *s.CompressionRatio, bytesize.Round(s.Uncompressed))
	default:
		text += fmt.Sprintf(", %s compressed %.2f : 1, %s in memory", number.Grouped(s.Compressed), *s.CompressionRatio, bytesize.Round(s.Uncompressed))
	}
	return text
}

func lostText(s *index.Summary) string {
	if s.EventsLost == 0 && s.BuffersLost == 0 && s.LostSince == nil {
		if s.End == nil {
			return "not known: " + notStopped(s)
		}
		return "nothing, by the session's count"
	}
	text := fmt.Sprintf("%s, %s", number.Counted(int64(s.EventsLost), "event"), number.Counted(int64(s.BuffersLost), "buffer"))
	switch {
	case s.LostSince != nil:
		text += fmt.Sprintf(", since %s", *s.LostSince)
	case slices.Contains(s.LogFileModeText, "EVENT_TRACE_FILE_MODE_NEWFILE"):
		text += ", by the session up to the end of this file, in the files before it too"
	}
	return text
}

// The kinds of file that the page explains, by their names in a summary.
var (
	realTimeBackup = decode.FileRealTimeBackup.String()
	oldLog         = decode.FileOldLog.String()
)

// kindText explains the kind of a file, or returns "" for a log file.
func kindText(s *index.Summary) string {
	switch s.FileKind {
	case realTimeBackup:
		return "buffers of a real-time session that no consumer had read (RtBackup)"
	case oldLog:
		return "log file of Windows 2000, XP or Server 2003"
	}
	return ""
}

// notStopped explains why the end is unknown.
func notStopped(s *index.Summary) string {
	if s.FileKind == realTimeBackup {
		return "such a file does not say"
	}
	return "the session was not stopped"
}

func clockText(s *index.Summary) string {
	switch {
	case s.ClockFrequency == 0 && s.FileKind == realTimeBackup:
		return "ticks without a frequency in the file: times are computed for 10,000,000 Hz"
	case s.ClockFrequency == 0:
		return s.Clock + ", of unknown frequency"
	}
	return fmt.Sprintf("%s, %s Hz", s.Clock, number.Grouped(s.ClockFrequency))
}

// coveredText describes the time that the events of the file cover.
func coveredText(s *index.Summary) string {
	if s.FirstEvent == nil || s.Start == nil {
		return ""
	}
	from := *s.FirstEvent
	if s.CoveredFrom != nil {
		from = *s.CoveredFrom
	}
	after := func(t index.Instant) string { return fmt.Sprintf("%.6f", time.Duration(t-*s.Start).Seconds()) }
	text := fmt.Sprintf("%s, from %s to %s s after the start", number.Elapsed(time.Duration(*s.LastEvent-from)), after(from), after(*s.LastEvent))
	if s.CoveredFrom != nil {
		text += fmt.Sprintf("; the circular file overwrote %s before", number.Counted(s.Overwritten, "buffer"))
		if *s.FirstEvent < from {
			text += ", and kept the first ones"
		}
	}
	if s.End != nil && *s.LastEvent > *s.End {
		text += fmt.Sprintf("; the last event is %s later than the end that the header states", number.Elapsed(time.Duration(*s.LastEvent-*s.End)))
	}
	return text
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
func (p *page) since(t index.Instant) string {
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
func nameText(t *index.EventTypeTotal) string {
	if t.EventName == nil {
		return "-"
	}
	return grid.Printable(*t.EventName)
}

// eventText returns the number that identifies an event, in the terms of its header.
func eventText(t *index.EventTypeTotal) string {
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

func versionText(t *index.EventTypeTotal) string {
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
