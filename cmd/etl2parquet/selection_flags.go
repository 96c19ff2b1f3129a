package main

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
)

// selectionFlags select events; the commands that read traces share them.
type selectionFlags struct {
	facts.Selection
	from, to        string
	tables, columns []string
}

// levelNames are the names of levels, the most severe first.
var levelNames = []string{"critical", "error", "warning", "informational", "verbose"}

// flags returns the flags that select events. The flags for tables and columns differ from
// command to command.
func (f *selectionFlags) flags() []option {
	return []option{
		{flag: "from", value: &f.from, usage: "take events from this `time` on: as results print it, or seconds since the start"},
		{flag: "to", value: &f.to, usage: "take events before this `time`"},
		{flag: "event", value: &f.Events, complete: completeEvents, usage: "take events whose name (GC/Start), id (4104) or name in SQL, alone or as provider/event, matches this `pattern`; repeatable"},
		{flag: "provider", value: &f.Providers, complete: completeProviders, usage: "take events of providers whose name or GUID matches this `pattern`; repeatable"},
		{flag: "level", value: &f.Level, complete: completeWords(levelNames...), usage: "take events of at most this `level`: a name (" + strings.Join(levelNames, ", ") + ") or a number; level 0 always"},
		{flag: "keyword", value: &f.Keywords, usage: "take events with this `keyword`: a name, or a mask such as 0x10 of which any bit counts; repeatable"},
		{flag: "process", value: &f.Processes, usage: "take events of processes with this id, or whose name matches this `pattern`; repeatable"},
	}
}

// parse checks the flags, and returns what they select.
func (f *selectionFlags) parse() (s selection.Selection, err error) {
	if f.From, err = facts.ParseTimeBound(f.from); err != nil {
		return s, usagef("--from: %w", err)
	}
	if f.To, err = facts.ParseTimeBound(f.to); err != nil {
		return s, usagef("--to: %w", err)
	}
	if f.To.Before(f.From) {
		return s, usagef("--to %s is before --from %s", f.to, f.from)
	}
	s = selection.Selection{Selection: f.Selection, Tables: f.tables, Columns: f.columns}
	if err := s.Validate(); err != nil {
		return s, usagef("--%w", err) // it begins with the name of the option
	}
	return s, nil
}
