package slabs

import "github.com/etl2parquet/etl2parquet/internal/engine/index"

// The least size of a slab that Refine makes, because each slab has a fixed cost.
const (
	leastRefinedEvents = 16 << 10
	leastRefinedBytes  = 1 << 20
	refinedShare       = 4 // of a slab
	buffersPerSlab     = 4 // of each processor, at least
)

// Refine cuts the trace into smaller slabs, for rows that are not collected into large row groups.
// Smaller slabs take less memory; touching memory for the first time costs more than processing its
// contents. But each slab reads the buffers that its borders cut, one per processor, so the size
// depends on the buffers too.
func (p *Plan) Refine(x *index.Index, within Slab) {
	h := x.File.Header()
	least := int64(buffersPerSlab) * int64(h.NumberOfProcessors) * int64(min(h.BufferSize, uint32(leastRefinedBytes)))
	p.Size = Size{
		Events: min(p.Events, max(p.Events/refinedShare, leastRefinedEvents)),
		Bytes:  min(p.Bytes, max(p.Bytes/refinedShare, leastRefinedBytes, least)),
	}
	p.Slabs = nil
	p.cut(x, within)
}
