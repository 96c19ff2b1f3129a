package pipeline

import (
	"sync/atomic"
)

// Progress is the progress of a conversion. It may be read at any time.
type Progress struct {
	FileBytes    atomic.Int64 // of the trace; 0 until it is open
	IndexedBytes atomic.Int64
	Events       atomic.Int64 // in the trace, as far as indexed
	Converted    atomic.Int64 // events

	// The work of the convert pass: slabWork for each slab; 0 until it begins.
	Work    atomic.Int64
	Decoded atomic.Int64
	Encoded atomic.Int64

	// For a dataset that receives the rows:
	Files  atomic.Int64 // to write; 0 until all are complete
	Staged atomic.Int64 // files that are complete on disk
}

// slabWork is the work that a slab counts for. It is divided between the parts of a slab that is
// split, and between the tables that have rows of a slab.
const slabWork = 1 << 20

// The approximate shares of time of the steps of a conversion, measured with real traces on a disk.
// They leave a remainder for the work after the last file is staged.
const (
	IndexShare  = 0.12
	DecodeShare = 0.45
	EncodeShare = 0.28
	StageShare  = 0.14
)

// Fraction returns how much of the work is done. It never decreases, and is below 1 until Convert
// returns.
func (p *Progress) Fraction() float64 {
	return IndexShare*fraction(&p.IndexedBytes, &p.FileBytes) +
		DecodeShare*fraction(&p.Decoded, &p.Work) +
		EncodeShare*fraction(&p.Encoded, &p.Work) +
		StageShare*fraction(&p.Staged, &p.Files)
}

// plan sets the work of the convert pass. A pass without slabs is done.
func (p *Progress) plan(slabs int) {
	p.Work.Store(slabWork * int64(max(slabs, 1)))
	if slabs == 0 {
		p.Decoded.Store(slabWork)
		p.Encoded.Store(slabWork)
	}
}

func fraction(part, whole *atomic.Int64) float64 {
	w := whole.Load()
	if w <= 0 {
		return 0
	}
	return min(1, float64(part.Load())/float64(w))
}
