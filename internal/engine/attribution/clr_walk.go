package attribution

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// The .NET runtime logs a stack as an event of its own, CLRStackWalk, after the event it belongs
// to: by the same provider, on the same thread. Usually both are in one buffer. They are in
// different buffers if the buffer was full, or if the thread moved to another processor in between.
// The event of a walk is found in three steps:
//
//  1. Within a buffer, the last event of the provider and thread before the walk. Both passes
//     do this, by WalkFinder.
//  2. The index pass keeps the loose events: those that the next event or walk of the thread
//     in their buffer does not follow at once, so that the thread may have been elsewhere.
//  3. A loose event of another buffer that is later than the event of step 1, and not later than the
//     walk, takes its place.

// atOnce is the longest time, in ticks, in which a thread cannot log an event, go to another
// processor, log there, and come back: 10 us of the usual clock.
const atOnce = 100

// walkEvents are the providers that log stack walks, and the ids of these events. Source:
// ClrEtwAll.man of dotnet/runtime; seen: 82.
var walkEvents = [...]struct {
	provider schema.GUID
	id       uint16
}{
	{schema.MustGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), 82},  // Microsoft-Windows-DotNETRuntime
	{schema.MustGUID("a669021c-c450-4609-a035-5af59af4df18"), 0},   // Microsoft-Windows-DotNETRuntimeRundown
	{schema.MustGUID("763fd754-7086-4dfe-95eb-c01a46faf4ca"), 151}, // Microsoft-Windows-DotNETRuntimePrivate
}

// walkProvider returns the index in walkEvents of an event's provider, or -1.
func walkProvider(h decode.EventHeader) int {
	first := le.Uint32(h[0x18:])
	for i := range walkEvents {
		if le.Uint32(walkEvents[i].provider[:]) == first && h.ProviderID() == walkEvents[i].provider {
			return i
		}
	}
	return -1
}

// readsWalk reports whether an event of a provider is a stack walk, or may have one.
func (r *Records) readsWalk(provider schema.GUID, id uint16) bool {
	for i := range walkEvents {
		if walkEvents[i].provider == provider {
			return r.Without&StackFacts == 0 || walkEvents[i].id == id
		}
	}
	return false
}

// isStackWalk reports whether an event is a stack walk.
func isStackWalk(ev *decode.Event) bool {
	h := ev.Header()
	provider := walkProvider(h)
	return provider >= 0 && h.Descriptor().ID == walkEvents[provider].id && new(Walk).parse(ev, h)
}

// walkThread is a thread, with one of the providers.
type walkThread struct {
	process, thread uint32
	provider        uint8
}

func (a *walkThread) compare(b *walkThread) int {
	return cmp.Or(cmp.Compare(a.process, b.process), cmp.Compare(a.thread, b.thread), cmp.Compare(a.provider, b.provider))
}

// walkable is an event that a stack walk may belong to.
type walkable struct {
	of   walkThread
	time decode.Ticks
	ref  int64 // buffer<<32 | offset
}

// lastEvent is the last event of a thread in a buffer.
type lastEvent struct {
	walkable
	followed, loose bool
}

// follow records the time of the thread's next event or walk.
func (e *lastEvent) follow(t decode.Ticks) {
	if !e.followed {
		e.followed, e.loose = true, t < e.time || t-e.time > atOnce
	}
}

// WalkFinder finds the events of stack walks within a buffer.
type WalkFinder struct {
	last   []lastEvent // in the order in which the threads came
	at     map[walkThread]int
	recent int // index in last of the thread found last: the next event is mostly of the same
}

// lastOf returns the index in last of a thread.
func (w *WalkFinder) lastOf(of *walkThread) (at int, found bool) {
	if w.recent < len(w.last) && w.last[w.recent].of == *of {
		return w.recent, true
	}
	if at, found = w.at[*of]; found {
		w.recent = at
	}
	return at, found
}

// Begin begins a buffer.
func (w *WalkFinder) Begin() {
	if len(w.last) > 0 {
		w.last = w.last[:0]
		clear(w.at)
	}
}

// Walk is a stack walk, with the event before it in its buffer.
type Walk struct {
	StackPart
	of   walkThread
	time decode.Ticks
	ref  int64 // of the event, or NoEvent
}

// NoEvent is the reference of a stack to an event that the trace does not have.
const NoEvent = -1

// Find reads the next event of the buffer. It reports whether the event is a stack walk, and stores
// that in walk.
func (w *WalkFinder) Find(ev *decode.Event, ref int64, walk *Walk) bool {
	isWalk, _, _ := w.find(ev, ref, walk)
	return isWalk
}

// find also returns a loose event that is no longer the last one of its thread.
func (w *WalkFinder) find(ev *decode.Event, ref int64, walk *Walk) (isWalk bool, before walkable, isLoose bool) {
	h := ev.Header()
	provider := walkProvider(h)
	if provider < 0 {
		return false, before, false
	}
	of := walkThread{h.ProcessID(), h.ThreadID(), uint8(provider)}
	at, found := w.lastOf(&of)
	var last *lastEvent
	if found {
		last = &w.last[at]
		last.follow(ev.Time)
	}
	if h.Descriptor().ID == walkEvents[provider].id {
		*walk = Walk{of: of, time: ev.Time, ref: NoEvent}
		if isWalk = walk.parse(ev, h); isWalk && found {
			walk.Event, walk.ref = last.time, last.ref
		}
		return isWalk, before, false
	}
	now := lastEvent{walkable: walkable{of, ev.Time, ref}, loose: true}
	if !found {
		if w.at == nil {
			w.at = make(map[walkThread]int)
		}
		w.at[of], w.recent = len(w.last), len(w.last)
		w.last = append(w.last, now)
		return false, before, false
	}
	before, isLoose = last.walkable, last.loose
	*last = now
	return false, before, isLoose
}

// parse reads the payload of a stack walk: the id of the runtime, two reserved bytes, the number of
// frames, and the frames. The manifest's layout declares only two frames.
func (w *Walk) parse(ev *decode.Event, h decode.EventHeader) bool {
	const header = 8
	payload := ev.Payload()
	if len(payload) < header {
		return false
	}
	p := StackPart{Event: ev.Time, Process: h.ProcessID(), Thread: h.ThreadID(), PointerSize: ev.PointerSize()}
	frames := min(uint64(le.Uint32(payload[4:]))*uint64(p.PointerSize), uint64(len(payload)-header))
	p.Frames = payload[header:][:frames]
	w.StackPart = p
	return true
}

// walks holds the stack walks of a sequence of buffers.
type walks struct {
	finder WalkFinder
	any    bool
	loose  pile[walkable]
	open   []openWalk
}

// openWalk is a walk whose event may be in another buffer.
type openWalk struct {
	of          walkThread
	after, time decode.Ticks
	buffer      int32
}

// Walk reads an event of a manifest-based provider and records what stack walks need.
func (r *Records) Walk(ev *decode.Event, ref int64) {
	if r.Without&StackFacts != 0 {
		r.stacks.any = r.stacks.any || isStackWalk(ev)
		return
	}
	var w Walk
	isWalk, before, isLoose := r.stacks.walks.finder.find(ev, ref, &w)
	if isLoose {
		r.stacks.walks.loose.push(before)
	}
	if !isWalk {
		return
	}
	r.stacks.walks.any = true
	r.stacks.open.add(w.Event)
	r.stacks.open.add(ev.Time)
	if w.ref == NoEvent {
		w.Event = minTicks
	}
	if w.ref == NoEvent || w.time-w.Event > near || w.time < w.Event {
		r.stacks.walks.open = append(r.stacks.walks.open, openWalk{w.of, w.Event, ev.Time, int32(ref >> 32)})
	}
}

// endWalks ends a buffer.
func (r *Records) endWalks() {
	w := &r.stacks.walks
	for i := range w.finder.last {
		if e := &w.finder.last[i]; e.loose {
			w.loose.push(e.walkable)
		}
	}
	w.finder.Begin()
}

// addWalks adds the stack walks of the next sequence of buffers. If the limits drop an event, a
// walk in another buffer gets another event or none.
func (s *Stacks) addWalks(w *walks, limits *Limits) {
	s.walks = s.walks || w.any
	for _, block := range w.loose.blocks {
		room := min(max(limits.Records/walkableShare-s.looseCount, 0), len(block))
		s.looseBlocks, s.looseCount = append(s.looseBlocks, block[:room]), s.looseCount+room
		s.looseBeyond += int64(len(block) - room)
	}
	room := min(max(limits.Records/walkableShare-len(s.open), 0), len(w.open))
	s.open = append(s.open, w.open[:room]...)
	s.openBeyond += int64(len(w.open) - room)
}

// walkableShare makes the limit on events that walks may belong to a fraction of Limits.Records: a
// million events of 32 bytes.
const walkableShare = 3

// Beyond returns the number of records of stacks beyond the limits.
func (s *Stacks) Beyond() int64 {
	if s.walks {
		return s.NoRoom + s.looseBeyond + s.openBeyond
	}
	return s.NoRoom
}

// buildWalks sorts the events, and adds references to the events of walks in other buffers. If the
// limits drop some of these walks, it adds none: the result would depend on which buffers are read
// together.
func (s *Stacks) buildWalks() {
	if s.walks && s.openBeyond == 0 {
		s.loose = slices.Concat(s.looseBlocks...)
	}
	s.looseBlocks, s.looseCount = nil, 0
	slices.SortFunc(s.loose, func(a, b walkable) int {
		return cmp.Or(a.of.compare(&b.of), cmp.Compare(a.time, b.time), cmp.Compare(a.ref, b.ref))
	})
	for i := range s.open {
		o := &s.open[i]
		if e, ok := s.looseBefore(&o.of, o.after, o.time, int64(o.buffer)); ok {
			s.refs = append(s.refs, Reference{e.time, e.time, o.buffer})
		}
	}
	s.open = nil
}

// looseBefore returns the latest loose event of a thread in (after, at] that is not in the buffer.
func (s *Stacks) looseBefore(of *walkThread, after, at decode.Ticks, buffer int64) (e walkable, ok bool) {
	i := sort.Search(len(s.loose), func(i int) bool {
		u := &s.loose[i]
		return cmp.Or(u.of.compare(of), cmp.Compare(u.time, at)) > 0
	})
	for i--; i >= 0 && s.loose[i].of == *of && s.loose[i].time > after; i-- {
		if s.loose[i].ref>>32 != buffer {
			return s.loose[i], true
		}
	}
	return e, false
}

// Resolve completes a walk of a buffer: it sets Event, and returns a reference to the event as
// owner, or NoEvent if the trace does not have it.
func (s *Stacks) Resolve(w *Walk, buffer int) (owner int64) {
	after := w.Event
	if w.ref == NoEvent {
		after = minTicks
	}
	if e, ok := s.looseBefore(&w.of, after, w.time, int64(buffer)); ok {
		w.Event, w.ref = e.time, e.ref
	}
	return w.ref
}
