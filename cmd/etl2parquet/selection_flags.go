package main

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// selectionFlags select events; the commands that read traces share them.
type selectionFlags struct {
	from, to                             string
	events, providers, processes, tables []string
	columns                              []string
}

// flags returns the flags that select events. The flags for tables and columns differ from
// command to command.
func (f *selectionFlags) flags() []option {
	return []option{
		{flag: "from", value: &f.from, usage: "take events from this `time` on: a time, a date, a time of day (all in UTC), or seconds since the start"},
		{flag: "to", value: &f.to, usage: "take events before this `time`"},
		{flag: "event", value: &f.events, usage: "take events whose name, alone or as provider/event, matches this `pattern`; repeatable"},
		{flag: "provider", value: &f.providers, usage: "take events of providers whose name or GUID matches this `pattern`; repeatable"},
		{flag: "process", value: &f.processes, usage: "take events of processes with this id, or whose name matches this `pattern`; repeatable"},
	}
}

// parse checks the flags.
func (f *selectionFlags) parse() (selection.Selection, error) {
	from, err := index.ParseTimeBound(f.from)
	if err != nil {
		return selection.Selection{}, usagef("--from: %w", err)
	}
	to, err := index.ParseTimeBound(f.to)
	if err != nil {
		return selection.Selection{}, usagef("--to: %w", err)
	}
	if to.Before(&from) {
		return selection.Selection{}, usagef("--to %s is before --from %s", f.to, f.from)
	}
	s := selection.Selection{From: from, To: to, Providers: f.providers, Events: f.events, Processes: f.processes, Tables: f.tables, Columns: f.columns}
	if err := s.Validate(); err != nil {
		return selection.Selection{}, usageError{err}
	}
	return s, nil
}
