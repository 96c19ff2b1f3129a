package parquet

import "github.com/etl2parquet/etl2parquet/schema"

// fieldIDs are the ids that nodes of a schema have. nil gives nodes none.
type fieldIDs map[int32]bool

// of returns the id of a node: that of [schema.FieldID] or, where an earlier node of the file has it,
// the next one that is free. A collision in a table of 1,000 columns has a probability of 1 to 4,000.
func (ids fieldIDs) of(path string) int32 {
	if ids == nil {
		return 0 // not written
	}
	id := schema.FieldID(path)
	for ids[id] {
		id++
	}
	ids[id] = true
	return id
}
