package rows

import "slices"

// IdleFillers are fillers that are not in use, with the memory of their
// batches. A trace has its phases: those that have not been used for longest
// are given up, so that the room is for the tables of now.
type IdleFillers struct {
	list  []idleFiller // that of longest ago first
	bytes int64
}

type idleFiller struct {
	id    TableID
	bytes int64
	Filler
}

// Put keeps a filler of a table.
func (f *IdleFillers) Put(id TableID, filler Filler) {
	bytes := filler.start().batch.Capacity()
	f.list = append(f.list, idleFiller{id, bytes, filler})
	f.bytes += bytes
}

// Trim gives up fillers until they take no more than some bytes.
func (f *IdleFillers) Trim(most int64) {
	old := 0
	for ; old < len(f.list) && f.bytes > most; old++ {
		f.bytes -= f.list[old].bytes
	}
	f.list = slices.Delete(f.list, 0, old)
}

// Take returns the filler of a table that was in use last, or nil.
func (f *IdleFillers) Take(id TableID) Filler {
	for i := len(f.list) - 1; i >= 0; i-- {
		if at := f.list[i]; at.id == id {
			f.list = slices.Delete(f.list, i, i+1)
			f.bytes -= at.bytes
			return at.Filler
		}
	}
	return nil
}
