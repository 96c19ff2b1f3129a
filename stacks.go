package etl2parquet

import (
	"context"
	"iter"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
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
		if err := s.checkForEvents(); err != nil {
			yield(nil, err)
			return
		}
		stacks, limit := make(map[int64]*Stack), s.Limit
		s.Limit = 0 // it is on the events
		s.Table, s.Columns = "stacks", []string{"stack_id", "process_id", "process_name", "kernel_frames", "addresses", "modules", "functions", "symbols", "offsets"}
		err := eachRow(ctx, t, s, func(c []arrow.Array, row int) bool {
			stack := stackAt(c, row)
			stacks[stack.ID] = stack
			return true
		})
		if err != nil {
			yield(nil, err)
			return
		}
		s.Limit, s.Table, s.Columns = limit, "stack_events", []string{"event_ref", "time_ns", "processor", "process_id", "thread_id", "process_name", "provider_id", "event_name", "unresolved_keys", "stack_id"}
		ended := false
		err = eachRow(ctx, t, s, func(c []arrow.Array, row int) bool {
			ended = !yield(&StackEvent{
				Ref: numberAt(c[0], row), Time: timeAt(c[1], row), Processor: int(numberAt(c[2], row)),
				ProcessID: numberAt(c[3], row), ThreadID: numberAt(c[4], row), ProcessName: textAt(c[5], row),
				ProviderID: textAt(c[6], row), Name: textAt(c[7], row), Unresolved: int(numberAt(c[8], row)), Stack: stacks[numberAt(c[9], row)],
			}, nil)
			return !ended
		})
		if err != nil && !ended {
			yield(nil, err)
		}
	}
}

// stackAt returns the stack of a row.
func stackAt(c []arrow.Array, row int) *Stack {
	stack := &Stack{ID: numberAt(c[0], row), ProcessID: numberAt(c[1], row), ProcessName: textAt(c[2], row)}
	kernel := int(numberAt(c[3], row))
	addresses, from, to := listAt(c[4], row)
	modules, modulesFrom, _ := listAt(c[5], row)
	functions, functionsFrom, _ := listAt(c[6], row)
	symbols, symbolsFrom, symbolsTo := listAt(c[7], row)
	offsets, offsetsFrom, _ := listAt(c[8], row)
	stack.Frames = make([]Frame, to-from)
	for i := range stack.Frames {
		f := Frame{
			Address: addresses.(*array.Uint64).Value(from + i), Kernel: i < kernel, Module: textAt(modules, modulesFrom+i), Function: textAt(functions, functionsFrom+i),
			Offset: offsets.(*array.Uint64).Value(offsetsFrom + i),
		}
		if symbolsTo > symbolsFrom {
			f.Symbol = textAt(symbols, symbolsFrom+i)
		}
		stack.Frames[i] = f
	}
	return stack
}

// listAt returns the values of a list column, and the half-open range of a row's values, which is
// empty for NULL.
func listAt(a arrow.Array, row int) (values arrow.Array, from, to int) {
	list := a.(*array.List)
	if list.IsNull(row) {
		return nil, 0, 0
	}
	first, end := list.ValueOffsets(row)
	return list.ListValues(), int(first), int(end)
}
