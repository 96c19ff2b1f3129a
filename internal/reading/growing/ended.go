package growing

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// ended are the times at which processes ended, by their ids.
type ended map[uint32]decode.Ticks

// endedProcesses returns the processes that ended some time ago. Buffers of other processors may still
// come with events of a process that ended just now.
func endedProcesses(events []index.KeptEvent) ended {
	gone := make(ended)
	for i := range events[:len(events)*3/4] {
		if e := &events[i]; e.Ends && e.Process != attribution.NoID {
			gone[e.Process] = max(gone[e.Process], e.Time)
		}
	}
	return gone
}

// includes reports whether a fact is about a process that ended after it.
func (g ended) includes(e *index.KeptEvent) bool {
	if e.Process == attribution.NoID {
		return false
	}
	end, ok := g[e.Process]
	return ok && e.Time <= end
}
