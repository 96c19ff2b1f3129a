package index

import "github.com/etl2parquet/etl2parquet/decode"

// recentKinds are kinds of event that a chunk has. Most events are of one of them, by a few
// bytes of their headers: their keys need not be made, and their extended items not be read.
type recentKinds [1 << recentBits]recentKind

const recentBits = 8

// recentKind is a kind of event.
type recentKind struct {
	id      decode.KindID
	items   []byte // the extended items of all its events
	place   int    // in TypeCounter.List
	payload int    // its offset
	known   bool   // the slot is in use
	reads   bool   // the pass reads more of the events than their headers
}

// begin begins a chunk.
func (r *recentKinds) begin() {
	for i := range r {
		r[i].known = false
	}
}

// find returns the kind of an event, or nil if it is not known. slot is where it can be kept, or
// nil: other events of the kind may differ in what matters.
func (r *recentKinds) find(ev *decode.Event) (k, slot *recentKind) {
	var id decode.KindID
	if !ev.KindID(&id) {
		return nil, nil
	}
	slot = &r[id.Hash(recentBits)]
	if slot.known && slot.id.Equal(&id) && (len(slot.items) == 0 || ev.Header().BeginsWith(slot.items)) {
		return slot, slot
	}
	slot.known, slot.id, slot.items = false, id, slot.items[:0]
	return nil, slot
}

// keep makes the slot that of a kind.
func (k *recentKind) keep(place, payload int, reads bool, items []byte) {
	k.known, k.place, k.payload, k.reads, k.items = true, place, payload, reads, append(k.items, items...)
}
