package stackmatch

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
)

const (
	noThread = attribution.NoID
	noEvent  = attribution.NoEvent
)

// Events of a thread on a processor, by the kernel and by others.
func kernel(ref int64, thread uint32, processor int32) Event {
	e := other(ref, thread, processor)
	e.IsKernel = true
	return e
}

func other(ref int64, thread uint32, processor int32) Event {
	return Event{Ref: ref, Owner: attribution.Owner{Thread: thread, HeaderThread: noThread}, Processor: processor}
}

// about is an event logged by one thread about another.
func about(ref int64, thread, header uint32, processor int32) Event {
	e := kernel(ref, thread, processor)
	e.Owner.HeaderThread = header
	return e
}

func stack(ref int64, thread uint32, processor int32) Event {
	e := kernel(ref, thread, processor)
	e.IsStack = true
	return e
}

// Parts in the kernel and in the process.
func inner(thread uint32, processor uint16) Part { return Part{thread, processor, true} }
func outer(thread uint32, processor uint16) Part { return Part{thread, processor, false} }

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []Event
		parts  []Part
		want   []int64
	}{
		{"no events", nil, []Part{inner(7, 0)}, []int64{noEvent}},
		{"no parts", []Event{kernel(1, 7, 0)}, nil, nil},
		{"both sides belong to the event of the thread", []Event{kernel(1, 7, 0)}, []Part{inner(7, 0), outer(7, 0)}, []int64{1, 1}},
		{"the processor does not matter if the thread fits", []Event{kernel(1, 7, 3)}, []Part{inner(7, 0)}, []int64{1}},
		{"another thread", []Event{kernel(1, 8, 0)}, []Part{inner(7, 0)}, []int64{noEvent}},
		{"the first of equals", []Event{kernel(1, 7, 0), kernel(2, 7, 0)}, []Part{inner(7, 0)}, []int64{1}},
		{"the kernel's event before others", []Event{other(1, 7, 0), kernel(2, 7, 0)}, []Part{inner(7, 0)}, []int64{2}},
		{"the kernel's event before others, also for the part in the process", []Event{other(1, 7, 0), kernel(2, 7, 0)}, []Part{outer(7, 0)}, []int64{2}},
		{"other events, without one of the kernel", []Event{other(1, 8, 0), other(2, 7, 0)}, []Part{inner(7, 0)}, []int64{2}},

		{"an event of no thread on the processor", []Event{kernel(1, noThread, 3)}, []Part{inner(7, 3)}, []int64{1}},
		{"an event of no thread on another processor", []Event{kernel(1, noThread, 2)}, []Part{inner(7, 3)}, []int64{noEvent}},
		{"an event of no thread for a part of no thread", []Event{kernel(1, noThread, 3)}, []Part{inner(noThread, 3)}, []int64{1}},
		{"no thread is not a thread in common", []Event{kernel(1, noThread, 2)}, []Part{inner(noThread, 3)}, []int64{noEvent}},
		{"the thread before the processor", []Event{kernel(1, noThread, 3), other(2, 7, 0)}, []Part{inner(7, 3)}, []int64{2}},

		{"the thread in the header", []Event{about(1, 8, 7, 0)}, []Part{inner(7, 0)}, []int64{1}},
		{"the thread that the payload names", []Event{about(1, 7, 8, 0)}, []Part{inner(7, 0)}, []int64{1}},
		{"neither of them", []Event{about(1, 8, 9, 0)}, []Part{inner(7, 0)}, []int64{noEvent}},

		{"records of stacks have no stack", []Event{stack(1, 7, 0), other(2, 7, 0)}, []Part{inner(7, 0)}, []int64{2}},
		{"nor do they by the processor", []Event{stack(1, noThread, 3)}, []Part{inner(7, 3)}, []int64{noEvent}},

		{"one part of a side for each event", []Event{kernel(1, 7, 0), kernel(2, 7, 0)}, []Part{inner(7, 0), inner(7, 0), outer(7, 0), outer(7, 0)}, []int64{1, 2, 1, 2}},
		{"several, if there are too few events", []Event{kernel(1, 7, 0)}, []Part{inner(7, 0), inner(7, 0)}, []int64{1, 1}},
		{"a free event that fits less before a taken one", []Event{kernel(1, 7, 0), kernel(2, noThread, 3)}, []Part{inner(7, 3), inner(7, 3)}, []int64{1, 2}},
		{"the first of the taken ones", []Event{kernel(1, noThread, 3), kernel(2, 7, 0)}, []Part{inner(7, 3), inner(7, 3), inner(7, 3)}, []int64{2, 1, 1}},
		{"sides are taken separately", []Event{kernel(1, 7, 0), kernel(2, 7, 0)}, []Part{inner(7, 0), outer(7, 0), inner(7, 0)}, []int64{1, 1, 2}},
		{"a taken event does not fit another thread", []Event{kernel(1, 7, 0)}, []Part{inner(7, 0), inner(8, 0)}, []int64{1, noEvent}},
		{"parts choose in order", []Event{kernel(1, 7, 0), kernel(2, 8, 0)}, []Part{inner(8, 0), inner(7, 0)}, []int64{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 { // the second time as if the events were used for another slab
				if got := Match(test.events, test.parts, nil); !slices.Equal(got, test.want) {
					t.Errorf("%d, want %d", got, test.want)
				}
			}
			if got := Match(test.events, test.parts, []int64{5}); !slices.Equal(got, append([]int64{5}, test.want...)) {
				t.Errorf("appended: %d", got)
			}
		})
	}
}
