package report

import (
	"cmp"
	"slices"
	"strings"
)

const runtime = "microsoft_windows_dotnetruntime_"

// stepRow is a row of an event of the .NET runtime. Each event has only some of its fields.
type stepRow struct {
	processRow
	Time     int64 `column:"clock_ns"`
	ThreadID int64 `column:"thread_id" null:"-1"`
	Reason   int64 `column:"reason"`
	Count    int64 `column:"count"` // of collections, within a runtime of the process
	Depth    int64 `column:"depth"` // the generation that is collected
	Runtime  int64 `column:"clr_instance_id"`
	Method   int64 `column:"method_id"`
}

// step is an event of the .NET runtime.
type step struct {
	stepRow
	order int // of steps of one time: starts come before ends
}

// steps adds the events of a table to a list.
func (s *source) steps(list []*step, table string, order int) ([]*step, error) {
	texts := make(map[string]string)
	keep := func(text string) string {
		known, ok := texts[text]
		if !ok {
			known = strings.Clone(text)
			texts[known] = known
		}
		return known
	}
	err := each(s, runtime+table, func(row *stepRow) {
		st := &step{*row, order}
		st.Trace, st.ProcessName = keep(row.Trace), keep(row.ProcessName)
		list = append(list, st)
	})
	return list, err
}

func sortSteps(list []*step) {
	slices.SortStableFunc(list, func(a, b *step) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.order, b.order)) })
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
	var slowest longest
	list, err := s.steps(nil, "gc_suspendeestart", suspends)
	if err == nil {
		list, err = s.steps(list, "gc_restarteestop", restarts)
	}
	if err == nil {
		list, err = s.steps(list, "gc_start", collects)
	}
	if err != nil {
		return nil, slowest, err
	}
	sortSteps(list)
	pauses := []*series{a.newSeries(l, "generation 0"), a.newSeries(l, "generation 1"), a.newSeries(l, "generation 2"), a.newSeries(l, "no collection")}
	type thread struct {
		processRow
		id int64
	}
	type collection struct {
		processRow
		number, runtime int64
	}
	open := make(map[thread]int64)       // the start of the pause
	inside := make(map[processRow]int64) // the highest generation since the process was suspended
	seen := make(map[collection]bool)    // versions 1 and 2 of the event are logged for one collection
	for _, st := range list {
		t := thread{st.processRow, st.ThreadID}
		switch st.order {
		case suspends:
			if st.Reason == 1 || st.Reason == 6 { // for a collection, or the preparation of one
				open[t] = st.Time
				delete(inside, st.processRow)
			}
		case collects:
			if c := (collection{st.processRow, st.Count, st.Runtime & 0xFFFF}); !seen[c] {
				seen[c] = true
				generation := min(max(st.Depth, 0), 2)
				a.count(pauses[generation], st.Time)
				inside[st.processRow] = max(inside[st.processRow], generation+1)
			}
		case restarts:
			from, ok := open[t]
			if !ok {
				continue
			}
			delete(open, t)
			to := pauses[3]
			if g := inside[st.processRow]; g > 0 {
				to = pauses[g-1]
			}
			a.spread(to, from, st.Time)
			if st.Time-from > slowest.ns {
				slowest = longest{st.Time - from, from, s.process(&st.processRow), to.name}
			}
		}
	}
	return l, slowest, nil
}

// compiled returns the lane of methods that the .NET runtime compiled.
func (s *source) compiled(a *axis) (*lane, error) {
	l := &lane{id: "jit", title: "JIT", unit: unitTime, sql: sqlCompiled}
	list, err := s.steps(nil, "method_jittingstarted", suspends)
	if err == nil {
		list, err = s.steps(list, "method_loadverbose", restarts)
	}
	if err != nil {
		return nil, err
	}
	sortSteps(list)
	to := a.newSeries(l, "compiling")
	type method struct {
		processRow
		thread, id int64
	}
	open := make(map[method]int64)
	for _, st := range list {
		m := method{st.processRow, st.ThreadID, st.Method}
		if st.order == suspends {
			open[m] = st.Time
			continue
		}
		if from, ok := open[m]; ok {
			delete(open, m)
			a.spread(to, from, st.Time)
			a.count(to, st.Time)
		}
	}
	return l, nil
}
