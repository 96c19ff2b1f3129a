package rows

import (
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// processFilter selects the events of some processes.
type processFilter struct {
	ids   []selectedID
	named []bool // by the index in attribution.Tables.Processes
	bits  uint64 // of the ids of all of them, by index.ProcessBit
}

// selectedID is the id of a process, whichever processes it meant over time.
type selectedID struct {
	id   uint32
	seen *atomic.Bool // an event of it was kept, by any worker
}

// newProcessFilter finds the processes that patterns match.
func newProcessFilter(x *index.Index, patterns []string) *processFilter {
	processes := x.Tables().Processes
	f := &processFilter{named: make([]bool, len(processes))}
	for _, pattern := range patterns {
		if id, ok := processID(pattern); ok {
			f.ids = append(f.ids, selectedID{id, new(atomic.Bool)})
			f.bits |= index.ProcessBit(id)
			continue
		}
		for i := range processes {
			if p := &processes[i]; schema.MatchProcess(pattern, p.Name) {
				f.named[i] = true
				f.bits |= index.ProcessBit(p.ID)
			}
		}
	}
	return f
}

// processID returns the id that a pattern states. Any other pattern is a name.
func processID(pattern string) (id uint32, ok bool) {
	n, err := strconv.ParseUint(pattern, 10, 32)
	return uint32(n), err == nil
}

// keep reports whether an event belongs to one of the processes.
func (f *processFilter) keep(r *attribution.Resolver, ev *decode.Event, k *catalog.Kind, running uint32) bool {
	var found attribution.Owner
	r.Owner(ev, k.Literal.Event, k.Version, running, &found)
	owner := found.Process
	if owner == attribution.NoID {
		return false
	}
	if i := slices.IndexFunc(f.ids, func(s selectedID) bool { return s.id == owner }); i >= 0 {
		if seen := f.ids[i].seen; !seen.Load() {
			seen.Store(true)
		}
		return true
	}
	i := r.Process(owner, ev.Time)
	return i >= 0 && f.named[i]
}

// missed reports whether a pattern is an id for which no event was kept.
func (f *processFilter) missed(pattern string) bool {
	id, ok := processID(pattern)
	return ok && !slices.ContainsFunc(f.ids, func(s selectedID) bool { return s.id == id && s.seen.Load() })
}
