package rows

import (
	"sync"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/fits"
)

// gathered holds the memory of finished small traces for reuse. There may be thousands of traces,
// and most of a small one's cost is this memory.
var gathered sync.Pool

// NewGathered returns memory for the events of one trace's slabs.
func NewGathered() *Gathered {
	if g, ok := gathered.Get().(*Gathered); ok {
		return g
	}
	return new(Gathered)
}

// Free offers the memory for reuse by the next trace, unless it is large. It must not be in use.
func (g *Gathered) Free() {
	if g.arena.capacity() > maxArenaBlock {
		return
	}
	g.Entries, g.segments, g.runs, g.buffers = g.Entries[:0], g.segments[:0], g.runs[:0], g.buffers[:0]
	g.arena.reset()
	g.buffer = decode.Buffer{}
	g.finder, g.kinds, g.resolver, g.ranks, g.frames = catalog.Finder{}, nil, nil, nil, nil
	g.Tally, g.Stacks, g.stackTables = nil, stackParts{}, stackTables{}
	b := &g.block
	clear(b.rows)
	b.columns.items, b.byTable, b.touched = extendedItems{}, nil, nil
	b.texts, b.fits, b.payloadProblems, b.kinds = describer{}, fits.Fitter{}, nil, nil
	gathered.Put(g)
}
