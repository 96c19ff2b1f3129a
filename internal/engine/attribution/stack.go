package attribution

import (
	"cmp"
	"slices"
	"sort"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/base/ordered"
)

// The hooks of stack records.
const (
	hookStack       = 0x1820
	hookKeyCreate   = 0x1822
	hookKeyDelete   = 0x1823
	hookKeyRundown  = 0x1824
	hookStackKernel = 0x1825
	hookStackUser   = 0x1826
)

// IsStack reports whether a kernel event contains a part of a stack.
func IsStack(hook uint16) bool {
	return hook == hookStack || hook == hookStackKernel || hook == hookStackUser
}

// StackPart is a part of the stack of an earlier event: its frames, or the key
// that stands for them.
type StackPart struct {
	Event           decode.Ticks // time of the event it belongs to
	Process, Thread uint32       // of the event
	Key             uint64       // if HasKey
	HasKey          bool
	PointerSize     int
	Frames          []byte // addresses of PointerSize, innermost first; aliases the buffer
}

// ParseStack reads a stack record.
func ParseStack(ev *decode.Event, hook uint16) (p StackPart, ok bool) {
	payload := ev.Payload()
	const header = 16
	if len(payload) < header {
		return p, false
	}
	p = StackPart{
		Event: decode.Ticks(le.Uint64(payload)), Process: le.Uint32(payload[8:]), Thread: le.Uint32(payload[12:]),
		PointerSize: ev.PointerSize(), Frames: payload[header:],
	}
	if hook == hookStack {
		return p, true
	}
	if len(p.Frames) < p.PointerSize {
		return p, false
	}
	p.Key, p.HasKey, p.Frames = number(p.Frames[:p.PointerSize]), true, nil
	return p, true
}

// ParseStackItem reads an extended item that contains the stack of its event, or its stack key. If
// match is not 0, other events with the same match have the other parts.
func ParseStackItem(ev *decode.Event, item decode.ItemType, data []byte) (p StackPart, match uint64, ok bool) {
	if !item.Fits(data) {
		return p, 0, false
	}
	h := ev.Header()
	p = StackPart{Event: ev.Time, Process: h.ProcessID(), Thread: h.ThreadID(), PointerSize: 8}
	switch item {
	case decode.ItemStackTrace32:
		p.PointerSize, p.Frames = 4, data[8:]
	case decode.ItemStackTrace64:
		p.Frames = data[8:]
	case decode.ItemStackKey32:
		p.PointerSize, p.Key, p.HasKey = 4, uint64(le.Uint32(data[8:])), true
	case decode.ItemStackKey64:
		p.Key, p.HasKey = le.Uint64(data[8:]), true
	default:
		return p, 0, false
	}
	return p, le.Uint64(data), true
}

// AppendFrames appends addresses that lie one after another.
func AppendFrames(dst []uint64, b []byte, pointerSize int) []uint64 {
	dst = slices.Grow(dst, len(b)/pointerSize)
	if pointerSize == 8 {
		for ; len(b) >= 8; b = b[8:] {
			dst = append(dst, le.Uint64(b))
		}
		return dst
	}
	for ; len(b) >= pointerSize; b = b[pointerSize:] {
		dst = append(dst, number(b[:pointerSize]))
	}
	return dst
}

// Reference means that a buffer has parts of the stacks of events in a range of time.
type Reference struct {
	From, To decode.Ticks
	Buffer   int32
}

// references are the references of one buffer.
type references struct {
	buffer int32
	ranges []Reference // few, by time
}

const (
	maxRanges = 8
	// near is the largest gap between times in one range, a few ms. With wider ranges, buffers
	// would be read for times that they do not contain.
	near = 1 << 16
)

// add records that the buffer has a part of the stack of an event at t.
func (r *references) add(t decode.Ticks) {
	at := sort.Search(len(r.ranges), func(i int) bool { return r.ranges[i].To >= t })
	if at < len(r.ranges) && (r.ranges[at].From <= t || r.ranges[at].From-t <= near) {
		r.ranges[at].From = min(r.ranges[at].From, t)
		return
	}
	if at > 0 && t-r.ranges[at-1].To <= near {
		r.ranges[at-1].To = t
		return
	}
	r.ranges = slices.Insert(r.ranges, at, Reference{t, t, r.buffer})
	if len(r.ranges) <= maxRanges {
		return
	}
	closest, gap := 0, uint64(1<<64-1)
	for i := range len(r.ranges) - 1 {
		if between := uint64(r.ranges[i+1].From) - uint64(r.ranges[i].To); between < gap {
			closest, gap = i, between
		}
	}
	r.ranges[closest].To = r.ranges[closest+1].To
	r.ranges = slices.Delete(r.ranges, closest+1, closest+2)
}

// stackKey is a definition of a key: the frames it stands for from a time on or, if
// create is not set, up to a time.
type stackKey struct {
	key    uint64
	frames framePosition
	create bool
}

func (k *stackKey) id() id { return id{number: k.key} }

// stacks holds the stack records of a sequence of buffers.
type stacks struct {
	open  references // of the current buffer
	refs  []Reference
	keys  pile[observed[stackKey]]
	items int64 // events that contain their stack
	match []Match
	walks walks
	any   bool // the buffers have stacks, which were skipped
}

// Match is an event that contains a part of a stack. Other events with the same ID
// contain other parts.
type Match struct {
	ID   uint64
	Time decode.Ticks
	Ref  int64 // buffer<<32 | offset
}

// Begin begins a buffer.
func (r *Records) Begin(buffer int) {
	r.end()
	r.pairs.beginBuffer()
	r.stacks.open = references{buffer: int32(buffer)}
}

// end ends a buffer.
func (r *Records) end() {
	r.stacks.refs = append(r.stacks.refs, r.stacks.open.ranges...)
	r.stacks.open.ranges = nil
	r.endWalks()
}

// stack reads an event of the class StackWalk.
func (r *Records) stack(ev *decode.Event, hook uint16) {
	part, isPart := StackPart{}, false
	if IsStack(hook) {
		part, isPart = ParseStack(ev, hook)
		if isPart && r.Without&OwnerFacts == 0 && part.Event <= ev.Time { // the record follows its event
			r.pairs.add(&r.reading().pairs, part.Process, part.Thread, part.Event)
		}
	}
	switch {
	case r.noStacks:
		return
	case r.Without&StackFacts != 0:
		r.stacks.any = r.stacks.any || isPart
		return
	case isPart:
		r.stacks.open.add(part.Event)
	}
	switch hook {
	case hookKeyCreate, hookKeyDelete, hookKeyRundown:
		payload, size := ev.Payload(), ev.PointerSize()
		if len(payload) < size {
			return
		}
		known := r.reading()
		f, fresh := known.find(tagOf(hook, 0, ev), payload)
		if fresh {
			f.key = &fact[stackKey]{value: stackKey{key: number(payload[:size]), create: hook == hookKeyCreate}}
			known.packed = appendPackedFrames(known.packed[:0], payload[size:], size)
			f.key.text = string(known.packed)
		}
		r.stacks.keys.push(observed[stackKey]{ev.Time, f.key})
	}
}

// Item reads an extended item that contains a stack or a stack key.
func (r *Records) Item(ev *decode.Event, item decode.ItemType, data []byte, ref int64) {
	switch item {
	case decode.ItemStackTrace32, decode.ItemStackTrace64, decode.ItemStackKey32, decode.ItemStackKey64:
		r.stacks.items++
		if len(data) >= 8 && r.Without&StackFacts == 0 {
			if id := le.Uint64(data); id != 0 {
				r.stacks.match = append(r.stacks.match, Match{id, ev.Time, ref})
			}
		}
	}
}

// Stacks is the index of the stacks of a trace; the parts themselves stay in the file.
type Stacks struct {
	Items       int64          // events that contain a part of their stack
	NoRoom      int64          // keys and matches beyond the limits
	keys        list[stackKey] `snapshot:"-"`
	frames      frameStore     `snapshot:"-"` // of the keys
	definitions []observation  `snapshot:"-"` // records of the keys, by key and time
	ends        []int          `snapshot:"-"` // the end in definitions of each key's records
	ids         []uint64       `snapshot:"-"` // these keys, in order, for searches
	refs        []Reference    // by From
	latest      []decode.Ticks `snapshot:"-"` // the latest To so far
	matches     []Match        // by ID and time

	walks                   bool       // there are stack walks of the CLR
	loose                   []walkable // by thread and time; see walkEvents
	open                    []openWalk // until they are built
	looseBeyond, openBeyond int64      // the limits

	any         bool         `snapshot:"-"` // the trace has stacks, which were skipped
	looseBlocks [][]walkable `snapshot:"-"` // until they are built
	looseCount  int          `snapshot:"-"` // of all blocks
}

// add adds the records of the next sequence of buffers.
func (s *Stacks) add(r *stacks, limits *Limits) {
	s.Items += r.items
	s.any = s.any || r.any
	s.refs = append(s.refs, r.refs...)
	for _, block := range r.keys.blocks {
		s.addKeys(block, limits)
	}
	s.addWalks(&r.walks, limits)
	room := min(max(limits.Records-len(s.matches), 0), len(r.match))
	s.matches = append(s.matches, r.match[:room]...)
	s.NoRoom += int64(len(r.match) - room)
}

func (s *Stacks) addKeys(keys []observed[stackKey], limits *Limits) {
	run := make([]observation, 0, len(keys))
	for _, k := range keys {
		if s.keys.n >= limits.Keys || k.fact.at == 0 && !s.frames.fits(len(k.fact.text)) {
			s.NoRoom++
			continue
		}
		run = append(run, observation{k.time, s.keys.keep(k.fact, s.keepFrames)})
		s.keys.n++
	}
	s.keys.observations = append(s.keys.observations, run)
}

func (s *Stacks) keepFrames(k *stackKey, f *fact[stackKey]) {
	k.frames = s.frames.keep(f.text)
}

// build sorts the added records, with some workers.
func (s *Stacks) build(workers int) {
	s.definitions, s.ends = s.keys.sorted((*stackKey).id)
	s.listIDs()
	s.matches = ordered.Sort(workers, s.matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Ref, b.Ref))
	})
	for i := range s.matches {
		if first := s.first(i); first != i {
			s.refs = append(s.refs, Reference{s.matches[first].Time, s.matches[first].Time, int32(s.matches[i].Ref >> 32)})
		}
	}
	s.buildWalks()
	s.refs = ordered.Sort(workers, s.refs, func(a, b Reference) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Buffer, b.Buffer), cmp.Compare(a.To, b.To))
	})
	s.rangeRefs()
}

// rangeRefs records the latest time up to each reference.
func (s *Stacks) rangeRefs() {
	latest := minTicks
	for i := range s.refs {
		latest = max(latest, s.refs[i].To)
		s.latest = append(s.latest, latest)
	}
}

// first returns the index of the first match with the ID of match i.
func (s *Stacks) first(i int) int {
	return sort.Search(i, func(j int) bool { return s.matches[j].ID >= s.matches[i].ID })
}

// Any reports whether the trace has stacks.
func (s *Stacks) Any() bool { return s.Items > 0 || len(s.refs) > 0 || s.any }

// First returns the event that a part with this ID belongs to: the first one with the ID.
func (s *Stacks) First(id uint64) (Match, bool) {
	i := sort.Search(len(s.matches), func(i int) bool { return s.matches[i].ID >= id })
	if i == len(s.matches) || s.matches[i].ID != id {
		return Match{}, false
	}
	return s.matches[i], true
}

// Buffers appends the buffers that may have parts of the stacks of events in a range of
// time, in order.
func (s *Stacks) Buffers(from, to decode.Ticks, dst []int32) []int32 {
	start := sort.Search(len(s.latest), func(i int) bool { return s.latest[i] >= from })
	for i := start; i < len(s.refs) && s.refs[i].From <= to; i++ {
		if s.refs[i].To >= from {
			dst = append(dst, s.refs[i].Buffer)
		}
	}
	slices.Sort(dst)
	return slices.Compact(dst)
}

// Frames appends the frames that a key stands for at a time; ok is false if the trace
// does not define the key. Keys are reused: a key means the stack given when the key is
// next released or, if it is never released, the one given when it was created. Errors
// are from the [Overflow].
func (s *Stacks) Frames(key uint64, at decode.Ticks, dst []uint64) (frames []uint64, ok bool, err error) {
	definitions := s.definitionsOf(key)
	i := sort.Search(len(definitions), func(i int) bool { return definitions[i].time >= at })
	if i == len(definitions) || definitions[i].time > at && s.keys.facts.at(definitions[i].fact).create {
		i--
		if i < 0 || !s.keys.facts.at(definitions[i].fact).create {
			return dst, false, nil
		}
	}
	dst, err = s.frames.read(s.keys.facts.at(definitions[i].fact).frames, dst)
	return dst, err == nil, err
}

// listIDs lists the keys that have definitions.
func (s *Stacks) listIDs() {
	s.ids = make([]uint64, len(s.ends))
	for i, end := range s.ends {
		s.ids[i] = s.keys.facts.at(s.definitions[end-1].fact).key
	}
}

// definitionsOf returns the definitions of a key, by time.
func (s *Stacks) definitionsOf(key uint64) []observation {
	i, has := slices.BinarySearch(s.ids, key)
	if !has {
		return nil
	}
	from := 0
	if i > 0 {
		from = s.ends[i-1]
	}
	return s.definitions[from:s.ends[i]]
}

// IsKernelStack reports whether a stack record contains the kernel part of a stack.
func IsKernelStack(hook uint16) bool { return hook == hookStackKernel }
