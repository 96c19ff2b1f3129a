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
	for _, pattern := range append(slices.Clone(s.Providers), s.Tables...) {
		if _, err := path.Match(strings.ToLower(pattern), ""); err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
	}
	for _, pattern := range s.Tables {
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

// filter is a selection made ready for one trace.
type filter struct {
	within    slab
	families  uint8
	tables    [decode.Families]bool
	providers map[schema.GUID]bool // nil: all
	bits      uint64               // of the providers wanted
	patterns  []string
	names     *Names
}

func (s *Selection) filter(x *Index) *filter {
	f := &filter{within: slab{firstKey, lastKey}, bits: ^uint64(0)}
	start := x.Clock.UnixNano(x.File.Header().EventTicks)
	if s.From.Set {
		f.within.from = slabKey{x.Clock.Ticks(s.From.unixNano(start)), 0}
	}
	if s.To.Set {
		f.within.to = slabKey{x.Clock.Ticks(s.To.unixNano(start)), 0}
	}
	for family, t := range schema.HeaderTables() {
		if s.WantsTable(t.Name) {
			f.tables[family] = true
			f.families |= 1 << family
		}
	}
	if len(s.Providers) > 0 {
		f.selectProviders(s.Providers, x)
	}
	return f
}

func (f *filter) selectProviders(patterns []string, x *Index) {
	f.patterns, f.names = patterns, x.Names()
	f.bits = 0
	f.providers = make(map[schema.GUID]bool)
	for i := range x.Types {
		t := &x.Types[i]
		id, ok := t.provider()
		if !ok || !f.matches(id) {
			continue
		}
		f.bits |= providerBit(&t.typeKey)
		f.providers[id] = true
	}
	if x.UnlistedEvents > 0 {
		f.bits = ^uint64(0) // not every provider is known
	}
}

func (f *filter) matches(id schema.GUID) bool {
	name, ok := f.names.Provider(id)
	return ok && matches(f.patterns, name) || matches(f.patterns, id.String())
}

// wantsBuffer reports whether a buffer may have events that are wanted.
func (f *filter) wantsBuffer(x *Index, i int) bool {
	s := &x.Buffers[i]
	return s.Families&f.families != 0 && s.Providers&f.bits != 0 &&
		s.First <= f.within.to.time && s.Last >= f.within.from.time
}

// keep returns the test of single events, or nil if all are wanted.
func (f *filter) keep() func(*decode.Event) bool {
	all := f.providers == nil
	for _, wanted := range f.tables {
		all = all && wanted
	}
	if all {
		return nil
	}
	return func(ev *decode.Event) bool {
		if !f.tables[ev.Family] {
			return false
		}
		return f.providers == nil || f.wantsProvider(ev)
	}
}

func (f *filter) wantsProvider(ev *decode.Event) bool {
	key := keyOf(ev)
	id, ok := key.provider()
	if !ok {
		return false
	}
	wanted, known := f.providers[id]
	if !known && f.bits == ^uint64(0) {
		return f.matches(id)
	}
	return wanted
}
