package pipeline

import (
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
)

// sequence appends the rows of slabs to their tables, in the order of slabs. One worker does so at
// a time. Another worker that has decoded a slab leaves it to that worker and continues.
func (p *pipeline) sequence() error {
	for node := p.beginSequence(); node != nil; {
		h := appendState{node: node}
		if err := p.append(&h); err != nil {
			return err
		}
		node = p.appended(&h)
	}
	return nil
}

// beginSequence returns the next slab to append, or nil if it is not decoded yet or another worker
// is appending.
func (p *pipeline) beginSequence() *slabNode {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.appending {
		return nil
	}
	return p.nextDone()
}

// nextDone returns the next slab to append, or nil if it is not decoded yet. After the last slab it
// makes row groups of the remaining rows.
func (p *pipeline) nextDone() *slabNode {
	p.appending = p.first != nil && p.first.isDone
	if p.appending {
		return p.first
	}
	if p.first == nil && !p.flushed {
		p.flush()
	}
	return nil
}

// appendState tracks appending one slab's rows to the tables.
type appendState struct {
	node *slabNode
	more int64 // bytes in flight because of it
	full bool  // a table has as many rows as the limit allows
}

// append appends the rows of a slab to their tables.
func (p *pipeline) append(h *appendState) error {
	node := h.node
	p.payloadProblems.Add(node.payloadProblems)
	dropped, err := node.rows.DropSeen(p.rows.Seen)
	if err != nil {
		return err
	}
	h.more -= dropped
	work, bytes := node.work, node.bytes-dropped // of the rows that follow
	for id, filler := range node.rows {
		if filler == nil {
			continue
		}
		batch, t := filler.Batch(), p.tableOf(rows.TableID(id))
		p.limitRows(t, h, batch)
		size := batch.Memory()
		if batch.Rows == 0 { // earlier slabs have all of its stacks, or it is beyond the limit
			p.recycle(t, filler)
			continue
		}
		share := work * size / max(bytes, 1)
		work, bytes = work-share, bytes-size
		t.pendingWork += share
		t.pendingRows += batch.Rows
		if !p.join(t, h, filler) {
			t.pending = append(t.pending, filler)
			t.pendingBytes += size
		}
		if IsGroup(t.pendingRows, t.pendingBytes, t.given, !p.streaming) {
			p.mu.Lock()
			p.group(t)
			p.mu.Unlock()
		}
	}
	p.progress.Encoded.Add(work) // of a slab without rows
	return nil
}

// limitRows removes the rows of a batch that are beyond the limit of its table.
func (p *pipeline) limitRows(t *tableOutput, h *appendState, b *columns.Batch) {
	left := p.limit - int64(t.given+t.pendingRows)
	if int64(b.Rows) < left {
		return
	}
	h.full = true
	if int64(b.Rows) > left {
		before := b.Memory()
		b.Truncate(int(left))
		h.more += b.Memory() - before
	}
}

// recycle stores a filler whose rows its table has copied: workers that decode a slab need it soon.
func (p *pipeline) recycle(t *tableOutput, filler rows.Filler) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle.put(t.id, filler)
}

// appended completes the appending of a slab, and returns the next one.
func (p *pipeline) appended(h *appendState) *slabNode {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight += h.more
	p.first = h.node.next
	if h.full {
		p.enough, p.first, p.next, p.queue.split = true, nil, nil, nil
	}
	p.relieve()
	p.trimIdle()
	p.wake.Signal() // there may be memory for another slab
	return p.nextDone()
}
