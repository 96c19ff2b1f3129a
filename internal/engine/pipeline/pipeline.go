package pipeline

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/base/goroutine"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// pipeline makes the convert pass. All its workers are alike. Each takes the most urgent work: it
// encodes a row group if one is ready, else decodes the next slab if memory allows, else makes rows
// of a table without events.
type pipeline struct {
	pass
	queue

	// Owned by the worker that appends slabs to tables:
	payloadProblems rows.PayloadProblemMerger
	tables          []*tableOutput // by rows.TableID; nil if it has no rows so far
}

// pass is the part that is constant during the pass.
type pass struct {
	x         *index.Index
	plan      *slabs.Plan
	filter    *rows.Filter
	events    *rows.Filter // nil if all events are needed
	rows      *rows.Context
	sink      Sink
	streaming bool  // prefer small, early row groups
	memory    int64 // for slabs and batches
	waiting   int64 // most bytes that wait in all tables; the output depends on it
	limit     int64 // most rows of a table
	progress  *Progress
	times     *Times // nil if it is not measured
}

// queue is the remaining work, and the memory for it. Its lock guards all of it.
type queue struct {
	mu         sync.Mutex
	wake       *sync.Cond
	first      *slabNode   // not yet appended to the tables
	appending  bool        // a worker appends slabs to the tables
	next       *slabNode   // not yet taken by a worker
	split      []*slabNode // parts of slabs that were too large, to be taken before next
	ready      []*groupJob
	background []*groupJob // of tables without events, made when there is nothing else to do
	inFlight   int64       // bytes of slabs being decoded and of batches not yet encoded; the rest of memory is for idle
	estimate   int64       // bytes of the rows of a slab that is not decoded yet
	working    int         // workers that are busy
	flushed    bool        // the last batches have become row groups
	enough     bool        // a table has as many rows as the limit allows: there are no more slabs
	taken      int64       // events
	stacks     rows.StackCounts
	err        error
	idle       idleFillers
	free       []*rows.Gathered // as many as slabs were decoded at a time
	counts     index.Tally      // of the events in Gathered that were freed
}

// slabNode is a slab in the list of remaining slabs, in order. A slab that turns out too large
// becomes two nodes.
type slabNode struct {
	slab            slabs.Slab
	next            *slabNode
	isDone          bool
	rows            rows.SlabRows
	bytes           int64
	work            int64 // see slabWork
	payloadProblems rows.PayloadProblems
}

// run makes the pass with a number of workers. A panic of a worker goes on in the caller.
func (p *pipeline) run(ctx context.Context, workers int) error {
	if ctx.Err() != nil { // AfterFunc may be too late for a small trace
		return context.Cause(ctx)
	}
	p.listSlabs()
	stop := context.AfterFunc(ctx, func() { p.fail(context.Cause(ctx)) })
	defer stop()
	var wait sync.WaitGroup
	for range workers {
		wait.Go(p.work)
	}
	wait.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return goroutine.Raise(p.err)
}

// listSlabs lists the slabs.
func (p *pipeline) listSlabs() {
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
		job, node := p.nextJob()
		var err error
		switch {
		case job != nil:
			err = goroutine.Guard(func() error { return p.timed((*Times).write, func() error { return p.encode(job) }) })
		case node != nil:
			err = goroutine.Guard(func() error { return p.timed((*Times).decode, func() error { return p.decode(node) }) })
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

// timed does a job, and adds its time to one of the times.
func (p *pipeline) timed(to func(*Times) *atomic.Int64, job func() error) error {
	if p.times != nil {
		start := time.Now()
		defer func() { to(p.times).Add(int64(time.Since(start))) }()
	}
	return job()
}

// nextJob waits for work; it returns neither when all is done. It wakes one worker at a time, which
// wakes the next if there is more work. With many workers, waking all of them at each step costs
// more than the step.
func (p *pipeline) nextJob() (*groupJob, *slabNode) {
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

// isBackgroundLarger reports whether the next row group of a table without events is larger than
// the next one of events. At the end the largest go first.
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

// learn estimates the bytes of the next slabs' rows from those of a slab: as many, or slightly
// fewer than the last estimate.
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
	payloadProblems := g.TakePayloadProblems(filled)
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
	node.rows, node.payloadProblems, node.bytes, node.isDone = filled, payloadProblems, bytes, true
	p.taken += int64(len(g.Entries))
	p.stacks.Add(&g.Stacks)
	p.mu.Unlock()
	return p.sequence()
}

// cut replaces a slab by two. They are processed before all others, because the slabs after them
// must wait for them.
func (p *pipeline) cut(node *slabNode, at slabs.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight -= node.bytes
	if p.enough {
		return
	}
	second := &slabNode{slab: slabs.Slab{From: at, To: node.slab.To}, next: node.next, work: node.work / 2}
	node.work -= second.work
	node.slab.To = at
	node.next = second
	p.queue.split = append([]*slabNode{node, second}, p.queue.split...)
}

// acquireGathered returns idle memory for the events of a slab.
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

// filler returns an idle filler.
func (p *pipeline) filler(id rows.TableID) rows.Filler {
	p.mu.Lock()
	defer p.mu.Unlock()
	if filler := p.idle.acquire(id); filler != nil {
		return filler
	}
	return rows.NewFiller(id, p.rows)
}

// tableOf returns the output of a table that has rows.
func (p *pipeline) tableOf(id rows.TableID) *tableOutput {
	if p.tables[id] == nil {
		p.tables[id] = &tableOutput{id: id, table: p.filter.Table(id)}
	}
	return p.tables[id]
}

// encode encodes a row group, and commits it if it is the next of its table.
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
	g := &Group{Batches: job.batches, Last: job.last, Only: job.only, done: func() { p.release(job) }}
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

// makeRows makes the rows of a table without events, and corrects the estimate of their memory.
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

// release returns the batches of a row group.
func (p *pipeline) release(job *groupJob) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight -= job.bytes
	for _, filler := range job.fillers {
		p.idle.put(job.table.id, filler)
	}
	job.fillers, job.batches = nil, nil // lists that still hold the job would keep them alive
	p.trimIdle()
	p.wake.Signal()
}
