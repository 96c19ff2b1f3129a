package pipeline

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// Limits at which waiting rows become a row group: their number, or their memory.
const (
	GroupRows  = 128 << 10
	GroupBytes = 32 << 20
	promptRows = 16 << 10 // if groups are wanted early
)

// IsGroup reports whether the waiting rows of a table, which take some bytes, make a row group. A large
// group is one of a dataset. Others are wanted early: the first is made of the first rows, and later ones
// grow with the number of rows before them.
func IsGroup(rows int, bytes int64, before int, large bool) bool {
	wanted := min(max(before, 1), promptRows)
	if large {
		wanted = GroupRows
	}
	return rows >= wanted || bytes >= GroupBytes
}

// joinedRows is the number of rows that justifies a batch of its own. In a trace of any length most
// tables have a few rows in each slab, and a batch of many columns takes kilobytes for itself.
const joinedRows = 1 << 10

// join appends few rows to the last waiting batch.
func (p *pipeline) join(t *tableOutput, h *appendState, filler rows.Filler) bool {
	if len(t.pending) == 0 {
		return false
	}
	batch, last := filler.Batch(), t.pending[len(t.pending)-1].Batch()
	if batch.Rows > joinedRows || last.Rows > joinedRows {
		return false
	}
	before := last.Memory()
	last.Append(batch)
	more := last.Memory() - before
	t.pendingBytes += more
	h.more += more - batch.Memory()
	p.recycle(t, filler)
	return true
}

// relieve makes row groups of the largest tables while too many rows are waiting.
func (p *pipeline) relieve() {
	for {
		total := int64(0)
		var largest *tableOutput
		for _, t := range p.tables {
			if t == nil {
				continue
			}
			total += t.pendingBytes
			if largest == nil || t.pendingBytes > largest.pendingBytes {
				largest = t
			}
		}
		if total <= p.waiting {
			return
		}
		p.group(largest)
	}
}

// flush makes row groups of the remaining rows, the largest first: then the small ones keep all
// workers busy until the end.
func (p *pipeline) flush() {
	p.flushed = true
	before := len(p.ready)
	for _, t := range p.tables {
		if t != nil && t.pendingRows > 0 {
			job := p.group(t)
			job.last, job.only = true, job.number == 0
		}
	}
	largestFirst(p.ready[before:])
}

func largestFirst(jobs []*groupJob) {
	slices.SortStableFunc(jobs, func(a, b *groupJob) int { return cmp.Compare(b.bytes, a.bytes) })
}

// group makes a row group of the waiting rows of a table.
func (p *pipeline) group(t *tableOutput) *groupJob {
	job := &groupJob{table: t, number: t.jobs, fillers: t.pending, bytes: t.pendingBytes, work: t.pendingWork}
	p.ready = append(p.ready, job)
	t.jobs++
	t.given += t.pendingRows
	t.pending, t.pendingRows, t.pendingBytes, t.pendingWork = nil, 0, 0, 0
	p.wake.Signal()
	return job
}
