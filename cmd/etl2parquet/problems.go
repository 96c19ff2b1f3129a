package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/text/number"
	"github.com/etl2parquet/etl2parquet/internal/doors/info"
	"github.com/etl2parquet/etl2parquet/internal/engine/access"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

// problemLinesPerTrace bounds the kinds of problem that convert prints of a
// trace: a damaged trace can have thousands of problems.
const problemLinesPerTrace = 3

// problemsOf returns the problems of a report as the library's.
func problemsOf(list []problems.Problem) (of []etl2parquet.Problem) {
	for i := range list {
		of = append(of, access.Problem(&list[i]).(etl2parquet.Problem))
	}
	return of
}

// problemLines describes the warnings and errors of a trace in few lines. The
// last line says where to find the rest.
func problemLines(of []etl2parquet.Problem, where string) []string {
	var lines []string
	more := int64(0)
	for _, kind := range info.ProblemKinds(of) {
		switch {
		case kind.First.Severity == etl2parquet.SeverityInfo:
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
