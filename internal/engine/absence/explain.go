package absence

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Read is a table or view that SQL reads.
type Read struct {
	Name   string
	Tables []string // the tables that give it rows, by their names in SQL: itself, or those of a view
	Rows   int64    // of these tables

	Sources []Source // of a view
}

// Source is one of the things that give a view rows.
type Source struct {
	Name     string
	Tables   []string // by their names in SQL
	Recorded string   // what records its events, in words
	Where    string   // the condition that its events satisfy; "" means all
	Rows     int64    // of the tables
}

// sources says why a view has no rows, of all its sources: what records each, and what the traces have of it.
func (r *Read) sources(traces []Trace) string {
	var list []string
	for _, s := range r.Sources {
		text := s.recorded()
		var all group
		for _, name := range s.Tables {
			if need := NeedOf(name); need != nil {
				all = append(all, need.Events...)
			}
		}
		n := int64(0)
		for i := range traces {
			for _, k := range traces[i].Kinds {
				if k.isOneOf(all) {
					n += k.Events
				}
			}
		}
		if tables := r.elsewhere(all, traces); n > 0 && len(tables) > 0 {
			text += fmt.Sprintf(" (its events have another name here: %s)", strings.Join(tables, ", "))
		} else if n > 0 {
			text += fmt.Sprintf(" (%s here, but nothing decodes their payload, or they are not selected)", texts.Counted(n, "event"))
		}
		list = append(list, text)
	}
	text := fmt.Sprintf("%s has no rows, as no source of it has events here: %s", r.Name, strings.Join(list, "; "))
	lost := Trace{}
	for i := range traces {
		lost.EventsLost, lost.BuffersLost = lost.EventsLost+traces[i].EventsLost, lost.BuffersLost+traces[i].BuffersLost
	}
	switch {
	case len(traces) == 0:
		return text + "; " + noTrace
	case lost.EventsLost+lost.BuffersLost > 0:
		return text + "; lost: " + lost.losses()
	}
	return text
}

func (s *Source) recorded() string { return s.Name + ", recorded by " + s.Recorded }

// others says which sources of a view that reads events have none.
func (r *Read) others() string {
	var list []string
	for _, s := range r.Sources {
		if text := s.recorded(); s.Rows == 0 && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if list == nil {
		return ""
	}
	return fmt.Sprintf("%s can have rows of these, too, which are not here: %s", r.Name, strings.Join(list, "; "))
}

// mostExplained bounds the tables that an explanation names.
const mostExplained = 3

// Explain says in one sentence, without a full stop, why SQL that reads these tables of these traces
// has no rows; "" if it reads none.
func Explain(reads []Read, traces []Trace) string {
	var empty, filled, others []string
	more := 0
	for i := range reads {
		switch r := &reads[i]; {
		case r.Rows > 0:
			filled = append(filled, r.rows())
			if text := r.others(); text != "" {
				others = append(others, text)
			}
		case len(empty) < mostExplained:
			empty = append(empty, r.reason(traces))
		default:
			more++
		}
	}
	if more > 0 {
		empty = append(empty, texts.Counted(int64(more), "more table")+" without rows")
	}
	switch {
	case len(empty) > 0:
		return strings.Join(append(empty, filled[:min(len(filled), mostExplained)]...), "; ")
	case len(filled) > mostExplained:
		return strings.Join(append([]string{fmt.Sprintf("%s and %d more tables; none satisfies the query", strings.Join(filled[:mostExplained], ", "), len(filled)-mostExplained)}, others...), "; ")
	case len(filled) > 0:
		return strings.Join(append([]string{strings.Join(filled, ", ") + "; none satisfies the query"}, others...), "; ")
	}
	return ""
}

// rows says how many rows a table has, or a view reads.
func (r *Read) rows() string {
	var sources, ofHeaders []string
	header, rows := "", int64(0)
	for _, s := range r.Sources {
		if s.Rows == 0 {
			continue
		}
		if i := slices.IndexFunc(s.Tables, schema.IsHeaderTable); i >= 0 { // it takes few of these events
			header, rows = s.Tables[i], max(rows, s.Rows)
			if !slices.Contains(ofHeaders, s.Name) {
				ofHeaders = append(ofHeaders, s.Name)
			}
			continue
		}
		text := fmt.Sprintf("%s of %s", texts.Counted(s.Rows, "event"), s.Name)
		if s.Where != "" {
			text += " (of which count those with " + s.Where + ")"
		}
		sources = append(sources, text)
	}
	if ofHeaders != nil {
		sources = append(sources, fmt.Sprintf("%s of %s (of which count some of %s)", texts.Counted(rows, "event"), header, strings.Join(ofHeaders, ", ")))
	}
	switch {
	case sources != nil:
		return fmt.Sprintf("%s reads %s", r.Name, strings.Join(sources, ", "))
	case len(r.Tables) == 1 && strings.EqualFold(r.Tables[0], r.Name):
		return fmt.Sprintf("%s has %s", r.Name, texts.Counted(r.Rows, "row"))
	case len(r.Tables) == 1:
		return fmt.Sprintf("%s reads %s of %s", r.Name, texts.Counted(r.Rows, "row"), r.Tables[0])
	}
	return fmt.Sprintf("%s reads %s of %d tables", r.Name, texts.Counted(r.Rows, "row"), len(r.Tables))
}

// reason says why a table has no rows.
func (r *Read) reason(traces []Trace) string {
	if r.Sources != nil {
		return r.sources(traces)
	}
	var all group
	otherwise := ""
	for _, name := range r.Tables {
		if need := NeedOf(name); need != nil {
			all = append(all, need.Events...)
			otherwise = cmp.Or(otherwise, need.Otherwise)
		}
	}
	groups := all.byRecorder()
	if len(groups) == 0 {
		return r.Name + " has no rows" + prefixed(": ", r.withoutEvents(otherwise, traces))
	}
	says := found(groups, traces)
	if tables := r.elsewhere(all, traces); len(tables) > 0 {
		says = "such events have another name here: " + strings.Join(tables, ", ")
	}
	return fmt.Sprintf("%s needs %s; %s", r.Name, needed(groups), says)
}

// elsewhere returns the tables of the events, if all traces that have some have them in other tables than
// those that are read: versions of a provider can give an event different names.
func (r *Read) elsewhere(events group, traces []Trace) (tables []string) {
	if slices.ContainsFunc(r.Tables, func(name string) bool { _, fixed := fixedTables[name]; return fixed }) {
		return nil
	}
	for i := range traces {
		for _, k := range traces[i].Kinds {
			switch {
			case !k.isOneOf(events):
			case k.Table == "" || slices.ContainsFunc(r.Tables, func(name string) bool { return strings.EqualFold(name, k.Table) }):
				return nil
			case !slices.Contains(tables, k.Table):
				tables = append(tables, k.Table)
			}
		}
	}
	return tables
}

// withoutEvents says why a table, or a view of header tables, has no rows that no event of its own
// gives it.
func (r *Read) withoutEvents(otherwise string, traces []Trace) string {
	n := int64(0)
	for i := range traces {
		n += traces[i].withHeader(r.Tables)
	}
	switch {
	case n > 0 && len(traces) == 1:
		return fmt.Sprintf("the trace has %s, but they are not selected", texts.Counted(n, "event"))
	case n > 0:
		return fmt.Sprintf("%s traces have %s, but they are not selected", texts.Grouped(int64(len(traces))), texts.Counted(n, "event"))
	case len(r.Tables) > 1:
		return "no trace has events"
	}
	return otherwise
}

// prefixed returns a text after a prefix, or "" if it is empty.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// group is a list of events with one recorder.
type group []Event

// byRecorder groups events by what records them, in the order of their first events.
func (g group) byRecorder() (groups []group) {
	key := func(e Event) string { return e.Provider + "\x00" + e.Recorder }
	for _, e := range g {
		i := slices.IndexFunc(groups, func(o group) bool { return key(o[0]) == key(e) })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// names names the events: one or two, or the first and the number of others.
func (g group) names() string {
	var names []string
	for _, e := range g {
		if !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	if len(names) > 2 {
		return fmt.Sprintf("%s or one of %d others", names[0], len(names)-1)
	}
	return strings.Join(names, " or ")
}

// ids names the provider of the events, and their ids if there are one or two.
func (g group) ids() string {
	var ids []string
	for _, e := range g {
		if id := strconv.Itoa(e.ID); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch len(ids) {
	case 1:
		return "event " + ids[0] + " of " + g[0].Provider
	case 2:
		return "events " + strings.Join(ids, " and ") + " of " + g[0].Provider
	}
	return "of " + g[0].Provider
}

// described names the events of a provider: by their ids alone if they have no other names.
func (g group) described() string {
	if !slices.ContainsFunc(g, func(e Event) bool { return e.Name != strconv.Itoa(e.ID) }) {
		return g.ids()
	}
	return fmt.Sprintf("%s (%s)", g.names(), g.ids())
}

// needed says which events the groups need, and what records them. Only the first group of a provider
// is described in full.
func needed(groups []group) string {
	var parts []string
	for i, g := range groups {
		switch e := &g[0]; {
		case e.Provider != "" && i > 0:
			parts = append(parts, "events of "+e.Provider)
		case e.Provider != "":
			parts = append(parts, g.described()+", recorded "+e.recordedAt())
		case isFlag(e.Recorder):
			parts = append(parts, fmt.Sprintf("%s, recorded with %s", g.names(), e.Recorder))
		case e.Recorder != "":
			parts = append(parts, fmt.Sprintf("%s, recorded by %s", g.names(), e.Recorder))
		default:
			parts = append(parts, g.names())
		}
	}
	return strings.Join(parts, ", or ")
}

// mostKeywords bounds the keywords that are named.
const mostKeywords = 3

// recordedAt says at which level and with which keyword a provider's event is recorded.
func (e *Event) recordedAt() string {
	text := "at any level"
	if e.Level > 0 {
		text = fmt.Sprintf("at level %d", e.Level)
	}
	switch {
	case e.Keyword == 0:
		return text
	case bits.OnesCount64(e.Keyword) <= len(e.Keywords) && bits.OnesCount64(e.Keyword) <= mostKeywords:
		return fmt.Sprintf("%s with keyword %s (%#x)", text, strings.Join(e.Keywords[:bits.OnesCount64(e.Keyword)], " or "), e.Keyword)
	}
	return fmt.Sprintf("%s with a keyword of %#x", text, e.Keyword)
}
