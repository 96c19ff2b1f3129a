package main

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/internal/inputs/batch"
)

// mismatchLine returns the line for a part of the selection that matches nothing.
func mismatchLine(m *batch.Mismatch) string {
	switch m.Scope {
	case batch.EachTrace:
		return fmt.Sprintf("in each of %s: %s", counted(int64(m.Inputs), "trace"), m.Message)
	case batch.MoreTraces:
		return fmt.Sprintf("the selection matches nothing in %s; --report lists them", counted(int64(m.Inputs), "more input"))
	case batch.AllTraces:
		return fmt.Sprintf("the selection matches nothing in %s; %s: %s", counted(int64(m.Inputs), "trace"), m.Input, m.Message)
	}
	return m.Input + ": " + m.Message
}
