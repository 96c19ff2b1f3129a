package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

// cell is a number of samples of one stack in one bin.
type cell struct {
	bin   int32
	stack int32 // of the stacks, later the node
	count int64
}

// stackOf identifies the stack of a sample.
type stackOf struct {
	process int32 // root of the tree
	kind    int32 // label of the event, or -1 for samples
	id      int64 // of the stack; 0 if label is not negative
	label   int32 // of the instruction, for a sample without a stack; -1 if there is a stack
}

// gathering adds samples or events with stacks to a flame graph. Rows come in time order, so that
// only the cells of the current bin need a map.
type gathering struct {
	axis   *axis
	tree   *tree
	stacks map[stackOf]int32
	keys   []stackOf
	bin    int
	now    map[int32]int64 // by stack, in the current bin
	cells  []cell
	idle   int64 // samples of idle processors, which the cells lack
}

func newGathering(a *axis) *gathering {
	return &gathering{axis: a, tree: newTree(), stacks: make(map[stackOf]int32), now: make(map[int32]int64)}
}

// add adds a sample.
func (g *gathering) add(ns int64, key stackOf) {
	if bin := g.axis.bin(ns); bin != g.bin {
		g.flush()
		g.bin = bin
	}
	stack, ok := g.stacks[key]
	if !ok {
		stack = int32(len(g.keys))
		g.stacks[key] = stack
		g.keys = append(g.keys, key)
	}
	g.now[stack]++
}

// flush ends a bin.
func (g *gathering) flush() {
	from := len(g.cells)
	for stack, count := range g.now {
		g.cells = append(g.cells, cell{int32(g.bin), stack, count})
	}
	clear(g.now)
	slices.SortFunc(g.cells[from:], func(a, b cell) int { return cmp.Compare(a.stack, b.stack) })
}

// samples reads the samples of the processors, without those of idle ones. It returns nil if there are
// none.
func (s *source) samples(a *axis) (*gathering, error) {
	r, err := s.rows(etl2parquet.Scan{Table: "perfinfo_sampleprof", Columns: []string{
		"time_ns", "event_ref", "process_id", "process_name", "thread_id", "flags", "instruction_pointer_module", "instruction_pointer_function",
	}})
	if err != nil || r == nil {
		return nil, err
	}
	defer r.Release()
	stacks, err := s.newStackJoin("PerfInfo/SampleProf")
	if err != nil {
		return nil, err
	}
	defer stacks.close()
	g := newGathering(a)
	for r.Next() {
		thread, known := r.number(4)
		flags := r.or(5, 0)
		if known && thread == 0 && flags&3 == 0 {
			g.idle++
			continue
		}
		name := ""
		if known && thread == 0 {
			name = s.labelled(r.trace(), idleInterrupts)
		} else {
			id, ok := r.number(2)
			name = s.process(r.trace(), r.text(3), id, ok)
		}
		ns := r.or(0, 0)
		key := stackOf{process: g.tree.process(name), kind: -1, label: -1}
		id, ok := stacks.find(ns, r.trace(), r.or(1, 0))
		if ok {
			key.id = id
		} else {
			key.label = g.tree.frame(r.text(7), r.text(6))
		}
		g.add(ns, key)
	}
	g.flush()
	return g, cmp.Or(r.err(), stacks.err())
}

// idleInterrupts is the name of the interrupts and deferred calls on idle processors, which run in the
// idle thread.
const idleInterrupts = "interrupts while idle"

// process names a process: in a comparison by its name alone, as the ids of the other side are others.
func (s *source) process(trace, name string, id int64, known bool) string {
	if s.compares && name != "" {
		return name
	}
	return s.labelled(trace, processLabel(name, id, known && !s.compares))
}

// labelled adds the name of the trace to a name, if there are several traces.
func (s *source) labelled(trace, name string) string {
	if s.compares || len(s.traces.All()) == 1 {
		return name
	}
	return name + " · " + trace
}

// withStacks reads all events with stacks. It returns nil if there are none.
func (s *source) withStacks(a *axis) (*gathering, error) {
	r, err := s.rows(etl2parquet.Scan{Table: "stack_events", Columns: []string{"time_ns", "process_id", "process_name", "event_name", "stack_id"}})
	if err != nil || r == nil {
		return nil, err
	}
	defer r.Release()
	g := newGathering(a)
	for r.Next() {
		id, ok := r.number(1)
		process := g.tree.process(s.process(r.trace(), r.text(2), id, ok))
		kind := r.text(3)
		if kind == "" {
			kind = "events that the trace lacks"
		}
		g.add(r.or(0, 0), stackOf{process: process, kind: g.tree.label(kind, "event"), id: r.or(4, 0), label: -1})
	}
	g.flush()
	return g, r.err()
}

// flame reads the stacks of the samples and builds the tree. Cells are then of nodes.
func (s *source) flame(g *gathering) (*tree, error) {
	used := make(map[int64][]int32) // by id of a stack
	leaf := make([]int32, len(g.keys))
	for i, key := range g.keys {
		root := key.process
		if key.kind >= 0 {
			root = g.tree.child(root, key.kind)
		}
		leaf[i] = root
		if key.label >= 0 {
			leaf[i] = g.tree.child(root, key.label)
		} else {
			used[key.id] = append(used[key.id], int32(i))
		}
	}
	if len(used) > 0 {
		var modules, functions []string
		err := s.each(etl2parquet.Scan{Table: "stacks", Columns: []string{"stack_id", "modules", "functions"}}, func(r *row) {
			id := r.or(0, 0)
			list := used[id]
			if list == nil {
				return
			}
			delete(used, id) // the stacks of several traces may be equal
			modules, functions = r.list(1, modules), r.list(2, functions)
			for _, i := range list {
				leaf[i] = g.tree.path(leaf[i], modules, functions)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for i := range g.cells {
		g.cells[i].stack = leaf[g.cells[i].stack]
	}
	g.tree.setCells(g.cells)
	g.cells = nil
	return g.tree, nil
}

// stackJoin finds the stacks of events. Both come in time order, so that only the stacks of one time
// are in memory.
type stackJoin struct {
	rows *rows // nil: there are no stacks
	more bool  // rows is at a row that is not in now
	ns   int64 // of now
	now  map[traceEvent]int64
}

// traceEvent identifies an event.
type traceEvent struct {
	trace string
	ref   int64
}

func (s *source) newStackJoin(event string) (*stackJoin, error) {
	scan := etl2parquet.Scan{Table: "stack_events", Columns: []string{"time_ns", "event_ref", "stack_id"}}
	scan.Events = []string{event}
	r, err := s.rows(scan)
	if err != nil {
		return nil, err
	}
	j := &stackJoin{rows: r, now: make(map[traceEvent]int64)}
	j.more = r != nil && r.Next()
	return j, nil
}

// find returns the stack of an event. Times must not decrease.
func (j *stackJoin) find(ns int64, trace string, ref int64) (id int64, ok bool) {
	if ns != j.ns {
		clear(j.now)
		j.ns = ns
	}
	for j.more && j.rows.or(0, 0) <= ns {
		if j.rows.or(0, 0) == ns {
			if event, ok := j.rows.number(1); ok {
				j.now[traceEvent{strings.Clone(j.rows.trace()), event}] = j.rows.or(2, 0)
			}
		}
		j.more = j.rows.Next()
	}
	id, ok = j.now[traceEvent{trace, ref}]
	return id, ok
}

func (j *stackJoin) err() error {
	if j.rows == nil {
		return nil
	}
	return j.rows.err()
}

func (j *stackJoin) close() {
	if j.rows != nil {
		j.rows.Release()
	}
}
