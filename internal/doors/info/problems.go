package info

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

var severityRank = map[facts.Severity]int{facts.SeverityError: 0, facts.SeverityWarning: 1, facts.SeverityInfo: 2}

func bySeverity(a, b facts.Problem) int {
	return cmp.Compare(severityRank[a.Severity], severityRank[b.Severity])
}

// ProblemKind counts the problems of one code.
type ProblemKind struct {
	First facts.Problem // the first in the trace
	Count int64         // of problems
}

// ProblemKinds groups problems by code, the most severe first.
func ProblemKinds(problems []facts.Problem) []ProblemKind {
	var kinds []ProblemKind
	at := make(map[string]int)
	for _, p := range problems {
		i, ok := at[p.Code]
		if !ok {
			i = len(kinds)
			at[p.Code] = i
			kinds = append(kinds, ProblemKind{First: p})
		}
		kinds[i].Count += p.Count
	}
	slices.SortStableFunc(kinds, func(a, b ProblemKind) int { return bySeverity(a.First, b.First) })
	return kinds
}

// Line describes the problems of one code: the first, and the number of others.
func (k *ProblemKind) Line() string {
	p := k.First
	thing := batch.LostThing(p.Code)
	p.Count = 1 // the count is added below
	s := texts.Printable(p.String())
	switch {
	case thing != "":
		s += ": " + texts.Counted(k.Count, thing)
	case k.Count > 1:
		s += fmt.Sprintf(", and %s more like it", texts.Grouped(k.Count-1))
	}
	return s
}
