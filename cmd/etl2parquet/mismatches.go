package main

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// mismatchLine returns the line for a part of the selection that matches nothing.
func mismatchLine(m *batch.Mismatch) string {
	switch m.Scope {
	case batch.EachTrace:
		return fmt.Sprintf("in each of %s: %s", counted(int64(m.Inputs), "trace"), m.Message)
	case batch.MoreTraces:
		return fmt.Sprintf("the selection matches nothing in %s; --report lists them", counted(int64(m.Inputs), "more input"))
	case batch.AllTraces:
		return fmt.Sprintf("the selection matches nothing in %s; %s: %s", counted(int64(m.Inputs), "trace"), m.Input, m.Message)
	}
	return m.Input + ": " + m.Message
}

// patternLog collects the parts of a selection that match nothing in single traces. Those that match
// nothing in any trace are reported, once.
type patternLog struct {
	traces int
	list   []*batch.Mismatch
	parts  []string // of the same mismatches: the part of the selection
}

// add adds the mismatches of a trace.
func (l *patternLog) add(name string, list []facts.Mismatch) {
	l.traces++
	for _, m := range list {
		part := m.Option + " " + m.Pattern
		i := slices.Index(l.parts, part)
		if i < 0 {
			scope := batch.EachTrace
			if m.Pattern == "" { // the message is about this trace
				scope = batch.AllTraces
			}
			i, l.parts, l.list = len(l.list), append(l.parts, part), append(l.list, &batch.Mismatch{Scope: scope, Input: name, Message: m.Message})
		}
		l.list[i].Inputs++
	}
}

// lines returns a line for each part of the selection that matches nothing in any trace.
func (l *patternLog) lines() (lines []string) {
	for _, m := range l.list {
		if m.Inputs < l.traces {
			continue
		}
		if l.traces == 1 {
			m.Scope = batch.OneTrace
		}
		lines = append(lines, printable(mismatchLine(m)))
	}
	return lines
}
