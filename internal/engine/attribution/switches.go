package attribution

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
)

// NoThread means that a thread is unknown.
const NoThread uint32 = 0xffffffff

// The hooks of context switches.
const (
	hookCSwitch = 0x0524
	hookCompCS  = 0x0525
)

// Switches summarizes the context switches in a buffer.
type Switches struct {
	Old  uint32       // the thread before the first; NoThread if unknown
	New  uint32       // the thread after the last; NoThread if unknown
	Last decode.Ticks // of the last switch
	Any  bool
	// Packed is the number of batches of packed switches in the buffer, or 1 if the buffer itself
	// is such a batch. InBatches is the number of switches in batches. The other fields do not
	// cover them.
	Packed, InBatches int32
}

// IsSwitch reports whether a kernel event is a context switch.
func IsSwitch(hook uint16) bool { return hook == hookCSwitch }

// IsSwitchBatch reports whether a kernel event is a batch of context switches.
func IsSwitchBatch(hook uint16) bool { return hook == hookCompCS }

// SwitchedTo returns the threads of a context switch, or NoThread if it is damaged.
func SwitchedTo(ev *decode.Event) (old, now uint32) {
	payload := ev.Payload()
	if len(payload) < 8 {
		return NoThread, NoThread
	}
	return binary.LittleEndian.Uint32(payload[4:]), binary.LittleEndian.Uint32(payload)
}

// Add adds a context switch of the buffer.
func (s *Switches) Add(ev *decode.Event) {
	old, now := SwitchedTo(ev)
	if !s.Any {
		s.Any, s.Old = true, old
	}
	s.New, s.Last = now, ev.Time
}

// ProcessorBuffer is a buffer in its processor's stream of buffers.
type ProcessorBuffer struct {
	Processor uint16
	First     decode.Ticks // the earliest of its events
	Switches  Switches
}

// RunningAtStart returns, for each buffer, the thread that runs on its processor at the
// start of the buffer:
//
//  1. It is the thread that the last switch before the buffer switched to.
//  2. If the next switch is from another thread, events were lost between the two, and
//     the thread is unknown.
//  3. If no switch follows, the thread is known only if the trace lost nothing at all.
func RunningAtStart(buffers []ProcessorBuffer, lossless bool) []uint32 {
	running := make([]uint32, len(buffers))
	order := make([]int32, len(buffers))
	for i := range buffers {
		running[i], order[i] = NoThread, int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		x, y := &buffers[a], &buffers[b]
		return cmp.Or(cmp.Compare(x.Processor, y.Processor), cmp.Compare(x.First, y.First))
	})
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && buffers[order[to]].Processor == buffers[order[from]].Processor {
			to++
		}
		runningOn(buffers, order[from:to], running, lossless)
		from = to
	}
	return running
}

// runningOn sets the running threads for the buffers of one processor, in order.
func runningOn(buffers []ProcessorBuffer, order []int32, running []uint32, lossless bool) {
	thread, since := NoThread, decode.MinTicks
	for _, i := range order {
		b := &buffers[i]
		if since <= b.First {
			running[i] = thread
		}
		if b.Switches.Any && b.Switches.Last >= since {
			thread, since = b.Switches.New, b.Switches.Last
		}
	}
	next, known := NoThread, lossless
	for _, i := range slices.Backward(order) {
		b := &buffers[i]
		if b.Switches.Any {
			next, known = b.Switches.Old, false
		}
		if !known && running[i] != next {
			running[i] = NoThread
		}
	}
}
