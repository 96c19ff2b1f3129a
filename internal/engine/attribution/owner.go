package attribution

import (
	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/schema"
)

// NoID is the id of no process or thread, as in headers.
const NoID = NoThread

// IDSource is the source of an event's ids.
type IDSource uint8

// The sources of ids.
const (
	FromNowhere IDSource = iota
	FromHeader
	FromPayload
	FromContextSwitch
	FromOtherEvent
	IDSources // the number of sources
)

// String returns the name of the source, as in the column id_source.
func (s IDSource) String() string {
	return [IDSources]string{"", "header", "payload", "context_switch", "other_event"}[s]
}

// Owner is the process and thread of an event.
type Owner struct {
	Process, Thread uint32 // NoThread if unknown
	Source          IDSource
	// The ids of the header, if Process and Thread are from the payload.
	HeaderProcess, HeaderThread uint32
}

// Resolver attributes events, for one goroutine. It caches its last answers, because adjacent
// events mostly have the same ids.
type Resolver struct {
	t         *Tables
	rules     [ruleSlots]rule
	sizes     pointerSizes
	threads   [answerSlots]answer
	processes [answerSlots]answer
	images    *[imageSlots]imageAnswer   // nil if the trace has none, as most small traces
	methods   *[methodSlots]methodAnswer // the same
}

const (
	ruleBits    = 9
	ruleSlots   = 1 << ruleBits
	answerSlots = 1 << 8
	imageSlots  = 1 << 10
)

// imageAnswer is the cached image at an address of a process, in an interval of time.
type imageAnswer struct {
	from, to decode.Ticks
	base     uint64
	size     uint64
	process  uint32
	index    int32
}

// answer is the cached meaning of an id in an interval of time. The zero value is empty.
type answer struct {
	from, to decode.Ticks
	id       uint32
	value    int32 // the process of a thread, the index of a process
	valid    bool
	byPair   bool // of a thread: the answer is from a pair
}

// Resolver returns a new resolver.
func (t *Tables) Resolver() *Resolver {
	r := &Resolver{t: t}
	if len(t.Images) > 0 {
		r.images = new([imageSlots]imageAnswer)
	}
	if len(t.Methods) > 0 {
		r.methods = new([methodSlots]methodAnswer)
	}
	return r
}

// rule says where the owner's ids are in a payload.
type rule struct {
	event           *schema.Event // nil if the slot is free
	version         uint8
	pointerSize     uint8
	process, thread decode.Span
	size            int  // of payloads with exactly these fields,
	isFixed         bool // which are at fixed positions
	hasPointers     bool
}

// Owner sets o to the owner of an event. literal is the layout of its payload, or nil; running is
// the thread that runs on the event's processor.
func (r *Resolver) Owner(ev *decode.Event, literal *schema.Event, version uint8, running uint32, o *Owner) {
	pointerSize := ev.PointerSize()
	if literal != nil && literal.Owner != (schema.Owner{}) {
		if rule := r.rule(literal, version, pointerSize); rule.hasPointers && pointerSize > 0 {
			if payload := ev.Payload(); !rule.isFixed || len(payload) != rule.size {
				pointerSize = r.sizes.of(literal, version, pointerSize, payload)
			}
		}
	}
	r.OwnerSized(ev, literal, version, pointerSize, running, o)
}

// OwnerSized is Owner, given the size of pointers in the payload.
//
// It fills o field by field, as [Owner.Clear] does. Copying a whole Owner right after its fields
// were written stalls the processor, because the copy's reads are wider than the writes. That took
// 5 % of the time to fill rows.
func (r *Resolver) OwnerSized(ev *decode.Event, literal *schema.Event, version uint8, pointerSize int, running uint32, o *Owner) {
	o.Clear()
	o.Process, o.Thread = headerIDs(ev)
	if o.Process != NoID || o.Thread != NoID {
		o.Source = FromHeader
	}
	if literal != nil && literal.Owner != (schema.Owner{}) {
		r.fromPayload(ev, r.rule(literal, version, pointerSize), running, o)
		return
	}
	if ev.Family == decode.FamilyPerfInfo && running != NoThread {
		o.Thread, o.Source = running, FromContextSwitch
	}
	r.complete(ev, o)
}

// Clear resets o to unknown.
func (o *Owner) Clear() {
	o.Process, o.Thread, o.Source = NoID, NoID, FromNowhere
	o.HeaderProcess, o.HeaderThread = NoID, NoID
}

// complete finds the process of a thread.
func (r *Resolver) complete(ev *decode.Event, o *Owner) {
	if o.Process == NoID && o.Thread != NoID {
		var byPair bool
		if o.Process, byPair = r.processOf(o.Thread, ev.Time); byPair {
			o.Source = FromOtherEvent
		}
	}
}

// fromPayload reads the ids from the payload. If the payload has no thread and the event has
// KeepThread, the thread is the header's or, if the header has no ids, the running thread, provided
// that it belongs to the process.
func (r *Resolver) fromPayload(ev *decode.Event, rule *rule, running uint32, o *Owner) {
	payload := ev.Payload()
	process, thread := idAt(payload, rule.process), idAt(payload, rule.thread)
	if process == NoID && thread == NoID {
		r.complete(ev, o)
		return
	}
	o.HeaderProcess, o.HeaderThread = o.Process, o.Thread
	if thread == NoID && rule.event.Owner.KeepThread {
		thread = o.Thread
		if o.Source == FromNowhere && running != NoThread && r.ProcessOf(running, ev.Time) == process {
			thread = running
		}
	}
	o.Process, o.Thread, o.Source = process, thread, FromPayload
	r.complete(ev, o)
}

// idAt reads an id. An id stored in a pointer also fits in 32 bits.
func idAt(payload []byte, at decode.Span) uint32 {
	if at.From < 0 || int(at.To) > len(payload) {
		return NoID
	}
	n := number(payload[at.From:at.To])
	if n >= uint64(NoID) {
		return NoID
	}
	return uint32(n)
}

// rule returns the rule for the payload of an event.
func (r *Resolver) rule(e *schema.Event, version uint8, pointerSize int) *rule {
	mixed := (uint32(e.Hook)<<16 | uint32(e.Type)<<8 ^ uint32(version)<<1 ^ uint32(pointerSize)>>3) * 0x9e3779b1
	slot := &r.rules[mixed>>(32-ruleBits)]
	if slot.event == e && slot.version == version && int(slot.pointerSize) == pointerSize {
		return slot
	}
	*slot = rule{event: e, version: version, pointerSize: uint8(pointerSize), process: decode.Span{From: -1}, thread: decode.Span{From: -1}}
	var spans []decode.Span
	spans, slot.size, slot.isFixed = decode.NewLayout(e, version, pointerSize).Prefix()
	slot.hasPointers = e.HasPointers(version)
	slot.process, slot.thread = ownerField(e, spans, e.Owner.Process), ownerField(e, spans, e.Owner.Thread)
	return slot
}

// ownerField returns the span of the field with this name.
func ownerField(e *schema.Event, spans []decode.Span, name string) decode.Span {
	for i, span := range spans {
		if f := &e.Fields[i]; span.From >= 0 && name != "" && f.Name == name {
			return span
		}
	}
	return decode.Span{From: -1}
}

// ProcessOf returns the process of a thread, or NoThread. All processors' idle
// threads are thread 0 of process 0.
func (r *Resolver) ProcessOf(thread uint32, at decode.Ticks) uint32 {
	process, _ := r.processOf(thread, at)
	return process
}

// processOf also reports whether only a pair says so.
func (r *Resolver) processOf(thread uint32, at decode.Ticks) (process uint32, byPair bool) {
	if thread == 0 {
		return 0, false
	}
	a := &r.threads[thread>>2%answerSlots]
	if a.valid && a.id == thread && at >= a.from && at <= a.to {
		return uint32(a.value), a.byPair
	}
	i := r.t.Thread(thread, at)
	if i >= 0 && at <= r.t.Threads[i].To {
		t := &r.t.Threads[i]
		*a = answer{t.From, t.To, thread, int32(t.Process), true, false}
		return t.Process, false
	}
	pair := findPair(r.t.Pairs, thread, at)
	switch {
	case i >= 0 && (pair < 0 || r.t.Pairs[pair].Process == r.t.Threads[i].Process): // after its end
		return r.t.Threads[i].Process, false
	case pair < 0:
		return NoID, false
	}
	p := &r.t.Pairs[pair]
	*a = answer{p.From, p.To, thread, int32(p.Process), true, true}
	return p.Process, true
}

// Process returns the index in Tables.Processes of the process with an id at a time,
// or -1.
func (r *Resolver) Process(id uint32, at decode.Ticks) int {
	a := &r.processes[id>>2%answerSlots]
	if a.valid && a.id == id && at >= a.from && at <= a.to {
		return int(a.value)
	}
	i := r.t.Process(id, at)
	if i >= 0 {
		p := &r.t.Processes[i]
		*a = answer{p.From, p.To, id, int32(i), true, false}
	}
	return i
}

// systemProcess is the process of the kernel's threads. The kernel's images belong to process 0.
const systemProcess = 4

// Image returns the index in Tables.Images of the image at an address of a process at
// a time, or -1. All processes have the kernel's images.
func (r *Resolver) Image(process uint32, address uint64, at decode.Ticks, pointerSize int) int {
	if !IsKernelAddress(address, pointerSize) {
		return r.image(process, address, at)
	}
	if i := r.image(0, address, at); i >= 0 {
		return i
	}
	return r.image(systemProcess, address, at)
}

func (r *Resolver) image(process uint32, address uint64, at decode.Ticks) int {
	if r.images == nil {
		return -1
	}
	a := &r.images[(uint32(address>>16)^process*61)%imageSlots]
	if a.process == process && address-a.base < a.size && at >= a.from && at <= a.to {
		return int(a.index)
	}
	i := r.t.Image(process, address, at)
	if i >= 0 && r.t.Images[i].overlap.apart() {
		m := &r.t.Images[i]
		*a = imageAnswer{m.From, m.To, m.Base, m.Size, process, int32(i)}
	}
	return i
}

// IsKernelAddress reports whether an address is in the upper half, the kernel's.
func IsKernelAddress(address uint64, pointerSize int) bool {
	if pointerSize == 4 {
		return address >= 1<<31
	}
	return address >= 1<<63
}
