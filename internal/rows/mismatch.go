package rows

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Mismatch is a part of a selection that nothing in a trace matches.
type Mismatch struct {
	Option  string   `json:"option"`            // provider, event, process, table, columns, time; selection: all of them together
	Pattern string   `json:"pattern,omitempty"` // of those with patterns
	Nearest []string `json:"nearest"`           // names in the trace that may have been meant
	Message string   `json:"message"`           // for people
}

// ErrNothingSelected is the error of a selection that takes nothing of a trace,
// when that is not to be tolerated.
var ErrNothingSelected = errors.New("nothing is selected, and --strict is set")

// Mismatches are those of one trace.
type Mismatches struct {
	List    []Mismatch
	Nothing string // is selected, because of this; "": something is
}

// Err returns the error of a trace of which nothing is selected.
func (m *Mismatches) Err() error {
	if m.Nothing == "" {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrNothingSelected, m.Nothing)
}

func (m *Mismatches) add(option, pattern string, nearest []string, format string, args ...any) {
	m.List = append(m.List, Mismatch{option, pattern, append([]string{}, nearest...), fmt.Sprintf(format, args...)})
}

// selectsNothing says that because of what was added last nothing is selected.
func (m *Mismatches) selectsNothing() {
	if m.Nothing == "" {
		m.Nothing = m.List[len(m.List)-1].Message
	}
}

// patterns adds those of an option that match nothing. names are what they
// could have meant, where lists them.
func (m *Mismatches) patterns(option string, patterns []string, matches func(pattern string) bool, names func(pattern string) []string, things, where string) {
	matched := len(patterns) == 0
	for _, pattern := range patterns {
		if matches(pattern) {
			matched = true
			continue
		}
		near, hint := nearest(pattern, names(pattern)), where
		if len(near) > 0 {
			hint = "did you mean " + strings.Join(near, " or ") + "?"
		}
		m.add(option, pattern, near, "--%s %s matches none of %s; %s", option, pattern, things, hint)
	}
	if !matched {
		m.selectsNothing()
	}
}

// nearest returns the names that a pattern without match may have meant.
func nearest(pattern string, names []string) []string {
	text := strings.Trim(pattern, "*{}")
	if schema.IsPattern(text) {
		return nil
	}
	return schema.Nearest(text, names)
}

// Mismatches returns what the index says that matches nothing.
func (f *Filter) Mismatches(x *index.Index) (m Mismatches) {
	if x.Events == 0 {
		return m
	}
	if x.UnlistedEvents == 0 {
		f.namesWithout(x, &m)
	}
	f.processesWithout(x, &m)
	if f.Within.From.Time > x.Last || f.Within.To.Time <= x.First {
		m.add("time", "", nil, "%s selects nothing: its events are from %s", strings.Join(f.Selection.timeOptions(), " "), x.TimeSpan())
		m.selectsNothing()
	}
	return m
}

// namesWithout adds the providers, events and tables that the trace lacks.
func (f *Filter) namesWithout(x *index.Index, m *Mismatches) {
	s := f.Selection
	providers := x.Providers()
	m.patterns("provider", s.Providers, func(pattern string) bool {
		return slices.ContainsFunc(providers, func(p index.Provider) bool { return p.HasID && schema.MatchProvider(pattern, p.ID, f.nameOf(p.ID)) })
	}, func(string) (names []string) {
		for i := range providers {
			if p := &providers[i]; p.HasID {
				names = append(names, f.nameOf(p.ID), p.ID.String())
			}
		}
		return names
	}, "its providers", `"etl2parquet info" lists them`)
	m.patterns("event", s.Events, func(pattern string) bool {
		return slices.ContainsFunc(x.Types, func(t catalog.EventType) bool {
			provider, name := f.nameOfType(&t)
			return schema.MatchEvent(pattern, provider, name)
		})
	}, func(pattern string) (names []string) {
		for i := range x.Types {
			provider, name := f.nameOfType(&x.Types[i])
			if strings.Contains(pattern, "/") {
				names = append(names, provider+"/"+name)
			}
			names = append(names, name)
		}
		return names
	}, "its events", `"etl2parquet info" lists them`)
	tables := f.tablesWithRows(x)
	m.patterns("table", s.Tables, func(pattern string) bool {
		return slices.ContainsFunc(tables, func(t *schema.Table) bool { return matchTable(pattern, t.Name) })
	}, func(pattern string) (names []string) {
		if len(schema.FindTables(pattern, schema.Tables())) > 0 {
			return nil // it is right, and of other events
		}
		for _, t := range tables {
			names = append(names, schema.TableNames(t.Name)...)
		}
		return names
	}, "its tables with rows", `"etl2parquet info" lists its events`)
	tables = slices.DeleteFunc(tables, func(t *schema.Table) bool { return !s.WantsTable(t.Name) })
	if len(tables) > 0 { // else that is said already
		m.patterns("columns", s.Columns, func(name string) bool {
			return slices.ContainsFunc(tables, func(t *schema.Table) bool { return t.Column(name) >= 0 })
		}, func(string) (names []string) {
			for _, t := range tables {
				for i := range t.Columns {
					names = append(names, t.Columns[i].Name)
				}
			}
			return names
		}, "the columns of its tables that are wanted", `"etl2parquet describe" lists them`)
	}
}

func (f *Filter) nameOf(id schema.GUID) string {
	name, _ := f.names.Provider(id)
	return name
}

func (f *Filter) nameOfType(t *catalog.EventType) (provider, name string) {
	id, _ := t.Provider()
	return f.nameOf(id), f.catalog.Of(&t.Key).Name()
}

// tablesWithRows returns the tables that a conversion of everything has, and
// those about the trace.
func (f *Filter) tablesWithRows(x *index.Index) []*schema.Table {
	var tables []*schema.Table
	for _, t := range schema.FixedTables() {
		if t != schema.Stacks || x.Tables().Stacks.Any() {
			tables = append(tables, t)
		}
	}
	has := make([]bool, len(f.demand.Tables))
	has[EventsTable] = len(x.Types) > 0
	for i := range x.Types {
		has[x.Types[i].Family] = true
		if t := f.catalog.Kinds[i].Literal.Table; t != nil {
			has[payloadTable(t)] = true
		}
	}
	for id, t := range f.catalog.EventTables() {
		if has[id] {
			tables = append(tables, t)
		}
	}
	return tables
}

// processesWithout adds the names that no process has. Whether there are events
// of an id only they tell.
func (f *Filter) processesWithout(x *index.Index, m *Mismatches) {
	processes := x.Tables().Processes
	m.patterns("process", f.Selection.Processes, func(pattern string) bool {
		_, isID := processID(pattern)
		return isID || slices.ContainsFunc(processes, func(p attribution.Process) bool { return schema.MatchProcess(pattern, p.Name) })
	}, func(string) (names []string) {
		for i := range processes {
			if name := processes[i].Name; name != "" {
				names = append(names, name)
			}
		}
		return names
	}, "its processes", "the table processes has them")
}

// Afterwards adds what only the events themselves tell.
func (m *Mismatches) Afterwards(f *Filter, x *index.Index) {
	if m.Nothing != "" || x.Events == 0 || !slices.ContainsFunc(f.demand.Tables, func(t *schema.Table) bool { return t != nil }) {
		return
	}
	unseen := 0
	for _, pattern := range f.Selection.Processes {
		if id, isID := processID(pattern); isID && !f.processes.saw(id) {
			unseen++
			m.add("process", pattern, nil, "--process %s: no event that is selected is of this process", pattern)
		}
	}
	if f.Taken > 0 {
		return
	}
	if options := f.Selection.options(); unseen == 0 || unseen < len(f.Selection.Processes) || len(options) > 1 {
		together := ""
		if len(options) > 1 {
			together = " together"
		}
		m.add("selection", "", nil, "none of its %d events is selected by %s%s", x.Events, strings.Join(options, ", "), together)
	}
	m.selectsNothing()
}

// options returns the options that leave events out.
func (s *Selection) options() []string {
	options := s.timeOptions()
	for _, option := range []struct {
		name     string
		patterns []string
	}{{"--provider", s.Providers}, {"--event", s.Events}, {"--process", s.Processes}, {"--table", s.Tables}, {"--columns", s.Columns}} {
		if len(option.patterns) > 0 {
			options = append(options, option.name)
		}
	}
	return options
}

// timeOptions returns the options that bound the time, as they were written.
func (s *Selection) timeOptions() []string {
	var options []string
	if s.From.Set {
		options = append(options, "--from "+s.From.Text)
	}
	if s.To.Set {
		options = append(options, "--to "+s.To.Text)
	}
	return options
}
