package main

import (
	"strings"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// selectionFlags select events; the commands that read traces share them.
type selectionFlags struct {
	from, to                             string
	events, providers, processes, tables []string
	level                                string
	keywords                             []string
	columns                              []string
}

// levelNames are the names of levels, the most severe first.
var levelNames = []string{"critical", "error", "warning", "informational", "verbose"}

// flags returns the flags that select events. The flags for tables and columns differ from
// command to command.
func (f *selectionFlags) flags() []option {
	return []option{
		{flag: "from", value: &f.from, usage: "take events from this `time` on: as results print it, or seconds since the start"},
		{flag: "to", value: &f.to, usage: "take events before this `time`"},
		{flag: "event", value: &f.events, complete: completeEvents, usage: "take events whose name (GC/Start), id (4104) or name in SQL, alone or as provider/event, matches this `pattern`; repeatable"},
		{flag: "provider", value: &f.providers, complete: completeProviders, usage: "take events of providers whose name or GUID matches this `pattern`; repeatable"},
		{flag: "level", value: &f.level, complete: completeWords(levelNames...), usage: "take events of at most this `level`: a name (" + strings.Join(levelNames, ", ") + ") or a number; level 0 always"},
		{flag: "keyword", value: &f.keywords, usage: "take events with this `keyword`: a name, or a mask such as 0x10 of which any bit counts; repeatable"},
		{flag: "process", value: &f.processes, usage: "take events of processes with this id, or whose name matches this `pattern`; repeatable"},
	}
}

// scan checks the flags, and returns a scan of the events that they select.
func (f *selectionFlags) scan() (s etl2parquet.Scan, err error) {
	s = etl2parquet.Scan{Providers: f.providers, Events: f.events, Processes: f.processes, Level: f.level, Keywords: f.keywords}
	if s.From, err = facts.ParseTimeBound(f.from); err != nil {
		return s, usagef("--from: %w", err)
	}
	if s.To, err = facts.ParseTimeBound(f.to); err != nil {
		return s, usagef("--to: %w", err)
	}
	if s.To.Before(s.From) {
		return s, usagef("--to %s is before --from %s", f.to, f.from)
	}
	return s, nil
}

// parse checks the flags, and returns what they select.
func (f *selectionFlags) parse() (selection.Selection, error) {
	scan, err := f.scan()
	if err != nil {
		return selection.Selection{}, err
	}
	s := selection.Selection{
		From: scan.From, To: scan.To, Providers: f.providers, Events: f.events, Processes: f.processes, Level: f.level, Keywords: f.keywords, Tables: f.tables, Columns: f.columns,
	}
	if err := s.Validate(); err != nil {
		return selection.Selection{}, usagef("--%w", err) // it begins with the name of the option
	}
	return s, nil
}
