package catalog

import "github.com/etl2parquet/etl2parquet/decode"

// RecentKinds caches the kinds of event that one worker has met. A few bytes of an event's header
// find its kind, without making a key or reading extended items.
type RecentKinds struct {
	kernel [1 << recentBits]recentKernelKind
	others [1 << recentBits]recentKind
	missed *Recent // where Keep stores the kind of the last event that Find missed, or nil
	items  *[]byte // of that event; nil if it has none
}

const recentBits = 8

// Recent is a kind of event that a worker has met.
type Recent struct {
	Place       int32  // in the list of kinds
	Payload     int32  // its offset
	PointerSize uint8  // as the header states, or 0
	Items       uint16 // see Finder.Items
	Reads       bool   // the first pass reads more of the events than their headers
	known       bool   // the other fields are set
}

// recentKernelKind is a kind of kernel event. Kernel events are the majority of all events; with
// few bytes per kind, the cache stays in the processor's first level.
type recentKernelKind struct {
	kind uint64
	Recent
}

// recentKind is another kind of event.
type recentKind struct {
	id    decode.KindID
	items []byte // the extended items of all its events
	Recent
}

// Begin forgets all kinds.
func (r *RecentKinds) Begin() {
	for i := range r.kernel {
		r.kernel[i].known = false
		r.others[i].known = false
	}
}

// Find returns the kind of an event, or nil if it is not known.
func (r *RecentKinds) Find(ev *decode.Event) *Recent {
	kind, ok := ev.KernelKind()
	if !ok {
		return r.findOther(ev)
	}
	slot := &r.kernel[kind*kernelMixer>>(64-recentBits)]
	if slot.kind == kind && slot.known {
		return &slot.Recent
	}
	slot.kind, slot.known = kind, false
	r.missed, r.items = &slot.Recent, nil
	return nil
}

// kernelMixer moves the hook and the version, in which most kinds differ, to the highest bits.
const kernelMixer = 0x9e3779b97f4a7c15

// findOther is Find for an event that is not a kernel event.
func (r *RecentKinds) findOther(ev *decode.Event) *Recent {
	var id decode.KindID
	if !ev.KindID(&id) {
		r.missed = nil
		return nil
	}
	slot := &r.others[id.Hash(recentBits)]
	if slot.known && slot.id.Equal(&id) && (len(slot.items) == 0 || ev.Header().BeginsWith(slot.items)) {
		return &slot.Recent
	}
	slot.known, slot.id, slot.items = false, id, slot.items[:0]
	r.missed, r.items = &slot.Recent, &slot.items
	return nil
}

// Keep caches the kind of the event that Find has just missed, with the extended items that all its
// events have.
func (r *RecentKinds) Keep(kind Recent, items []byte) {
	if r.missed == nil {
		return
	}
	kind.known = true
	*r.missed = kind
	if r.items != nil {
		*r.items = append(*r.items, items...)
	}
}
