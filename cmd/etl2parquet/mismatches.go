package main

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
)

// mismatches says what of the selection matches nothing. With several inputs it
// depends on the others: where some have what is selected, those that have none
// of it are named; where none has, that is said once, in the end.
type mismatches struct {
	inputs  int               // converted
	matched bool              // something is selected of one
	pending []string          // lines on inputs of which nothing is, while that is so of all
	beyond  int               // such inputs for which there was no room
	never   []patternMismatch // patterns that have matched nothing so far
	first   string            // input
}

// patternMismatch is a pattern that matched nothing in the first input, and in
// so many others.
type patternMismatch struct {
	option, pattern string
	message         string // of the first input that had names to suggest, or of the first
	suggests        bool
	inputs          int
}

// mostPending bounds the lines that wait.
const mostPending = 1000

// add notes what came of an input, and returns lines to print now.
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
	if m.inputs == 1 { // what matched in an earlier one is no typing error
		m.never = append(m.never, patternMismatch{of.Option, of.Pattern, of.Message, len(of.Nearest) > 0, 1})
	}
}

// flush returns the lines that wait.
func (m *mismatches) flush() []string {
	lines := m.pending
	if m.beyond > 0 {
		lines = append(lines, "nothing is selected of "+counted(int64(m.beyond), "more input")+"; --report lists them")
	}
	m.pending, m.beyond = nil, 0
	return lines
}

// end returns the lines that are left when all inputs are done.
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
	if len(lines) == 0 && len(m.pending) > 0 { // each for a reason of its own
		lines = append(lines, "nothing of "+traces+" is selected; "+m.pending[0])
	}
	return lines
}

// messages returns what does not match in one line.
func messages(list []convert.Mismatch) string {
	var texts []string
	for _, m := range list {
		texts = append(texts, m.Message)
	}
	return strings.Join(texts, "; ")
}
