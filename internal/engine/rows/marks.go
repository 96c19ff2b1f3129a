package rows

import (
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// marks select events by level and keyword, which are in the header of each event.
type marks struct {
	level    int    // the highest level that is selected; anyLevel selects all
	bits     uint64 // of keywords, that are selected by number
	keywords bool   // keywords are selected
	kinds    []markedKind
}

// anyLevel selects events of all levels, and those without one.
const anyLevel = -1

// markedKind is what marks say of a kind of event.
type markedKind struct {
	named bool // it has one of the keywords that are selected by name
	level int  // of a message, whose header has none; noLevel if it has none
}

// noLevel is the level of an event without one, such as the kernel's.
const noLevel = 256

// newMarks returns the marks of a selection, or nil if it has none.
func newMarks(s *selection.Selection, x *index.Index) (*marks, error) {
	if s.Level == "" && len(s.Keywords) == 0 {
		return nil, nil
	}
	m := &marks{level: anyLevel, keywords: len(s.Keywords) > 0, kinds: make([]markedKind, len(x.Types))}
	if s.Level != "" {
		level, err := schema.ParseLevel(s.Level)
		if err != nil {
			return nil, err
		}
		m.level = int(level)
	}
	var names []string
	for _, keyword := range s.Keywords {
		if mask, ok := selection.KeywordMask(keyword); ok {
			m.bits |= mask
		} else {
			names = append(names, keyword)
		}
	}
	for i := range x.Types {
		n := x.EventNames(&x.Types[i])
		k := &m.kinds[i]
		k.named = hasKeyword(&n, names)
		if k.level = noLevel; n.HasLevel {
			k.level = int(n.Level)
		}
	}
	return m, nil
}

// hasKeyword reports whether a kind of event has one of the keywords of these names.
func hasKeyword(n *index.EventNames, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(n.KeywordNames, func(own string) bool { return sameKeyword(name, own) })
	})
}

// sameKeyword compares names of keywords. Case does not matter, nor does the word Keyword at the end,
// which the tools of .NET leave out.
func sameKeyword(a, b string) bool {
	const suffix = "keyword"
	a, b = strings.ToLower(a), strings.ToLower(b)
	return a == b || strings.TrimSuffix(a, suffix) == strings.TrimSuffix(b, suffix)
}

// mayKeep reports whether events of a kind may be selected.
func (m *marks) mayKeep(place int, t *catalog.EventType) bool {
	k := &m.kinds[place]
	switch t.Family {
	case decode.FamilyEvent: // each event has its own
		return !m.keywords || k.named || m.bits != 0
	case decode.FamilyEventTrace, decode.FamilyInstance:
		return !m.keywords
	}
	return m.hasLevel(k.level) && (!m.keywords || k.named)
}

// keep reports whether an event is selected. Its kind may be kept; place is that of the kind, or
// negative if the kind is not listed.
func (m *marks) keep(place int32, ev *decode.Event) bool {
	d, named, level := catalog.DescriptorOf(ev), false, noLevel
	if place >= 0 {
		named, level = m.kinds[place].named, m.kinds[place].level
	}
	if ev.Family == decode.FamilyEvent || ev.Family == decode.FamilyEventTrace || ev.Family == decode.FamilyInstance {
		level = int(d.Level)
	}
	return m.hasLevel(level) && (!m.keywords || named || d.Keyword&m.bits != 0)
}

// hasLevel reports whether a level is selected. Level 0 always is: Windows logs such events at any
// level.
func (m *marks) hasLevel(level int) bool { return m.level == anyLevel || level <= m.level }
