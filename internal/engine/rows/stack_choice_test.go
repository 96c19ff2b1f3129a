package rows

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
func kernelOwner(ref int64, thread uint32, processor int32) stackOwner {
	e := otherOwner(ref, thread, processor)
	e.IsKernel = true
	return e
}

func otherOwner(ref int64, thread uint32, processor int32) stackOwner {
	return stackOwner{Ref: ref, Owner: attribution.Owner{Thread: thread, HeaderThread: noThread}, Processor: processor}
}

// ownerAbout is an event logged by one thread about another.
func ownerAbout(ref int64, thread, header uint32, processor int32) stackOwner {
	e := kernelOwner(ref, thread, processor)
	e.Owner.HeaderThread = header
	return e
}

func stackRecord(ref int64, thread uint32, processor int32) stackOwner {
	e := kernelOwner(ref, thread, processor)
	e.IsStack = true
	return e
}

// Parts in the kernel and in the process.
func partInside(thread uint32, processor uint16) ownerlessPart {
	return ownerlessPart{thread, processor, true}
}
func partOutside(thread uint32, processor uint16) ownerlessPart {
	return ownerlessPart{thread, processor, false}
}

func TestChooseOwners(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []stackOwner
		parts  []ownerlessPart
		want   []int64
	}{
		{"no events", nil, []ownerlessPart{partInside(7, 0)}, []int64{noEvent}},
		{"no parts", []stackOwner{kernelOwner(1, 7, 0)}, nil, nil},
		{"both sides belong to the event of the thread", []stackOwner{kernelOwner(1, 7, 0)}, []ownerlessPart{partInside(7, 0), partOutside(7, 0)}, []int64{1, 1}},
		{"the processor does not matter if the thread fits", []stackOwner{kernelOwner(1, 7, 3)}, []ownerlessPart{partInside(7, 0)}, []int64{1}},
		{"another thread", []stackOwner{kernelOwner(1, 8, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{noEvent}},
		{"the first of equals", []stackOwner{kernelOwner(1, 7, 0), kernelOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{1}},
		{"the kernel's event before others", []stackOwner{otherOwner(1, 7, 0), kernelOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{2}},
		{"the kernel's event before others, also for the part in the process", []stackOwner{otherOwner(1, 7, 0), kernelOwner(2, 7, 0)}, []ownerlessPart{partOutside(7, 0)}, []int64{2}},
		{"other events, without one of the kernel", []stackOwner{otherOwner(1, 8, 0), otherOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{2}},

		{"an event of no thread on the processor", []stackOwner{kernelOwner(1, noThread, 3)}, []ownerlessPart{partInside(7, 3)}, []int64{1}},
		{"an event of no thread on another processor", []stackOwner{kernelOwner(1, noThread, 2)}, []ownerlessPart{partInside(7, 3)}, []int64{noEvent}},
		{"an event of no thread for a part of no thread", []stackOwner{kernelOwner(1, noThread, 3)}, []ownerlessPart{partInside(noThread, 3)}, []int64{1}},
		{"no thread is not a thread in common", []stackOwner{kernelOwner(1, noThread, 2)}, []ownerlessPart{partInside(noThread, 3)}, []int64{noEvent}},
		{"the thread before the processor", []stackOwner{kernelOwner(1, noThread, 3), otherOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 3)}, []int64{2}},

		{"the thread in the header", []stackOwner{ownerAbout(1, 8, 7, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{1}},
		{"the thread that the payload names", []stackOwner{ownerAbout(1, 7, 8, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{1}},
		{"neither of them", []stackOwner{ownerAbout(1, 8, 9, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{noEvent}},

		{"records of stacks have no stack", []stackOwner{stackRecord(1, 7, 0), otherOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 0)}, []int64{2}},
		{"nor do they by the processor", []stackOwner{stackRecord(1, noThread, 3)}, []ownerlessPart{partInside(7, 3)}, []int64{noEvent}},

		{"one part of a side for each event", []stackOwner{kernelOwner(1, 7, 0), kernelOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 0), partInside(7, 0), partOutside(7, 0), partOutside(7, 0)}, []int64{1, 2, 1, 2}},
		{"several, if there are too few events", []stackOwner{kernelOwner(1, 7, 0)}, []ownerlessPart{partInside(7, 0), partInside(7, 0)}, []int64{1, 1}},
		{"a free event that fits less before a taken one", []stackOwner{kernelOwner(1, 7, 0), kernelOwner(2, noThread, 3)}, []ownerlessPart{partInside(7, 3), partInside(7, 3)}, []int64{1, 2}},
		{"the first of the taken ones", []stackOwner{kernelOwner(1, noThread, 3), kernelOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 3), partInside(7, 3), partInside(7, 3)}, []int64{2, 1, 1}},
		{"sides are taken separately", []stackOwner{kernelOwner(1, 7, 0), kernelOwner(2, 7, 0)}, []ownerlessPart{partInside(7, 0), partOutside(7, 0), partInside(7, 0)}, []int64{1, 1, 2}},
		{"a taken event does not fit another thread", []stackOwner{kernelOwner(1, 7, 0)}, []ownerlessPart{partInside(7, 0), partInside(8, 0)}, []int64{1, noEvent}},
		{"parts choose in order", []stackOwner{kernelOwner(1, 7, 0), kernelOwner(2, 8, 0)}, []ownerlessPart{partInside(8, 0), partInside(7, 0)}, []int64{2, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 { // the second time as if the events were used for another slab
				if got := chooseOwners(test.events, test.parts, nil); !slices.Equal(got, test.want) {
					t.Errorf("%d, want %d", got, test.want)
				}
			}
			if got := chooseOwners(test.events, test.parts, []int64{5}); !slices.Equal(got, append([]int64{5}, test.want...)) {
				t.Errorf("appended: %d", got)
			}
		})
	}
}
