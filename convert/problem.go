package convert

import "github.com/etl2parquet/etl2parquet/internal/engine/problems"

// Problem is a row of the table problems: what is wrong with a trace, or was lost
// before it was written. Buffer, FileOffset and Position are -1 where they do not
// apply.
type Problem = problems.Problem

// Severity says how much a problem matters.
type Severity = problems.Severity

// The severities of problems.
const (
	Info    = problems.Info    // worth knowing
	Warning = problems.Warning // lost before the file was written, or may have been
	Failure = problems.Failure // in the file, and could not be read
)
