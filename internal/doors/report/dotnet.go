package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

const runtime = "microsoft_windows_dotnetruntime_"

// step is an event of the .NET runtime.
type step struct {
	ns    int64
	order int // of steps of one time: starts come before ends
	process
	thread, generation int64
	method             int64 // or the number of a collection
}

// process identifies a process.
type process struct {
	trace, name string
	id          int64
}

// steps reads events of a table. value is the column of the method, the generation or the reason.
func (s *source) steps(list []step, table string, order int, columns ...string) ([]step, error) {
	columns = append([]string{"clock_ns", "process_id", "process_name", "thread_id"}, columns...)
	texts := make(map[string]string)
	keep := func(text string) string {
		if kept, ok := texts[text]; ok {
			return kept
		}
		text = strings.Clone(text)
		texts[text] = text
		return text
	}
	err := s.each(etl2parquet.Scan{Table: runtime + table, Columns: columns}, func(r *row) {
		st := step{ns: r.or(0, 0), order: order, process: process{keep(r.trace()), keep(r.text(2)), r.or(1, -1)}, thread: r.or(3, -1)}
		if len(columns) > 4 {
			st.method = r.or(4, 0)
		}
		if len(columns) > 5 {
			st.generation = r.or(5, 0)
		}
		if len(columns) > 6 { // the number of a collection counts within a runtime of its process
			st.method = st.method<<16 | r.or(6, 0)&0xFFFF
		}
		list = append(list, st)
	})
	return list, err
}

func sortSteps(list []step) {
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Or(cmp.Compare(a.ns, b.ns), cmp.Compare(a.order, b.order)) })
}

// Steps of collections, in the order of equal times.
const (
	suspends = iota
	collects
	restarts
)

// garbage returns the lane of garbage collections: pauses by the generation that was collected in them.
func (s *source) garbage(a *axis) (*lane, longest, error) {
	l := &lane{id: "gc", title: "GC pauses", unit: unitTime, sql: sqlCollections}
	var most longest
	list, err := s.steps(nil, "gc_suspendeestart", suspends, "reason")
	if err == nil {
		list, err = s.steps(list, "gc_restarteestop", restarts)
	}
	if err == nil {
		list, err = s.steps(list, "gc_start", collects, "count", "depth", "clr_instance_id")
	}
	if err != nil {
		return nil, most, err
	}
	sortSteps(list)
	by := []*series{a.newSeries(l, "generation 0"), a.newSeries(l, "generation 1"), a.newSeries(l, "generation 2"), a.newSeries(l, "no collection")}
	type thread struct {
		process
		id int64
	}
	type number struct {
		process
		number int64
	}
	open := make(map[thread]int64)    // the start of the pause
	inside := make(map[process]int64) // the highest generation since the process was suspended
	seen := make(map[number]bool)     // versions 1 and 2 of the event are logged for one collection
	for i := range list {
		st := &list[i]
		t := thread{st.process, st.thread}
		switch st.order {
		case suspends:
			if st.method == 1 || st.method == 6 { // for a collection, or the preparation of one
				open[t] = st.ns
				delete(inside, st.process)
			}
		case collects:
			if n := (number{st.process, st.method}); !seen[n] {
				seen[n] = true
				generation := min(max(st.generation, 0), 2)
				a.count(by[generation], st.ns)
				inside[st.process] = max(inside[st.process], generation+1)
			}
		case restarts:
			from, ok := open[t]
			if !ok {
				continue
			}
			delete(open, t)
			to := by[3]
			if g := inside[st.process]; g > 0 {
				to = by[g-1]
			}
			a.spread(to, from, st.ns)
			if st.ns-from > most.ns {
				most = longest{st.ns - from, from, s.process(st.trace, st.name, st.process.id, st.process.id >= 0), to.name}
			}
		}
	}
	return l, most, nil
}

// compiled returns the lane of methods that the .NET runtime compiled.
func (s *source) compiled(a *axis) (*lane, error) {
	l := &lane{id: "jit", title: "JIT", unit: unitTime, sql: sqlCompiled}
	list, err := s.steps(nil, "method_jittingstarted", suspends, "method_id")
	if err == nil {
		list, err = s.steps(list, "method_loadverbose", restarts, "method_id")
	}
	if err != nil {
		return nil, err
	}
	sortSteps(list)
	to := a.newSeries(l, "compiling")
	type method struct {
		process
		thread, id int64
	}
	open := make(map[method]int64)
	for i := range list {
		st := &list[i]
		m := method{st.process, st.thread, st.method}
		if st.order == suspends {
			open[m] = st.ns
			continue
		}
		if from, ok := open[m]; ok {
			delete(open, m)
			a.spread(to, from, st.ns)
			a.count(to, st.ns)
		}
	}
	return l, nil
}
