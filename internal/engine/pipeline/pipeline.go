package pipeline

import (
	"context"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/base/crash"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// pipeline makes the convert pass. All its workers are alike: each takes the
// most urgent piece of work there is, which is to encode a row group if one is
// ready, else to decode the next slab if memory allows, else to make rows of a
// table without events.
type pipeline struct {
	pass
	queue

	// Of the worker that appends slabs to tables:
	misfits rows.MisfitMerger
	tables  []*tableOutput // by rows.TableID; nil: it has no rows so far
}

// pass is what does not change while the pass is made.
type pass struct {
	x         *index.Index
	plan      *slabs.Plan
	filter    *rows.Filter
	events    *rows.Filter // nil: all are needed
	rows      *rows.Context
	sink      Sink
	streaming bool  // prefer small, early row groups
	memory    int64 // for slabs and batches
	waiting   int64 // most bytes that wait in all tables; the output depends on it
	progress  *Progress
}

// queue is the work that is left, and what it is done with. Its lock guards all of it.
type queue struct {
	mu         sync.Mutex
	wake       *sync.Cond
	first      *slabNode   // not yet appended to the tables
	appending  bool        // a worker appends slabs to the tables
	next       *slabNode   // not yet taken by a worker
	split      []*slabNode // parts of slabs that were too large, to be taken before next
	ready      []*groupJob
	background []*groupJob // of other tables, which wait until there is nothing else to do
	inFlight   int64       // bytes of slabs being decoded and of batches not yet encoded; what is left of memory is for idle
	estimate   int64       // bytes of a slab's rows, until they are there
	working    int         // workers that are busy
	flushed    bool        // the last batches have become row groups
	taken      int64       // events
	stacks     rows.StackCounts
	err        error
	idle       idleFillers
	free       []*rows.Gathered // as many as slabs were decoded at a time
	counts     index.Tally      // of the events of those that were given up
}

// slabNode is a slab in the list of those to be done, in order. A slab that
// turns out too large becomes two nodes.
type slabNode struct {
	slab    slabs.Slab
	next    *slabNode
	isDone  bool
	rows    rows.SlabRows
	bytes   int64
	work    int64 // see slabWork
	misfits rows.Misfits
}

// run makes the pass with a number of workers.
func (p *pipeline) run(ctx context.Context, workers int) error {
	if ctx.Err() != nil { // AfterFunc may report it later than a small trace takes
		return context.Cause(ctx)
	}
	p.begin()
	stop := context.AfterFunc(ctx, func() { p.fail(context.Cause(ctx)) })
	defer stop()
	var wait sync.WaitGroup
	for range workers {
		wait.Go(p.work)
	}
	wait.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// begin lists the slabs.
func (p *pipeline) begin() {
	p.wake = sync.NewCond(&p.mu)
	p.estimate = p.plan.Weight * p.plan.Bytes
	p.counts = make(index.Tally, len(p.x.Types)+1)
	var last *slabNode
	for _, s := range p.plan.Slabs {
		node := &slabNode{slab: s, work: slabWork}
		if last == nil {
			p.first, p.next = node, node
		} else {
			last.next = node
		}
		last = node
	}
	p.progress.plan(len(p.plan.Slabs))
	p.flushed = p.first == nil
}

func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.wake.Broadcast()
}

// work runs jobs until none is left.
func (p *pipeline) work() {
	for {
		job, node := p.take()
		var err error
		switch {
		case job != nil:
			err = crash.Guard(func() error { return p.encode(job) })
		case node != nil:
			err = crash.Guard(func() error { return p.decode(node) })
		default:
			return
		}
		p.mu.Lock()
		p.working--
		p.mu.Unlock()
		if err != nil {
			p.fail(err)
		}
	}
}

// take waits for something to do; it returns neither when all is done. One worker is
// woken at a time, and wakes the next if there is more to do: to wake them all at each
// step costs more than the step where there are many.
func (p *pipeline) take() (*groupJob, *slabNode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.wake.Signal()
	for p.err == nil {
		if len(p.ready) > 0 && !(p.flushed && p.isBackgroundLarger()) {
			job := p.ready[0]
			p.ready = p.ready[1:]
			p.working++
			return job, nil
		}
		if node := p.takeSlab(); node != nil {
			return nil, node
		}
		if job := p.takeBackground(); job != nil {
			return job, nil
		}
		if p.flushed && len(p.background) == 0 {
			return nil, nil
		}
		p.wake.Wait()
	}
	return nil, nil
}

// takeSlab returns the next slab to decode, if there is one and memory for it.
func (p *pipeline) takeSlab() *slabNode {
	// If no worker is busy, waiting for memory would deadlock.
	if p.inFlight+p.estimate > p.memory && p.working > 0 {
		return nil
	}
	var node *slabNode
	switch {
	case len(p.queue.split) > 0:
		node, p.queue.split = p.queue.split[0], p.queue.split[1:]
	case p.next != nil:
		node, p.next = p.next, p.next.next
	default:
		return nil
	}
	node.bytes = p.estimate
	p.inFlight += p.estimate
	p.working++
	return node
}

// isBackgroundLarger reports whether the next row group of a table without events is larger
// than the next one of events. In the end the largest go first.
func (p *pipeline) isBackgroundLarger() bool {
	return len(p.background) > 0 && p.background[0].bytes > p.ready[0].bytes && p.inFlight+p.background[0].bytes <= p.memory
}

// takeBackground returns a row group of a table without events, if there is one and memory
// for it, and all slabs are taken.
func (p *pipeline) takeBackground() *groupJob {
	if len(p.background) == 0 || p.hasSlabs() || p.inFlight+p.background[0].bytes > p.memory && p.working > 0 {
		return nil
	}
	p.trimIdle()
	job := p.background[0]
	p.background = p.background[1:]
	p.inFlight += job.bytes
	p.working++
	return job
}

// hasSlabs reports whether there are slabs that no worker has taken.
func (q *queue) hasSlabs() bool { return q.next != nil || len(q.split) > 0 }

// trimIdle frees idle memory that exceeds the budget, or that nothing will use.
func (p *pipeline) trimIdle() {
	if p.hasSlabs() {
		p.idle.trim(p.memory - p.inFlight)
		return
	}
	p.idle.trim(0)
	for _, g := range p.free {
		p.counts.Merge(g.Tally)
		g.Free()
	}
	p.free = nil
}

// learn estimates the bytes of the next slabs' rows by those of a slab: as many, or somewhat fewer
// than before.
func (q *queue) learn(bytes int64) { q.estimate = max(bytes, q.estimate-q.estimate/8, 1) }

// decode turns a slab into rows.
func (p *pipeline) decode(node *slabNode) error {
	g := p.acquireGathered()
	defer p.recycleGathered(g)
	cut, ok, err := g.Gather(p.x, p.plan, node.slab, p.events)
	if err != nil {
		return err
	}
	if !ok {
		p.cut(node, cut)
		return nil
	}
	filled := g.FillRows(p.rows, p.filler)
	misfits := g.TakeMisfits(filled)
	bytes := int64(0)
	for _, filler := range filled {
		if filler != nil {
			bytes += filler.Batch().Memory()
		}
	}
	p.progress.Converted.Add(int64(len(g.Entries)))
	p.progress.Decoded.Add(node.work)
	p.mu.Lock()
	p.inFlight += bytes - node.bytes
	p.learn(bytes)
	node.rows, node.misfits, node.bytes, node.isDone = filled, misfits, bytes, true
	p.taken += int64(len(g.Entries))
	p.stacks.Add(&g.Stacks)
	p.mu.Unlock()
	return p.sequence()
}

// cut puts two slabs in the place of one. They are done before all others,
// because those after them wait for them.
func (p *pipeline) cut(node *slabNode, at slabs.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight -= node.bytes
	second := &slabNode{slab: slabs.Slab{From: at, To: node.slab.To}, next: node.next, work: node.work / 2}
	node.work -= second.work
	node.slab.To = at
	node.next = second
	p.queue.split = append([]*slabNode{node, second}, p.queue.split...)
}

// acquireGathered returns memory for the events of a slab that is not in use.
func (p *pipeline) acquireGathered() *rows.Gathered {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		g := p.free[n-1]
		p.free = p.free[:n-1]
		return g
	}
	return rows.NewGathered()
}

func (p *pipeline) recycleGathered(g *rows.Gathered) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, g)
	p.trimIdle()
}

// filler returns a filler that is not in use.
func (p *pipeline) filler(id rows.TableID) rows.Filler {
	p.mu.Lock()
	defer p.mu.Unlock()
	if filler := p.idle.take(id); filler != nil {
		return filler
	}
	return rows.NewFiller(id, p.rows)
}

// tableOf returns a table that has rows.
func (p *pipeline) tableOf(id rows.TableID) *tableOutput {
	if p.tables[id] == nil {
		p.tables[id] = &tableOutput{id: id, table: p.filter.Table(id)}
	}
	return p.tables[id]
}

// encode has a row group encoded, and committed if it is the next of its table.
func (p *pipeline) encode(job *groupJob) error {
	w, err := job.table.writerOf(p.sink)
	if err != nil {
		return err
	}
	if job.make != nil {
		if err := p.makeRows(job); err != nil {
			return err
		}
	}
	g := &Group{Batches: job.batches, Last: job.last, done: func() { p.release(job) }}
	for _, filler := range job.fillers {
		g.Batches = append(g.Batches, filler.Batch())
	}
	encoded, err := w.Encode(g)
	if err != nil {
		return err
	}
	p.progress.Encoded.Add(job.work)
	return job.table.encoded.Deliver(job.number, encoded, Encoded.Commit)
}

// makeRows makes the rows of a table without events, and corrects what they take.
func (p *pipeline) makeRows(job *groupJob) error {
	b, err := job.make()
	if err != nil {
		return err
	}
	job.batches = []*columns.Batch{b}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight += b.Memory() - job.bytes
	job.bytes = b.Memory()
	return nil
}

// release takes the batches of a row group back.
func (p *pipeline) release(job *groupJob) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight -= job.bytes
	for _, filler := range job.fillers {
		p.idle.put(job.table.id, filler)
	}
	job.fillers, job.batches = nil, nil // the lists that had the job would keep them
	p.trimIdle()
	p.wake.Signal()
}
