package rows

import "github.com/etl2parquet/etl2parquet/internal/engine/attribution"

// maxStackOwners bounds the events of one time that are considered.
const maxStackOwners = 1 << 10

// stackOwner is an event that parts of stacks may belong to.
//
// A record of a stack follows its event, often in another buffer. It states the time of the event, the
// thread, and by its buffer the processor, but not the event itself. Several events may have that time.
type stackOwner struct {
	Ref       int64 // its event_ref
	Owner     attribution.Owner
	Processor int32
	IsKernel  bool // an event of the kernel itself
	IsStack   bool // a record of a stack, which has no stack itself

	taken [sides]bool
}

// ownerlessPart is a part of a stack, recorded for the time of the events.
type ownerlessPart struct {
	Thread    uint32 // attribution.NoID if unknown
	Processor uint16
	IsKernel  bool // the part in the kernel
}

// side is the part of a stack in the process, or in the kernel.
type side uint8

const (
	inProcess side = iota
	inKernel
	sides
)

func (p *ownerlessPart) side() side {
	if p.IsKernel {
		return inKernel
	}
	return inProcess
}

// chooseOwners appends for each part the Ref of the event that it belongs to, or attribution.NoEvent.
//
// The parts choose one after another, each the event that fits best and, of several, the first. An
// event gets one part of each side, while there are enough events.
func chooseOwners(events []stackOwner, parts []ownerlessPart, dst []int64) []int64 {
	for i := range events {
		events[i].taken = [sides]bool{}
	}
	for i := range parts {
		ref := int64(attribution.NoEvent)
		if e := chooseOwner(events, &parts[i]); e != nil {
			ref, e.taken[parts[i].side()] = e.Ref, true
		}
		dst = append(dst, ref)
	}
	return dst
}

// chooseOwner returns the event that fits a part best, or nil.
func chooseOwner(events []stackOwner, p *ownerlessPart) (chosen *stackOwner) {
	best := unfit
	for i := range events {
		e := &events[i]
		if f := e.fitOf(p); f > best {
			best, chosen = f, e
			if f == bestFit {
				break
			}
		}
	}
	return chosen
}

// fit says how well an event fits a part. Higher values are better.
type fit uint8

const (
	unfit        fit = iota
	takenFit         // it fits, but already has a part of this side
	processorFit     // it names no thread, and is of the processor of the part
	threadFit        // it is of the thread of the part
	bestFit          // likewise, and is the kernel's: kernel sessions record the stacks of kernel events
)

// fitOf returns how well an event fits a part. If the event's payload names another thread as its
// owner, the stack is of the thread in the header.
func (e *stackOwner) fitOf(p *ownerlessPart) fit {
	f, o := unfit, &e.Owner
	switch {
	case e.IsStack:
	case p.Thread != attribution.NoID && (o.Thread == p.Thread || o.HeaderThread == p.Thread):
		if f = threadFit; e.IsKernel {
			f = bestFit
		}
	case o.Thread == attribution.NoID && e.Processor == int32(p.Processor):
		f = processorFit
	}
	if e.taken[p.side()] {
		f = min(f, takenFit)
	}
	return f
}
