package main

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// problemLinesPerTrace bounds the kinds of problem that a run over one trace prints: a damaged trace
// can have thousands of problems.
const problemLinesPerTrace = 3

// problemLog collects the problems of the traces of a run, which are reported once per kind: a line
// for each of thousands of traces hides everything else.
type problemLog struct {
	traces int
	name   string          // of the first trace
	first  []facts.Problem // of the first trace
	kinds  []*loggedKind
}

// loggedKind is a kind of problem in several traces.
type loggedKind struct {
	info.ProblemKind        // the first problem, and the number in all traces
	name             string // of the first trace that has it
	traces           int
}

// add adds the problems of a trace.
func (l *problemLog) add(name string, list []facts.Problem) {
	if l.traces++; l.traces == 1 {
		l.name, l.first = name, list
	}
	for _, kind := range info.ProblemKinds(list) {
		i := slices.IndexFunc(l.kinds, func(k *loggedKind) bool { return k.First.Code == kind.First.Code })
		if i < 0 {
			l.kinds = append(l.kinds, &loggedKind{kind, name, 1})
			continue
		}
		l.kinds[i].traces++
		l.kinds[i].Count += kind.Count
	}
}

// lines describes the warnings and errors, the errors first: those of one trace in few lines, of which
// the last says where to find the rest; those of several traces in a line per kind. list says, given a
// code, what lists the problems of several traces.
func (l *problemLog) lines(where string, list func(code string) string) (lines []string) {
	if l.traces == 1 {
		for _, line := range problemLines(l.first, where) {
			lines = append(lines, printable(l.name)+": "+line)
		}
		return lines
	}
	for _, severity := range []facts.Severity{facts.SeverityError, facts.SeverityWarning} {
		for _, k := range l.kinds {
			switch {
			case k.First.Severity != severity:
			case k.traces == 1:
				lines = append(lines, printable(k.name)+": "+k.Line())
			default:
				lines = append(lines, fmt.Sprintf("%s of %s %s: %s", texts.Grouped(int64(k.traces)), counted(int64(l.traces), "trace"), k.text(), list(k.First.Code)))
			}
		}
	}
	return lines
}

// text says what several traces have.
func (k *loggedKind) text() string {
	if thing := batch.LostThing(k.First.Code); thing != "" {
		return "lost " + counted(k.Count, thing)
	}
	return fmt.Sprintf("have the %s %s (%s)", k.First.Severity, k.First.Code, texts.Grouped(k.Count))
}

// problemsSQL returns SQL that lists the problems of a code.
func problemsSQL(code string) string {
	return fmt.Sprintf("SELECT trace, count, message FROM problems WHERE code = '%s'", code)
}

// problemLines describes the warnings and errors of a trace in few lines. The
// last line says where to find the rest.
func problemLines(list []facts.Problem, where string) []string {
	var lines []string
	more := int64(0)
	for _, kind := range info.ProblemKinds(list) {
		switch {
		case kind.First.Severity == facts.SeverityInfo:
		case len(lines) < problemLinesPerTrace:
			lines = append(lines, kind.Line())
		default:
			more += kind.Count
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("%s more: see %s", texts.Grouped(more), where))
	}
	return lines
}
