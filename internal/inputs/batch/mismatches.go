package batch

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
)

// Mismatches decides which parts of the selection to report because they match nothing.
// That depends on all inputs: if the selection takes events of some inputs, the inputs
// without any are named; if it takes none at all, that is reported once, at the end.
type Mismatches struct {
	inputs  int               // converted so far
	matched bool              // the selection took events of at least one input
	pending []Mismatch        // the inputs without selected events, while matched is false
	beyond  int               // inputs without selected events beyond maxPending
	never   []patternMismatch // patterns that have matched nothing so far
	first   string            // name of the first input
}

// Mismatch is a report of a part of the selection that matches nothing.
type Mismatch struct {
	Scope   Scope
	Input   string // name of the trace, or of the first of them
	Inputs  int    // number of the traces
	Message string // what matches nothing; "" for MoreTraces
}

// Scope says what a Mismatch is about.
type Scope int

// The scopes.
const (
	OneTrace   Scope = iota // Message is about the trace Input
	EachTrace               // Message is about each of the traces
	MoreTraces              // the selection takes nothing of the traces, beyond those reported before
	AllTraces               // the selection takes nothing of the traces; Message is about the first
)

// patternMismatch is a pattern that matched nothing in the first input.
type patternMismatch struct {
	option, pattern string
	message         string // of the first input that had names to suggest, or else of the first input
	suggests        bool
	inputs          int // the inputs in which it matched nothing
}

// maxPending bounds the pending mismatches.
const maxPending = 1000

// Add records the mismatches of an input, and returns those to report now.
func (m *Mismatches) Add(name string, r *bundle.Report) []Mismatch {
	m.inputs++
	if m.inputs == 1 {
		m.first = name
	}
	for i := range r.Mismatches {
		m.notePattern(&r.Mismatches[i])
	}
	if !r.Empty {
		pending := m.flush()
		m.matched = true
		return pending
	}
	nothing := Mismatch{Scope: OneTrace, Input: name, Inputs: 1, Message: Messages(r.Mismatches)}
	switch {
	case m.matched:
		return []Mismatch{nothing}
	case len(m.pending) < maxPending:
		m.pending = append(m.pending, nothing)
	default:
		m.beyond++
	}
	return nil
}

func (m *Mismatches) notePattern(of *facts.Mismatch) {
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
	if m.inputs == 1 { // a pattern that matched in an earlier input is not misspelt
		m.never = append(m.never, patternMismatch{of.Option, of.Pattern, of.Message, len(of.Nearest) > 0, 1})
	}
}

// flush returns the pending mismatches and forgets them.
func (m *Mismatches) flush() []Mismatch {
	pending := m.pending
	if m.beyond > 0 {
		pending = append(pending, Mismatch{Scope: MoreTraces, Inputs: m.beyond})
	}
	m.pending, m.beyond = nil, 0
	return pending
}

// End returns the mismatches to report after the last input.
func (m *Mismatches) End(interrupted bool) []Mismatch {
	if m.inputs == 1 && !m.matched || interrupted {
		return m.flush()
	}
	scope := EachTrace
	if m.inputs == 1 {
		scope = OneTrace
	}
	var list []Mismatch
	for _, p := range m.never {
		if p.inputs == m.inputs {
			list = append(list, Mismatch{Scope: scope, Input: m.first, Inputs: m.inputs, Message: p.message})
		}
	}
	if len(list) == 0 && len(m.pending) > 0 { // each pattern matched somewhere, but never all in one input
		first := m.pending[0]
		list = append(list, Mismatch{Scope: AllTraces, Input: first.Input, Inputs: m.inputs, Message: first.Message})
	}
	return list
}

// Messages joins the messages of mismatches in one trace.
func Messages(list []facts.Mismatch) string {
	var texts []string
	for i := range list {
		texts = append(texts, list[i].Message)
	}
	return strings.Join(texts, "; ")
}
