package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/convert"
	"github.com/etl2parquet/etl2parquet/internal/batch"
)

// problemLinesPerTrace bounds the kinds of problem that convert prints of a
// trace: a damaged trace can have thousands of problems.
const problemLinesPerTrace = 3

var severityRank = map[convert.Severity]int{convert.Failure: 0, convert.Warning: 1, convert.Info: 2}

func bySeverity(a, b convert.Problem) int {
	return cmp.Compare(severityRank[a.Severity], severityRank[b.Severity])
}

// problemKind counts the problems of one code.
type problemKind struct {
	first convert.Problem
	count int64
}

// problemKinds groups problems by code, the most severe first.
func problemKinds(problems []convert.Problem) []problemKind {
	var kinds []problemKind
	at := make(map[string]int)
	for _, p := range problems {
		i, ok := at[p.Code]
		if !ok {
			i = len(kinds)
			at[p.Code] = i
			kinds = append(kinds, problemKind{first: p})
		}
		kinds[i].count += p.Count
	}
	slices.SortStableFunc(kinds, func(a, b problemKind) int { return bySeverity(a.first, b.first) })
	return kinds
}

// line describes the problems of one code: the first, and the number of others.
func (k *problemKind) line() string {
	p := k.first
	thing := batch.LostThing(p.Code)
	p.Count = 1 // the count is added below
	s := printable(p.String())
	switch {
	case thing != "":
		s += ": " + counted(k.count, thing)
	case k.count > 1:
		s += fmt.Sprintf(", and %s more like it", grouped(k.count-1))
	}
	return s
}

// problemLines describes the warnings and errors of a trace in few lines. The
// last line says where to find the rest.
func problemLines(problems []convert.Problem, where string) []string {
	var lines []string
	more := int64(0)
	for _, kind := range problemKinds(problems) {
		switch {
		case kind.first.Severity == convert.Info:
		case len(lines) < problemLinesPerTrace:
			lines = append(lines, kind.line())
		default:
			more += kind.count
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("%s more: see %s", grouped(more), where))
	}
	return lines
}

// lossLine sums up losses, given the counts of problems by code, or returns "".
func lossLine(counts map[string]int64) string {
	var parts []string
	add := func(n int64, thing, how string) {
		if n > 0 {
			parts = append(parts, counted(n, thing)+" "+how)
		}
	}
	add(counts["events_lost"], "event", "while recording")
	add(counts["buffers_lost"], "buffer", "while recording")
	add(counts["buffers_missing"], "buffer", "not in the file")
	add(counts["buffer_reports_loss"], "buffer", "preceded by a loss")
	if len(parts) == 0 {
		return ""
	}
	return "lost: " + strings.Join(parts, ", ")
}
