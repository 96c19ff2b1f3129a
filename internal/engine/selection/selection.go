package selection

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Selection says which events and tables are wanted; the zero value selects all. In each list any
// element may match. Case matters only in columns.
type Selection struct {
	facts.Selection          // of events
	Tables          []string // globs over tables, by any of their names or of their events; only its name matches the table of all events
	Columns         []string // names; tables with none of them are not wanted
	Needs           []Need   // unless nil, instead of Tables and Columns: the tables, each with columns of its own
	Bounds          *Bounds  // unless nil, events outside are not wanted either
	Stored          bool     // tables are without the columns that are computed, but have what these are computed from
}

// Validate checks the patterns.
func (s *Selection) Validate() error {
	for _, option := range []struct {
		name     string
		patterns []string
	}{{"provider", s.Providers}, {"event", s.Events}, {"process", s.Processes}, {"table", s.TableNames()}} {
		for _, pattern := range option.patterns {
			if err := schema.CheckPattern(pattern); err != nil {
				return fmt.Errorf("%s: pattern %q: %w", option.name, pattern, err)
			}
		}
	}
	if s.Needs != nil && len(s.Tables)+len(s.Columns) > 0 {
		return errors.New("tables and columns are given twice")
	}
	if s.Level != "" {
		if _, err := schema.ParseLevel(s.Level); err != nil {
			return err
		}
	}
	for _, keyword := range s.Keywords {
		if mask, isMask := KeywordMask(keyword); keyword == "" || isMask && mask == 0 {
			return fmt.Errorf("keyword %q: name a keyword, or give a mask with a bit, such as 0x10", keyword)
		}
	}
	return nil
}

// KeywordMask returns the bits of a keyword that is given as a number, decimal or hexadecimal with 0x.
// Other keywords are names.
func KeywordMask(keyword string) (mask uint64, ok bool) {
	base := 10
	if hex, isHex := strings.CutPrefix(strings.ToLower(keyword), "0x"); isHex {
		keyword, base = hex, 16
	}
	mask, err := strconv.ParseUint(keyword, base, 64)
	return mask, err == nil
}

// WantsTable reports whether a table that is not one of payloads is wanted, by its name.
func (s *Selection) WantsTable(name string) bool { return s.Wants(&schema.Table{Name: name}) }

// Wants reports whether a table is wanted.
func (s *Selection) Wants(t *schema.Table) bool {
	switch {
	case s.Needs != nil:
		return wants(s.Needs, t)
	case len(s.Tables) == 0:
		return t.Name != schema.EventsName
	}
	return slices.ContainsFunc(s.Tables, func(pattern string) bool { return MatchTable(pattern, t) })
}

// Table returns a table with the wanted columns, or nil if there are none.
func (s *Selection) Table(t *schema.Table) *schema.Table {
	if !s.Wants(t) {
		return nil
	}
	switch {
	case s.Needs != nil:
		t = s.needed(t)
	case len(s.Columns) > 0:
		t = t.Project(s.stored(t, s.Columns))
	}
	if s.Stored && t != nil {
		t = t.Stored()
	}
	return t
}

// stored returns names of columns as the rows have them: for files, time_ns and event_ref replace the
// columns that are computed from them.
func (s *Selection) stored(t *schema.Table, names []string) []string {
	if !s.Stored {
		return names
	}
	var columns []string
	for _, name := range names {
		sources := []string{name}
		if i := t.Column(name); i >= 0 && t.Columns[i].Computed {
			sources = []string{schema.TimeColumn, "event_ref"}
		}
		for _, name := range sources {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
	}
	return columns
}

// TableNames returns the names and globs of the wanted tables; none means all.
func (s *Selection) TableNames() []string {
	if s.Needs == nil {
		return s.Tables
	}
	names := []string{}
	for i := range s.Needs {
		names = append(names, s.Needs[i].Table)
	}
	return names
}

// MatchTable reports whether a name or pattern is of a table. No wildcard matches the table of all
// events, because it repeats the events of other tables.
func MatchTable(pattern string, t *schema.Table) bool {
	if t.Name == schema.EventsName {
		return strings.EqualFold(pattern, t.Name)
	}
	return t.Matches(pattern)
}

// Options returns the options that exclude events. The table of all events excludes none.
func (s *Selection) Options() []string {
	options, tables, columns := s.TimeOptions(), s.TableNames(), s.Columns
	if slices.Equal(tables, []string{schema.EventsName}) {
		tables, columns = nil, nil
	}
	for _, option := range []struct {
		name     string
		patterns []string
	}{{"provider", s.Providers}, {"event", s.Events}, {"process", s.Processes}, {"level", given(s.Level)}, {"keyword", s.Keywords}, {"table", tables}, {"columns", columns}} {
		if len(option.patterns) > 0 {
			options = append(options, option.name)
		}
	}
	return options
}

func given(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// TimeOptions returns the options that bound the time, as they were written.
func (s *Selection) TimeOptions() []string {
	var options []string
	if s.From.Set {
		options = append(options, "from "+s.From.Text)
	}
	if s.To.Set {
		options = append(options, "to "+s.To.Text)
	}
	return options
}
