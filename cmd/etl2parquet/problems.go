package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

// problemLinesPerTrace bounds the kinds of problem that convert prints of a
// trace: a damaged trace can have thousands of problems.
const problemLinesPerTrace = 3

// problemsOf returns the problems of a trace.
func problemsOf(trace *etl2parquet.Trace) (list []problems.Problem) {
	for _, p := range trace.Problems() {
		list = append(list, problems.Problem{
			Severity: problems.Severity(p.Severity), Code: p.Code, Count: p.Count, Buffer: p.Buffer, FileOffset: p.FileOffset, Position: p.Position, Field: p.Field, Message: p.Message,
		})
	}
	return list
}

// problemLines describes the warnings and errors of a trace in few lines. The
// last line says where to find the rest.
func problemLines(of []problems.Problem, where string) []string {
	var lines []string
	more := int64(0)
	for _, kind := range info.ProblemKinds(of) {
		switch {
		case kind.First.Severity == problems.Info:
		case len(lines) < problemLinesPerTrace:
			lines = append(lines, kind.Line())
		default:
			more += kind.Count
		}
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("%s more: see %s", number.Grouped(more), where))
	}
	return lines
}
