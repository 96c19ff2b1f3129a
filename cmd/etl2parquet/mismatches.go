package main

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
)

// mismatches reports the parts of the selection that match nothing. With several
// inputs the report depends on all of them: if the selection takes events of
// some inputs, the inputs without any are named; if it takes none at all, that
// is reported once, at the end.
type mismatches struct {
	inputs  int               // converted so far
	matched bool              // the selection took events of at least one input
	pending []string          // lines for the inputs without selected events, while matched is false
	beyond  int               // inputs without selected events beyond mostPending
	never   []patternMismatch // patterns that have matched nothing so far
	first   string            // name of the first input
}

// patternMismatch is a pattern that matched nothing in the first input.
type patternMismatch struct {
	option, pattern string
	message         string // of the first input that had names to suggest, or else of the first input
	suggests        bool
	inputs          int // the inputs in which it matched nothing
}

// mostPending bounds the pending lines.
const mostPending = 1000

// add records the mismatches of an input, and returns lines to print now.
func (m *mismatches) add(name string, r *convert.Report) []string {
	m.inputs++
	if m.inputs == 1 {
		m.first = name
	}
	for i := range r.Mismatches {
		m.notePattern(&r.Mismatches[i])
	}
	if !r.Empty {
		lines := m.flush()
		m.matched = true
		return lines
	}
	line := name + ": " + messages(r.Mismatches)
	switch {
	case m.matched:
		return []string{line}
	case len(m.pending) < mostPending:
		m.pending = append(m.pending, line)
	default:
		m.beyond++
	}
	return nil
}

func (m *mismatches) notePattern(of *convert.Mismatch) {
	if of.Pattern == "" {
		return
	}
	for i := range m.never {
		p := &m.never[i]
		if p.option != of.Option || p.pattern != of.Pattern {
			continue
		}
		p.inputs++
		if !p.suggests && len(of.Nearest) > 0 {
			p.message, p.suggests = of.Message, true
		}
		return
	}
	if m.inputs == 1 { // a pattern that matched in an earlier input is no typing error
		m.never = append(m.never, patternMismatch{of.Option, of.Pattern, of.Message, len(of.Nearest) > 0, 1})
	}
}

// flush returns the pending lines and forgets them.
func (m *mismatches) flush() []string {
	lines := m.pending
	if m.beyond > 0 {
		lines = append(lines, "the selection matches nothing in "+counted(int64(m.beyond), "more input")+"; --report lists them")
	}
	m.pending, m.beyond = nil, 0
	return lines
}

// end returns the lines to print after the last input.
func (m *mismatches) end(interrupted bool) []string {
	if m.inputs == 1 && !m.matched || interrupted {
		return m.flush()
	}
	traces := counted(int64(m.inputs), "trace")
	of := "in each of " + traces
	if m.inputs == 1 {
		of = m.first
	}
	var lines []string
	for _, p := range m.never {
		if p.inputs == m.inputs {
			lines = append(lines, of+": "+p.message)
		}
	}
	if len(lines) == 0 && len(m.pending) > 0 { // each pattern matched somewhere, but never all in one input
		lines = append(lines, "the selection matches nothing in "+traces+"; "+m.pending[0])
	}
	return lines
}

// messages joins the messages of mismatches into one line.
func messages(list []convert.Mismatch) string {
	var texts []string
	for _, m := range list {
		texts = append(texts, m.Message)
	}
	return strings.Join(texts, "; ")
}
