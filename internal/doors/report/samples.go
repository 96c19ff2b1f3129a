package report

import (
	"cmp"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/formats/stacks"
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

// sampleRow is a row of perfinfo_sampleprof.
type sampleRow struct {
	processRow
	Time     int64  `column:"time_ns" null:"-1"`
	Ref      int64  `column:"event_ref"`
	ThreadID int64  `column:"thread_id" null:"-1"`
	Flags    int64  `column:"flags"`
	Module   string `column:"instruction_pointer_module"`
	Function string `column:"instruction_pointer_function"`
}

// samples reads the samples of the processors, without those of idle ones.
func (s *source) samples(a *axis) (*gathering, error) {
	g := newGathering(a)
	if has, err := s.has("perfinfo_sampleprof"); !has || err != nil {
		return g, err
	}
	events, err := open[stacks.Event](s, "stack_events", "PerfInfo/SampleProf")
	if err != nil {
		return nil, err
	}
	defer events.Release()
	join := stacks.NewJoin(events)
	err = each(s, "perfinfo_sampleprof", func(row *sampleRow) {
		isIdle := row.ThreadID == 0
		if isIdle && row.Flags&3 == 0 {
			g.idle++
			return
		}
		name := ""
		if isIdle {
			name = s.labelled(row.Trace, idleInterrupts)
		} else {
			name = s.process(&row.processRow)
		}
		key := stackOf{process: g.tree.process(name), kind: -1, label: -1}
		id, found := join.Find(row.Time, row.Trace, row.Ref)
		if found {
			key.id = id
		} else {
			key.label = g.tree.frame(row.Function, row.Module)
		}
		g.add(row.Time, key)
	})
	g.flush()
	return g, cmp.Or(err, s.keepFailures(events.Err()))
}

// idleInterrupts is the name of the interrupts and deferred calls on idle processors, which run in the
// idle thread.
const idleInterrupts = "interrupts while idle"

// processRow has the columns of the process that a row belongs to.
type processRow struct {
	Trace       string `column:"trace"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ProcessName string `column:"process_name"`
}

// process names a process: in a comparison by its name alone, as the ids of the other side are others.
func (s *source) process(p *processRow) string {
	if s.compares && p.ProcessName != "" {
		return p.ProcessName
	}
	return s.labelled(p.Trace, processLabel(p.ProcessName, p.ProcessID, p.ProcessID >= 0 && !s.compares))
}

// labelled adds the name of the trace to a name, if there are several traces.
func (s *source) labelled(trace, name string) string {
	if s.compares || len(s.traces.All()) == 1 {
		return name
	}
	return name + " · " + trace
}

// withStacks reads all events with stacks.
func (s *source) withStacks(a *axis) (*gathering, error) {
	g := newGathering(a)
	err := each(s, "stack_events", func(row *struct {
		processRow
		Time    int64  `column:"time_ns"`
		Event   string `column:"event_name"`
		StackID int64  `column:"stack_id"`
	}) {
		process := g.tree.process(s.process(&row.processRow))
		kind := cmp.Or(row.Event, "events that the trace lacks")
		g.add(row.Time, stackOf{process: process, kind: g.tree.label(kind, "event"), id: row.StackID, label: -1})
	})
	g.flush()
	return g, err
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
		err := each(s, "stacks", func(stack *stacks.Stack) {
			for _, i := range used[stack.ID] {
				leaf[i] = g.tree.path(leaf[i], stack.Modules, stack.Functions)
			}
			delete(used, stack.ID) // the stacks of several traces may be equal
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
