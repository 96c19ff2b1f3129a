package catalog

import "github.com/etl2parquet/etl2parquet/decode"

// RecentKinds are kinds of event that one worker has met. Most events are of one of them, by a
// few bytes of their headers: their keys need not be made, and their extended items not be read.
type RecentKinds struct {
	kernel [1 << recentBits]recentKernelKind
	others [1 << recentBits]recentKind
	missed *Recent // where the kind of the event that was not found can be kept, or nil
	items  *[]byte // of it; nil: it has none
}

const recentBits = 8

// Recent is a kind of event that a worker has met.
type Recent struct {
	Place       int32  // in the list of kinds
	Payload     int32  // its offset
	PointerSize uint8  // as the header tells, or 0
	Items       uint16 // see Finder.Items
	Reads       bool   // the first pass reads more of the events than their headers
	known       bool   // the rest is that of a kind
}

// recentKernelKind is a kind of kernel event. Traces of the kernel are most of what is read, and
// few bytes a kind keep them in the nearest cache.
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

// kernelMixer brings the hook and the version, which tell most kinds apart, to the highest bits.
const kernelMixer = 0x9e3779b97f4a7c15

// findOther does the same for an event that is not of the kernel.
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

// Keep keeps the kind of the event that was not found, with the extended items that all its
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
