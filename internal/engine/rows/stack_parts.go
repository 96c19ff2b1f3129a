package rows

import (
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/slabs"
)

// stackPart is a part of the stack of an event of a slab.
type stackPart struct {
	event   decode.Ticks // time of the event
	time    decode.Ticks // of the record
	ref     int64        // of the record
	owner   int64        // the event's event_ref, absent, or byTime
	process uint32
	thread  uint32
	from    int // of its frames, in stackParts.frames
	frames  int
	entry   int32 // of the event, once found, or elsewhere or noEntry

	processor   uint16
	pointerSize uint8
	source      stackSource
	kernel      bool // its first frame is in the kernel
	resolved    bool // the frames are known
}

// stackSource says where a part of a stack was recorded.
type stackSource uint8

const (
	fromStackWalk stackSource = iota
	fromStackKey
	fromItem
	fromCLRWalk
)

var stackSourceNames = [...]string{fromStackWalk: "stack_walk", fromStackKey: "stack_key", fromItem: "item", fromCLRWalk: "clr_stack_walk"}

// Some parts do not name their event.
const (
	absent = attribution.NoEvent // the trace does not have the event
	byTime = absent - 1          // it is among the events of the part's time
)

// stackParts are the parts of the stacks of a slab's events. They may be in any buffer: in those of
// the slab, which are read anyway, and in those that the index lists for the slab's time.
type stackParts struct {
	wanted    bool
	complete  bool // every event of the slab's time is in the slab
	stacks    *attribution.Stacks
	slab      slabs.Slab
	parts     []stackPart
	frames    []uint64
	omitted   int64 // parts that did not fit in memory
	unmatched int64
	missing   int64 // keys without a definition
	err       error // the first error of looking up keys
	buffers   []int32
	buffer    decode.Buffer
	walks     attribution.WalkFinder // of the current buffer
	lastWalk  attribution.Walk
	events    stackEvents // that the parts may belong to
	matcher   stackMatcher

	maxParts, maxFrames int
}

func (p *stackParts) reset(x *index.Index, plan *slabs.Plan, s slabs.Slab, complete bool) {
	p.maxParts, p.maxFrames = max(int(plan.Bytes/bytesPerPart), 1<<10), max(int(plan.Bytes/bytesPerFrame), 1<<13)
	p.stacks, p.slab, p.complete = &x.Tables().Stacks, s, complete
	p.wanted = plan.Stacks
	p.parts, p.frames = p.parts[:0], p.frames[:0]
	p.omitted, p.unmatched, p.missing = 0, 0, 0
	p.events.reset()
}

// owns reports whether the slab has the first events of a time.
func (p *stackParts) owns(t decode.Ticks) bool {
	key := slabs.Key{Time: t}
	return key.Compare(p.slab.From) >= 0 && key.Compare(p.slab.To) < 0
}

// has reports whether the slab has any events of a time. A slab may begin between events of the
// same time.
func (p *stackParts) has(t decode.Ticks) bool {
	return p.owns(t) || t == p.slab.From.Time && p.slab.From.Rank > 0
}

// The number of bytes planned for a slab that allow for a part of a stack, and for a frame. A slab
// with more is cut; one that cannot be cut has up to twice as many.
const (
	bytesPerPart  = 64
	bytesPerFrame = 32
)

// note adds an event's part of a stack, if it is of the slab. The event may be in any buffer.
func (p *stackParts) note(ev *decode.Event, hook uint16, b *decode.Buffer) {
	if ev.Family == decode.FamilyEvent {
		ref := eventRef(b, ev)
		if p.walks.Find(ev, ref, &p.lastWalk) {
			p.noteWalk(&p.lastWalk, ev, b)
		}
		p.noteItems(ev, ref, b)
		return
	}
	if !attribution.IsStack(hook) {
		return
	}
	if s, ok := attribution.ParseStack(ev, hook); ok {
		p.add(&s, fromStackWalk, byTime, ev, b)
	}
}

// noteWalk adds a stack walk of the CLR.
func (p *stackParts) noteWalk(w *attribution.Walk, ev *decode.Event, b *decode.Buffer) {
	owner := p.stacks.Resolve(w, b.Index)
	p.add(&w.StackPart, fromCLRWalk, owner, ev, b)
}

// noteItems adds an extended item that contains the rest of the stack of another event.
func (p *stackParts) noteItems(ev *decode.Event, ref int64, b *decode.Buffer) {
	if ev.Header().Flags()&decode.EventFlagExtended == 0 {
		return
	}
	for items := ev.Header().Items(); items.Next(); {
		said, match, ok := attribution.ParseStackItem(ev, items.Type, items.Data)
		if !ok {
			continue
		}
		owner := ref
		if match != 0 {
			if first, ok := p.stacks.First(match); ok {
				said.Event, owner = first.Time, first.Ref
			}
		}
		p.add(&said, fromItem, owner, ev, b)
	}
}

// add adds a part of a stack of the slab, and finds its frames.
func (p *stackParts) add(said *attribution.StackPart, source stackSource, owner int64, ev *decode.Event, b *decode.Buffer) {
	switch {
	case !p.has(said.Event):
		return
	case len(p.parts) >= 2*p.maxParts || len(p.frames) >= 2*p.maxFrames:
		p.omitted++
		return
	case said.HasKey:
		source = fromStackKey
	}
	part := stackPart{
		event: said.Event, time: ev.Time, ref: eventRef(b, ev), owner: owner, process: said.Process, thread: said.Thread, entry: noEntry,
		from: len(p.frames), processor: b.Header.Processor, pointerSize: uint8(said.PointerSize), source: source, resolved: true,
	}
	if part.source == fromStackKey {
		var err error
		if p.frames, part.resolved, err = p.stacks.Frames(said.Key, ev.Time, p.frames); err != nil && p.err == nil {
			p.err = err
		}
	} else {
		p.frames = attribution.AppendFrames(p.frames, said.Frames, said.PointerSize)
	}
	part.frames = len(p.frames) - part.from
	if part.frames > 0 {
		part.kernel = attribution.IsKernelAddress(p.frames[part.from], int(part.pointerSize))
	} else if hook := ev.HookID(); hook != 0 {
		part.kernel = attribution.IsKernelStack(hook)
	}
	p.parts = append(p.parts, part)
}

// addStacks reads the buffers outside the slab that have parts of its stacks.
func (g *Gathered) addStacks(x *index.Index, plan *slabs.Plan, needed *Filter) error {
	p := &g.Stacks
	if !p.wanted {
		return nil
	}
	p.buffers = p.stacks.Buffers(p.slab.From.Time, p.slab.To.Time, p.buffers[:0])
	for _, i := range p.buffers {
		if slices.ContainsFunc(g.buffers, func(b slabs.Buffer) bool { return b.Index == i }) {
			continue
		}
		if err := p.read(x, int(i)); err != nil {
			return err
		}
	}
	if err := g.addBorders(x, plan); err != nil {
		return err
	}
	if needed != nil {
		if err := g.addRivals(x, plan, needed); err != nil {
			return err
		}
	}
	return p.err
}

// eventRef returns the event_ref of an event.
func eventRef(b *decode.Buffer, ev *decode.Event) int64 { return int64(b.Index)<<32 | int64(ev.Offset) }

// read collects the parts in a buffer.
func (p *stackParts) read(x *index.Index, i int) error {
	p.walks.Begin()
	return p.walk(x, i, func(ev *decode.Event, _ uint32) bool {
		p.note(ev, ev.HookID(), &p.buffer)
		return true
	})
}

// walk calls f for the events of a buffer, with the running thread, until f returns false. The
// index pass has reported any damage.
func (p *stackParts) walk(x *index.Index, i int, f func(ev *decode.Event, running uint32) bool) error {
	var damage *decode.Error
	if err := x.File.ReadBuffer(i, &p.buffer); err != nil && !errors.As(err, &damage) {
		return err
	}
	running, switches := x.Running[i], x.Switches[i]
	var ev decode.Event
	for {
		err := p.buffer.Next(&ev)
		if errors.Is(err, io.EOF) || errors.As(err, &damage) {
			return nil
		}
		if err != nil {
			return err
		}
		if hook := ev.HookID(); switches && attribution.IsSwitch(hook) {
			_, running = attribution.SwitchedTo(&ev)
		}
		if !f(&ev, running) {
			return nil
		}
	}
}

// cut returns a time that cuts the slab in two if it has too many parts, frames or rivals; ok
// reports whether it has.
func (p *stackParts) cut() (cut slabs.Key, ok bool) {
	if len(p.parts) <= p.maxParts && len(p.frames) <= p.maxFrames && !p.events.tooMany {
		return cut, false
	}
	times := make([]decode.Ticks, len(p.parts))
	for i := range p.parts {
		times[i] = p.parts[i].event
	}
	slices.Sort(times)
	cut = slabs.Key{Time: times[len(times)/2]}
	if cut.Time == times[0] {
		after := sort.Search(len(times), func(i int) bool { return times[i] > times[0] })
		if after == len(times) {
			return cut, false
		}
		cut.Time = times[after]
	}
	return cut, cut.Compare(p.slab.From) > 0 && cut.Compare(p.slab.To) < 0
}
