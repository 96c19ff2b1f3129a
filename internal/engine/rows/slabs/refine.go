package slabs

import "github.com/etl2parquet/etl2parquet/internal/engine/index"

// The least size of a slab that Refine makes: each slab has some costs of its own.
const (
	leastRefinedEvents = 16 << 10
	leastRefinedBytes  = 1 << 20
	refinedShare       = 4 // of a slab, one that Refine makes
	buffersPerSlab     = 4 // of each processor, at least
)

// Refine cuts the trace into smaller slabs, for rows that nobody collects into large row groups.
// Smaller slabs take less memory, most of which is touched for the first time, and that costs
// more than what is done with it. But each slab reads the buffers that its borders cut, one of
// each processor: so its size depends on them too.
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
