package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Kind is a kind of weighted events with stacks.
type Kind string

// The kinds.
const (
	Samples     Kind = "samples"     // samples of the processor; weight: time between samples
	Waits       Kind = "waits"       // context switches after a wait; weight: length of the wait
	Allocations Kind = "allocations" // of .NET, one in about 100 KB; weight: bytes since the last one
	Events      Kind = "events"      // all selected events with stacks; weight: 1
)

// kind says where the events of a Kind are, and what they weigh.
type kind struct {
	name    Kind
	events  string   // as messages call them
	table   string   // of the events; "" for all events
	unit    string   // of weights, as pprof and speedscope call it
	measure string   // of weights, as pprof calls it; "" if the weight is the count
	columns []string // of the table after the common ones of eventColumns
	// fill sets the weight, and a leaf below the stack if there is one. It returns false if the event does
	// not count.
	fill func(r *reader, c *cursor, s *sample) bool
}

// kinds are the kinds of events. Their columns begin with eventColumns.
var kinds = []kind{
	{name: Samples, events: "samples", table: schema.EventsFolder + "PerfInfo/SampleProf", unit: "nanoseconds", measure: "cpu", fill: fillSample,
		columns: []string{"instruction_pointer", "instruction_pointer_module", "instruction_pointer_function", "instruction_pointer_offset", "flags"}},
	{name: Waits, events: "context switches", table: schema.EventsFolder + "Thread/CSwitch", unit: "nanoseconds", measure: "wait", fill: fillWait,
		columns: []string{"new_thread_id", "old_thread_id", "old_thread_state", "old_thread_wait_reason_text"}},
	{name: Allocations, events: "allocation ticks", table: schema.EventsFolder + "Microsoft-Windows-DotNETRuntime/GC_AllocationTick", unit: "bytes", measure: "allocated", fill: fillAllocation,
		columns: []string{"allocation_amount", "allocation_amount64", "type_name"}},
	{name: Events, events: "events", unit: "count", fill: func(_ *reader, _ *cursor, s *sample) bool { s.weight = 1; return true }},
}

// eventColumns are the first columns of all kinds.
var eventColumns = []string{"event_ref", "time_ns", "processor", "process_id", "process_name", "thread_id"}

// Kinds returns the names of the kinds.
func Kinds() (list []string) {
	for i := range kinds {
		list = append(list, string(kinds[i].name))
	}
	return list
}

// kindOf returns the kind with a name.
func kindOf(name Kind) (*kind, error) {
	if name == "" {
		name = Samples
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
	if i < 0 {
		hint := ""
		if near := texts.Nearest(string(name), Kinds()); len(near) > 0 {
			hint = "; " + texts.DidYouMean(near)
		}
		return nil, fmt.Errorf("%q is not one of %s%s", name, strings.Join(Kinds(), ", "), hint)
	}
	return &kinds[i], nil
}

// inDPC and inISR are the bits of a sample that hit an interrupt.
const inDPC, inISR = 1, 2

// fillSample weighs a sample with the interval between samples. The processor was idle if the sample hit
// the idle thread outside of interrupts, as in the view cpu_samples.
func fillSample(r *reader, c *cursor, s *sample) bool {
	flags, _ := c.Int(len(eventColumns) + 4)
	if !r.o.Idle && s.threadID == 0 && flags&(inDPC|inISR) == 0 {
		r.idle++
		return false
	}
	s.weight = r.interval
	s.hasAddress = true
	return true
}

// fillWait weighs the switch to a thread with the time since it began to wait.
func fillWait(r *reader, c *cursor, s *sample) bool {
	const first, waiting = len64, 5
	in, out := c.number(first), c.number(first+1)
	began, found := r.waits[in]
	delete(r.waits, in)
	if state, ok := c.Int(first + 2); ok && state == waiting && out != 0 {
		r.waits[out] = wait{s.time, r.text("[" + c.Text(first+3) + "]")}
	}
	if !found || in == 0 {
		return false
	}
	s.weight, s.leaf = s.time-began.since, began.reason
	return true
}

// len64 is the number of the common columns.
const len64 = 6

// fillAllocation weighs the sampled allocation with the bytes that were allocated since the one before.
func fillAllocation(r *reader, c *cursor, s *sample) bool {
	const first = len64
	bytes, ok := c.Int(first + 1)
	if !ok {
		bytes, _ = c.Int(first)
	}
	s.weight, s.leaf = bytes, c.Text(first+2)
	if s.leaf != "" {
		s.leaf = r.text("[" + s.leaf + "]")
	}
	return bytes > 0
}
