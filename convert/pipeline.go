package convert

import (
	"context"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/internal/parquet"
	"github.com/etl2parquet/etl2parquet/internal/rows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// When the batches that wait in a table become a row group.
const (
	groupRows    = 128 << 10
	groupBytes   = 32 << 20
	pendingShare = 6 // of memory, what all tables together may have waiting
)

// pipeline makes the convert pass. All its workers are alike: each takes the
// most urgent piece of work there is, which is to encode a row group if one is
// ready, else to decode the next slab if memory allows.
type pipeline struct {
	x        *index.Index
	plan     *rows.Plan
	filter   *rows.Filter
	events   *rows.Filter // nil: all are needed
	rows     *rows.Context
	tables   []*tableOutput // by rows.TableID; nil: not wanted
	memory   int64
	progress *Progress

	mu       sync.Mutex
	wake     *sync.Cond
	first    *slabNode   // not yet handed to the tables
	next     *slabNode   // not yet taken by a worker
	again    []*slabNode // parts of slabs that were too large, to be taken before next
	ready    []*groupJob
	inFlight int64 // bytes of slabs being decoded and of batches not yet encoded; what is left of memory is for idle
	working  int   // workers that are busy
	flushed  bool  // the last batches have become row groups
	misfits  rows.MisfitMerger
	taken    int64 // events
	stacks   rows.StackCounts
	err      error
	idle     rows.IdleFillers
	encoders []*parquet.RowGroup // not in use
	free     []*rows.Gathered    // as many as slabs were decoded at a time
}

// slabNode is a slab in the list of those to be done, in order. A slab that
// turns out too large becomes two nodes.
type slabNode struct {
	slab    rows.Slab
	next    *slabNode
	isDone  bool
	rows    rows.SlabRows
	bytes   int64
	work    int64 // see slabWork
	misfits rows.Misfits
}

// tableOutput is a table on its way into its file.
type tableOutput struct {
	id    rows.TableID
	table *schema.Table
	open  func() (*parquet.File, error)
	held  *heldTable // of a trace that shares files with others; nil: it has its own

	// Under the lock of the pipeline:
	pending      []rows.Filler
	pendingRows  int
	pendingBytes int64
	pendingWork  int64 // see slabWork
	jobs         int   // made so far

	mu     sync.Mutex // for the fields below, and the file
	file   *parquet.File
	groups map[int]*parquet.RowGroup // encoded, not yet committed
	commit int                       // the next to commit
}

// groupJob is a row group to be encoded.
type groupJob struct {
	table   *tableOutput
	number  int
	batches []rows.Filler
	bytes   int64
	work    int64 // see slabWork
}

// run makes the pass with a number of workers.
func (p *pipeline) run(ctx context.Context, workers int) error {
	p.wake = sync.NewCond(&p.mu)
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

func (p *pipeline) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.wake.Broadcast()
}

// work is the life of a worker.
func (p *pipeline) work() {
	for {
		job, node := p.take()
		var err error
		switch {
		case job != nil:
			err = p.encode(job)
		case node != nil:
			err = p.decode(node)
		default:
			return
		}
		p.mu.Lock()
		p.working--
		p.wake.Broadcast()
		p.mu.Unlock()
		if err != nil {
			p.fail(err)
		}
	}
}

// take waits for something to do; it returns neither when all is done.
func (p *pipeline) take() (*groupJob, *slabNode) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.err == nil {
		if len(p.ready) > 0 {
			job := p.ready[0]
			p.ready = p.ready[1:]
			p.working++
			return job, nil
		}
		if node := p.takeSlab(); node != nil {
			return nil, node
		}
		if p.next == nil && p.working == 0 {
			if p.flushed {
				return nil, nil
			}
			p.flush()
			continue
		}
		p.wake.Wait()
	}
	return nil, nil
}

// takeSlab returns the next slab to decode, if there is one and memory for it.
func (p *pipeline) takeSlab() *slabNode {
	cost := p.plan.Weight * p.plan.Bytes
	// Where nobody works, nobody will free memory either.
	if p.inFlight+cost > p.memory && p.working > 0 {
		return nil
	}
	var node *slabNode
	switch {
	case len(p.again) > 0:
		node, p.again = p.again[0], p.again[1:]
	case p.next != nil:
		node, p.next = p.next, p.next.next
	default:
		return nil
	}
	node.bytes = cost
	p.inFlight += cost
	p.working++
	return node
}

// decode turns a slab into rows.
func (p *pipeline) decode(node *slabNode) error {
	g := p.takeGathered()
	defer p.giveGathered(g)
	cut, ok, err := g.Gather(p.x, p.plan, node.slab, p.events)
	if err != nil {
		return err
	}
	if !ok {
		p.split(node, cut)
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
	defer p.mu.Unlock()
	p.inFlight += bytes - node.bytes
	node.rows, node.misfits, node.bytes, node.isDone = filled, misfits, bytes, true
	p.taken += int64(len(g.Entries))
	p.stacks.Add(&g.Stacks)
	p.sequence()
	p.idle.Trim(p.memory - p.inFlight)
	return nil
}

// split puts two slabs in the place of one. They are done before all others,
// because those after them wait for them.
func (p *pipeline) split(node *slabNode, cut rows.SlabKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight -= node.bytes
	second := &slabNode{slab: rows.Slab{From: cut, To: node.slab.To}, next: node.next, work: node.work / 2}
	node.work -= second.work
	node.slab.To = cut
	node.next = second
	p.again = append([]*slabNode{node, second}, p.again...)
}

// takeGathered returns memory for the events of a slab that is not in use.
func (p *pipeline) takeGathered() *rows.Gathered {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		g := p.free[n-1]
		p.free = p.free[:n-1]
		return g
	}
	return new(rows.Gathered)
}

// tally counts the events of all slabs, when they are done.
func (p *pipeline) tally() index.Tally {
	t := make(index.Tally, len(p.x.Types)+1)
	for _, g := range p.free {
		t.Merge(g.Tally)
	}
	return t
}

func (p *pipeline) giveGathered(g *rows.Gathered) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, g)
}

// filler returns a filler that is not in use.
func (p *pipeline) filler(id rows.TableID) rows.Filler {
	p.mu.Lock()
	defer p.mu.Unlock()
	if filler := p.idle.Take(id); filler != nil {
		return filler
	}
	return rows.NewFiller(id, p.rows)
}

// sequence hands the rows of slabs to their tables, in the order of slabs.
func (p *pipeline) sequence() {
	for p.first != nil && p.first.isDone {
		p.misfits.Add(p.first.misfits)
		work, bytes := p.first.work, p.first.bytes // of the rows that follow
		for id, filler := range p.first.rows {
			if filler == nil {
				continue
			}
			batch := filler.Batch()
			t := p.tables[id]
			size := batch.Memory()
			share := work * size / max(bytes, 1)
			work, bytes = work-share, bytes-size
			t.pendingWork += share
			t.pendingRows += batch.Rows
			if !p.join(t, filler) {
				t.pending = append(t.pending, filler)
				t.pendingBytes += size
			}
			if t.pendingRows >= groupRows || t.pendingBytes >= groupBytes {
				p.group(t)
			}
		}
		p.progress.Encoded.Add(work) // of a slab without rows
		p.first = p.first.next
		p.relieve()
	}
}

// joinedRows is how many rows make a batch of its own worth while: in a trace
// of any length most tables have a few rows in each slab, and a batch of many
// columns takes kilobytes for itself.
const joinedRows = 1 << 10

// join appends few rows to those that wait before them.
func (p *pipeline) join(t *tableOutput, filler rows.Filler) bool {
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
	p.inFlight += more - batch.Memory()
	p.idle.Put(t.id, filler)
	return true
}

// relieve makes row groups of the largest tables while too much is waiting.
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
		if total <= p.memory/pendingShare {
			return
		}
		p.group(largest)
	}
}

// flush makes row groups of what is left at the end.
func (p *pipeline) flush() {
	p.flushed = true
	for _, t := range p.tables {
		switch {
		case t == nil || t.pendingRows == 0:
		case t.held != nil:
			t.hold()
		default:
			p.group(t)
		}
	}
}

// hold leaves what is waiting to the files of several traces.
func (t *tableOutput) hold() {
	for _, filler := range t.pending {
		b := filler.Batch()
		t.held.rest = append(t.held.rest, b)
		t.held.count += int64(b.Rows)
	}
	t.forget()
}

// forget empties the list of what is waiting, which others have now.
func (t *tableOutput) forget() {
	t.pending, t.pendingRows, t.pendingBytes, t.pendingWork = nil, 0, 0, 0
}

// group makes a row group of what is waiting in a table.
func (p *pipeline) group(t *tableOutput) {
	p.ready = append(p.ready, &groupJob{table: t, number: t.jobs, batches: t.pending, bytes: t.pendingBytes, work: t.pendingWork})
	t.jobs++
	t.forget()
	p.wake.Broadcast()
}

// encode encodes a row group, and commits it if it is the next of its table.
func (p *pipeline) encode(job *groupJob) error {
	file, err := job.table.openFile()
	if err != nil {
		return err
	}
	g := p.encoder(file)
	for _, filler := range job.batches {
		b := filler.Batch()
		if held := job.table.held; held != nil {
			b.SetTrace(held.trace.trace)
		}
		if err := g.Write(b); err != nil {
			return err
		}
	}
	if err := g.Finish(); err != nil {
		return err
	}
	p.progress.Encoded.Add(job.work)
	p.release(job)
	return job.table.commitInOrder(job.number, g, p.freeEncoder)
}

// release gives back the memory of a row group's batches.
func (p *pipeline) release(job *groupJob) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight -= job.bytes
	for _, filler := range job.batches {
		p.idle.Put(job.table.id, filler)
	}
	p.idle.Trim(p.memory - p.inFlight)
	p.wake.Broadcast()
}

// encoder returns an encoder that is not in use, set up for a file. Files share
// them: there may be hundreds of tables.
func (p *pipeline) encoder(file *parquet.File) *parquet.RowGroup {
	p.mu.Lock()
	defer p.mu.Unlock()
	g := new(parquet.RowGroup)
	if n := len(p.encoders); n > 0 {
		g, p.encoders = p.encoders[n-1], p.encoders[:n-1]
	}
	g.Begin(file)
	return g
}

func (p *pipeline) freeEncoder(g *parquet.RowGroup) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.encoders = append(p.encoders, g)
}

// openFile returns the table's file, which it opens first.
func (t *tableOutput) openFile() (*parquet.File, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		file, err := t.open()
		if err != nil {
			return nil, err
		}
		t.file = file
		t.groups = make(map[int]*parquet.RowGroup)
	}
	return t.file, nil
}

// put writes a row group to the file, or holds it.
func (t *tableOutput) put(g *parquet.RowGroup) error {
	if t.held != nil {
		return t.held.put(g)
	}
	return g.Commit()
}

// commitInOrder writes a row group to the file when its turn has come, and
// those whose turn comes then.
func (t *tableOutput) commitInOrder(number int, g *parquet.RowGroup, free func(*parquet.RowGroup)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.groups[number] = g
	for {
		g, ok := t.groups[t.commit]
		if !ok {
			return nil
		}
		delete(t.groups, t.commit)
		t.commit++
		if err := t.put(g); err != nil {
			return err
		}
		free(g)
	}
}
