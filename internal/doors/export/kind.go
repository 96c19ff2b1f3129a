package export

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet"
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
	events  string // as messages call them
	table   string // of the events; "" for all events
	unit    string // of weights, as pprof and speedscope call it
	measure string // of weights, as pprof calls it; "" if the weight is the count
	each    func(ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, table string, do func(row weightedRow) error) error
}

// weightedRow is a row of the table of a kind.
type weightedRow interface {
	event() *eventRow
	// fill sets the weight, and adds a frame below the stack for what was waited for, or allocated. It returns
	// false if the event does not count.
	fill(r *reader, s *sample) bool
}

// eventRow has the columns that the rows of all kinds have.
type eventRow struct {
	Ref         int64  `column:"event_ref" null:"-1"`
	Time        int64  `column:"time_ns" null:"-1"`
	Processor   int64  `column:"processor" null:"-1"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ProcessName string `column:"process_name"`
	ThreadID    int64  `column:"thread_id" null:"-1"`
}

func (e *eventRow) event() *eventRow { return e }

// eachWeighted is the function each of the kind whose rows are T.
func eachWeighted[T any, P interface {
	*T
	weightedRow
}](ctx context.Context, t *etl2parquet.Trace, s etl2parquet.Scan, table string, do func(row weightedRow) error) error {
	return eachRow(ctx, t, s, table, func(row *T) error { return do(P(row)) })
}

// kinds are the kinds of events.
var kinds = []kind{
	{name: Samples, events: "samples", table: schema.EventsFolder + "PerfInfo/SampleProf", unit: "nanoseconds", measure: "cpu", each: eachWeighted[sampleRow]},
	{name: Waits, events: "context switches", table: schema.EventsFolder + "Thread/CSwitch", unit: "nanoseconds", measure: "wait", each: eachWeighted[waitRow]},
	{name: Allocations, events: "allocation ticks", table: schema.EventsFolder + "Microsoft-Windows-DotNETRuntime/GC_AllocationTick", unit: "bytes", measure: "allocated", each: eachWeighted[allocationRow]},
	{name: Events, events: "events", unit: "count", each: eachWeighted[stackRow]},
}

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

// sampleRow is a row of a sample.
type sampleRow struct {
	eventRow
	Address  *int64 `column:"instruction_pointer"`
	Module   string `column:"instruction_pointer_module"`
	Function string `column:"instruction_pointer_function"`
	Offset   int64  `column:"instruction_pointer_offset" null:"-1"`
	Flags    int64  `column:"flags"`
}

// inDPC and inISR are the bits of a sample that hit an interrupt.
const inDPC, inISR = 1, 2

// fill weighs a sample with the interval between samples. The processor was idle if the sample hit the idle
// thread outside of interrupts, as in the view cpu_samples.
func (row *sampleRow) fill(r *reader, s *sample) bool {
	if !r.o.Idle && row.ThreadID == 0 && row.Flags&(inDPC|inISR) == 0 {
		r.idle++
		return false
	}
	s.weight = r.interval
	if !s.hasStack && row.Address != nil {
		s.stack = r.call(noStack, r.frame(row.frame()))
	}
	return true
}

// frame returns the frame of the instruction.
func (row *sampleRow) frame() frame {
	f := frame{module: row.Module, function: row.Function, offset: uint64(*row.Address), kernel: *row.Address < 0}
	if f.module != "" {
		f.offset = uint64(row.Offset)
	}
	return f
}

// waitRow is a row of a context switch.
type waitRow struct {
	eventRow
	NewThread  int64  `column:"new_thread_id" null:"-1"`
	OldThread  int64  `column:"old_thread_id" null:"-1"`
	OldState   int64  `column:"old_thread_state" null:"-1"`
	WaitReason string `column:"old_thread_wait_reason_text"`
}

// fill weighs the switch to a thread with the time since it began to wait.
func (row *waitRow) fill(r *reader, s *sample) bool {
	const waiting = 5
	began, found := r.waits[row.NewThread]
	delete(r.waits, row.NewThread)
	if row.OldState == waiting && row.OldThread != 0 {
		r.waits[row.OldThread] = wait{s.time, r.text("[" + row.WaitReason + "]")}
	}
	if !found || row.NewThread == 0 {
		return false
	}
	s.weight = s.time - began.since
	s.stack = r.call(s.stack, r.frame(frame{function: began.reason}))
	return true
}

// allocationRow is a row of a sampled allocation.
type allocationRow struct {
	eventRow
	Amount   int64  `column:"allocation_amount"`
	Amount64 *int64 `column:"allocation_amount64"`
	Type     string `column:"type_name"`
}

// fill weighs the sampled allocation with the bytes that were allocated since the one before.
func (row *allocationRow) fill(r *reader, s *sample) bool {
	s.weight = row.Amount
	if row.Amount64 != nil {
		s.weight = *row.Amount64
	}
	if s.weight > 0 && row.Type != "" {
		s.stack = r.call(s.stack, r.frame(frame{function: "[" + row.Type + "]"}))
	}
	return s.weight > 0
}

// stackRow is a row of stack_events: any event with a stack.
type stackRow struct {
	eventRow
	StackID int64 `column:"stack_id" null:"-1"`
}

// fill counts the event.
func (row *stackRow) fill(r *reader, s *sample) bool {
	s.weight, s.stack = 1, r.stacks[row.StackID]
	return true
}
