package pipeline

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// idleFillers are fillers that are not in use, with the memory of their batches. A trace has phases
// that use different tables. So the least recently used fillers are freed first, to make room for
// the tables in use.
type idleFillers struct {
	list  []idleFiller // least recently used first
	bytes int64
}

type idleFiller struct {
	id    rows.TableID
	bytes int64
	rows.Filler
}

// put stores an idle filler of a table.
func (f *idleFillers) put(id rows.TableID, filler rows.Filler) {
	bytes := filler.Batch().Capacity()
	f.list = append(f.list, idleFiller{id, bytes, filler})
	f.bytes += bytes
}

// trim frees fillers until they take at most most bytes.
func (f *idleFillers) trim(most int64) {
	old := 0
	for ; old < len(f.list) && f.bytes > most; old++ {
		f.bytes -= f.list[old].bytes
	}
	f.list = slices.Delete(f.list, 0, old)
}

// acquire returns the most recently used filler of a table, or nil.
func (f *idleFillers) acquire(id rows.TableID) rows.Filler {
	for i := len(f.list) - 1; i >= 0; i-- {
		if at := f.list[i]; at.id == id {
			f.list = slices.Delete(f.list, i, i+1)
			f.bytes -= at.bytes
			return at.Filler
		}
	}
	return nil
}
