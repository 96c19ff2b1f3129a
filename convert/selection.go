package convert

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Selection says which events and tables are wanted; the zero value wants all.
type Selection struct {
	From, To  TimeBound // [From, To)
	Providers []string  // globs over names and GUIDs, any of which may match
	Events    []string  // globs over names of events, alone or as provider/event
	Tables    []string  // globs over tables
}

// TimeBound is an end of a time range.
type TimeBound struct {
	Set      bool
	Relative bool          // since the start of the session
	Since    time.Duration // if Relative
	At       time.Time     // if not
}

// ParseTimeBound reads a time: RFC 3339, or seconds since the start.
func ParseTimeBound(text string) (TimeBound, error) {
	if text == "" {
		return TimeBound{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return TimeBound{Set: true, At: t}, nil
	}
	since, err := time.ParseDuration(text)
	if err != nil {
		since, err = time.ParseDuration(text + "s")
	}
	if err != nil {
		return TimeBound{}, fmt.Errorf("%q is neither a time such as 2024-05-31T12:00:00Z nor seconds since the start", text)
	}
	return TimeBound{Set: true, Relative: true, Since: since}, nil
}

// unixNano returns the bound in a trace that starts at start: where an int64
// of ns ends, for what is beyond.
func (b *TimeBound) unixNano(start int64) int64 {
	at := b.At
	if b.Relative {
		at = time.Unix(0, start).Add(b.Since)
	}
	switch {
	case at.Before(time.Unix(0, math.MinInt64)):
		return math.MinInt64
	case at.After(time.Unix(0, math.MaxInt64)):
		return math.MaxInt64
	}
	return at.UnixNano()
}

// Validate checks the patterns.
func (s *Selection) Validate() error {
	for _, pattern := range slices.Concat(s.Providers, s.Events, s.Tables) {
		if _, err := path.Match(strings.ToLower(pattern), ""); err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
	}
	for _, pattern := range s.Tables {
		if strings.HasPrefix(strings.ToLower(pattern), schema.EventsFolder) {
			continue // it may be of an event that only the trace knows
		}
		if !slices.ContainsFunc(schema.Tables(), func(t *schema.Table) bool { return matches([]string{pattern}, t.Name) }) {
			return fmt.Errorf("no table is called %q; \"etl2parquet describe\" lists them", pattern)
		}
	}
	return nil
}

// WantsTable reports whether a table is wanted.
func (s *Selection) WantsTable(name string) bool {
	return len(s.Tables) == 0 || matches(s.Tables, name)
}

func matches(patterns []string, name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		ok, _ := path.Match(strings.ToLower(pattern), name) // Validate has checked the pattern
		return ok
	})
}

// filter is a selection made ready for one trace: a decision for each kind of
// event in it.
type filter struct {
	selection *Selection
	catalog   *Catalog
	names     *Names
	within    slab
	tables    []bool           // wanted, by tableID
	kinds     map[typeKey]bool // wanted; nil: all
	families  uint8            // a bit for each that a wanted kind is of
	bits      uint64           // of the providers of wanted kinds
}

func (s *Selection) filter(x *Index) *filter {
	f := &filter{selection: s, catalog: x.catalog, names: x.Names(), within: slab{firstKey, lastKey}, families: 1<<decode.Families - 1, bits: ^uint64(0)}
	start := x.Clock.UnixNano(x.File.Header().EventTicks)
	if s.From.Set {
		f.within.from = slabKey{x.Clock.Ticks(s.From.unixNano(start)), 0}
	}
	if s.To.Set {
		f.within.to = slabKey{x.Clock.Ticks(s.To.unixNano(start)), 0}
	}
	for _, t := range x.catalog.eventTables() {
		f.tables = append(f.tables, s.WantsTable(t.Name))
	}
	if len(s.Providers)+len(s.Events)+len(s.Tables) > 0 {
		f.selectKinds(x)
	}
	return f
}

func (f *filter) selectKinds(x *Index) {
	f.kinds = make(map[typeKey]bool)
	if x.UnlistedEvents == 0 { // else not every kind is known, and any buffer may have it
		f.families, f.bits = 0, 0
	}
	for i := range x.Types {
		t := &x.Types[i]
		f.kinds[t.typeKey] = f.wantsKind(&t.typeKey)
		if f.kinds[t.typeKey] {
			f.families |= 1 << t.family
			f.bits |= t.bit
		}
	}
}

// wantsKind reports whether events of a kind are wanted: by provider, by event
// and because they have a table that is.
func (f *filter) wantsKind(k *typeKey) bool {
	s := f.selection
	id, hasID := k.provider()
	provider, _ := f.names.Provider(id)
	if len(s.Providers) > 0 && !(hasID && (matches(s.Providers, provider) || matches(s.Providers, id.String()))) {
		return false
	}
	kind := f.catalog.of(k)
	if name := kind.name(); len(s.Events) > 0 && !(name != "" && (matches(s.Events, name) || matches(s.Events, provider+"/"+name))) {
		return false
	}
	return f.tables[k.family] || f.tables[stackTable] || kind.literal.Table != nil && f.tables[payloadTable(kind.literal.Table)]
}

// wantsBuffer reports whether a buffer may have events that are wanted.
func (f *filter) wantsBuffer(x *Index, i int) bool {
	s := &x.Buffers[i]
	return s.Families&f.families != 0 && s.Providers&f.bits != 0 &&
		s.First <= f.within.to.time && s.Last >= f.within.from.time
}

// keep returns the test of single events, or nil if all are wanted.
func (f *filter) keep() func(*decode.Event) bool {
	if f.kinds == nil {
		return nil
	}
	return func(ev *decode.Event) bool {
		var key typeKey
		f.catalog.key(ev, &key)
		wanted, listed := f.kinds[key]
		return wanted || !listed && f.wantsKind(&key)
	}
}
