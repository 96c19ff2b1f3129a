package etl2parquet

import "github.com/etl2parquet/etl2parquet/facts"

// Problems returns the problems in the trace that are known so far, in file order: those found when
// it was opened, and by scans that have ended.
func (t *Trace) Problems() []facts.Problem { return t.source.Index.Found() }
