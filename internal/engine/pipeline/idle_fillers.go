package pipeline

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// idleFillers are fillers that are not in use, with the memory of their
// batches. A trace has its phases: those that have not been used for longest
// are given up, so that the room is for the tables of now.
type idleFillers struct {
	list  []idleFiller // that of longest ago first
	bytes int64
}

type idleFiller struct {
	id    rows.TableID
	bytes int64
	rows.Filler
}

// put keeps a filler of a table.
func (f *idleFillers) put(id rows.TableID, filler rows.Filler) {
	bytes := filler.Batch().Capacity()
	f.list = append(f.list, idleFiller{id, bytes, filler})
	f.bytes += bytes
}

// trim gives up fillers until they take no more than some bytes.
func (f *idleFillers) trim(most int64) {
	old := 0
	for ; old < len(f.list) && f.bytes > most; old++ {
		f.bytes -= f.list[old].bytes
	}
	f.list = slices.Delete(f.list, 0, old)
}

// take returns the filler of a table that was in use last, or nil.
func (f *idleFillers) take(id rows.TableID) rows.Filler {
	for i := len(f.list) - 1; i >= 0; i-- {
		if at := f.list[i]; at.id == id {
			f.list = slices.Delete(f.list, i, i+1)
			f.bytes -= at.bytes
			return at.Filler
		}
	}
	return nil
}
