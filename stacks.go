package etl2parquet

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Stack is a call stack.
type Stack struct {
	ID          int64  // a hash: equal stacks of one process have the same id in all traces
	ProcessID   int64  // -1 if the trace does not record it
	ProcessName string // "" if the trace does not record it
	// Frames are the return addresses, innermost first; those of the kernel come before those of
	// the process.
	Frames []Frame
}

// Frame is a frame of a stack.
type Frame struct {
	Address  uint64
	Kernel   bool   // a kernel address
	Module   string // name of the image that has the address or the method; "" if unknown
	Function string // its name; "" if unknown
	Symbol   string // the name in the symbols if it differs from Function, else ""
	// Offset is relative to the start of the function, or of the image if the function is unknown.
	// It is the address if both are unknown.
	Offset uint64
}

// StackEvent is an event with a call stack, or a stack whose event is not in the trace.
type StackEvent struct {
	Ref         int64     // the event; -1 if it is not in the trace
	Time        time.Time // UTC
	Processor   int       // that logged it; -1 if the event is not in the trace
	ProcessID   int64     // of the stack; -1 if the trace does not record it
	ThreadID    int64     // of the stack; -1 if the trace does not record it
	ProcessName string
	ProviderID  string // a GUID; "" if there is none
	Name        string // of the event, as class/name; "" if it is not in the trace
	Unresolved  int    // parts of the stack for which the trace has only a key
	// Stack is shared by all events of the same stack, and must not be changed.
	Stack *Stack
}

// Stacks reads the events with call stacks that a scan selects, in time order. Table, Columns and
// Split of the scan must be empty. All distinct stacks are in memory during the loop. Reading stops
// when the loop ends. An error is the last pair, without an event.
func (t *Trace) Stacks(ctx context.Context, s Scan) iter.Seq2[*StackEvent, error] {
	return func(yield func(*StackEvent, error) bool) {
		err := s.checkForEvents()
		stacks, all := make(map[int64]*Stack), s
		all.Limit = 0 // it is on the events
		if err == nil {
			err = eachRow(ctx, t, all, schema.Stacks, func(r *stackRow) bool {
				stacks[r.ID] = r.stack()
				return true
			})
		}
		if err == nil {
			err = eachRow(ctx, t, s, schema.StackEvents, func(r *stackEventRow) bool {
				return yield(&StackEvent{
					Ref: r.Ref, Time: timeOf(r.Time), Processor: int(r.Processor), ProcessID: r.ProcessID, ThreadID: r.ThreadID,
					ProcessName: strings.Clone(r.ProcessName), ProviderID: strings.Clone(r.ProviderID), Name: strings.Clone(r.Name),
					Unresolved: int(r.Unresolved), Stack: stacks[r.StackID],
				}, nil)
			})
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// stackRow is a row of the table of stacks.
type stackRow struct {
	ID           int64    `column:"stack_id"`
	ProcessID    int64    `column:"process_id" null:"-1"`
	ProcessName  string   `column:"process_name"`
	KernelFrames int64    `column:"kernel_frames"`
	Addresses    []uint64 `column:"addresses"`
	Modules      []string `column:"modules"`
	Functions    []string `column:"functions"`
	Symbols      []string `column:"symbols"`
	Offsets      []uint64 `column:"offsets"`
}

// stackEventRow is a row of the table of events with stacks.
type stackEventRow struct {
	Ref         int64  `column:"event_ref" null:"-1"`
	Time        *int64 `column:"time_ns"`
	Processor   int64  `column:"processor" null:"-1"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ThreadID    int64  `column:"thread_id" null:"-1"`
	ProcessName string `column:"process_name"`
	ProviderID  string `column:"provider_id"`
	Name        string `column:"event_name"`
	Unresolved  int64  `column:"unresolved_keys" null:"-1"`
	StackID     int64  `column:"stack_id" null:"-1"`
}

// stack returns the stack of a row.
func (r *stackRow) stack() *Stack {
	stack := &Stack{ID: r.ID, ProcessID: r.ProcessID, ProcessName: strings.Clone(r.ProcessName), Frames: make([]Frame, len(r.Addresses))}
	for i := range stack.Frames {
		stack.Frames[i] = Frame{
			Address: r.Addresses[i], Kernel: i < int(r.KernelFrames), Module: strings.Clone(r.Modules[i]), Function: strings.Clone(r.Functions[i]),
			Offset: r.Offsets[i],
		}
		if len(r.Symbols) > 0 {
			stack.Frames[i].Symbol = strings.Clone(r.Symbols[i])
		}
	}
	return stack
}
