package index

import (
	"bytes"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
)

// KeptEvent is an event that says something about events in other buffers. Who reads a trace part by
// part keeps such events, and puts them before the next part.
type KeptEvent struct {
	Kind      KeptKind
	Key       KeptKey
	Buffer    int // of the file
	Processor uint16
	Time      decode.Ticks
	Raw       []byte // a copy

	Process uint32 // that a fact is about, or attribution.NoID
	Ends    bool   // the process ends with it
}

// KeptKind is what an event is kept for.
type KeptKind uint8

// The kinds of kept events.
const (
	KeptFact        KeptKind = iota // about a process, a thread, an image, a file, a method or the session
	KeptDescription                 // of the payloads of other events
	KeptSwitch                      // the last context switch of a buffer
	KeptExample                     // a payload of a size that its kind of event had not had in this part of the trace
	KeptPair                        // the process of a thread, from the header of any event
)

// KeptKey is equal for events of which only one, the last switch or else the first, needs to be kept.
// It is zero for facts and descriptions: all of them are kept.
type KeptKey struct {
	Event           catalog.Key // of an example
	Size            uint32
	PointerSize     uint8
	Processor       uint16 // of a switch
	Process, Thread uint32 // of a pair
}

// longestPair bounds the events that are kept as pairs: there are many threads.
const longestPair = 1 << 10

// keeper collects the kept events of a chunk.
type keeper struct {
	events []KeptEvent
	seen   map[KeptKey]struct{} // of examples and pairs
	last   int                  // of the last switch in this buffer, in events; -1: none
	owners bool                 // pairs are wanted
	from   int                  // the first buffer whose events are kept
}

func newKeeper(o *Options) *keeper {
	if o.Keep == nil {
		return nil
	}
	return &keeper{seen: make(map[KeptKey]struct{}), last: -1, owners: o.Without&OwnerFacts == 0, from: o.KeepFrom}
}

// event keeps an event if it is needed as an example or a pair.
func (k *keeper) event(b *decode.Buffer, ev *decode.Event, kind *catalog.Key, size int, pointerSize uint8) {
	if kind.Meta == 0 { // else the event describes itself
		k.first(KeptExample, KeptKey{Event: *kind, Size: uint32(size), PointerSize: pointerSize}, b, ev)
	}
	if !k.owners || len(ev.Raw) > longestPair {
		return
	}
	if process, thread := attribution.HeaderIDs(ev); process != attribution.NoID && thread != attribution.NoID {
		k.first(KeptPair, KeptKey{Process: process, Thread: thread}, b, ev)
	}
}

// first keeps the first event with a key.
func (k *keeper) first(kind KeptKind, key KeptKey, b *decode.Buffer, ev *decode.Event) {
	if _, ok := k.seen[key]; !ok {
		k.seen[key] = struct{}{}
		k.add(kind, key, b, ev)
	}
}

func (k *keeper) add(kind KeptKind, key KeptKey, b *decode.Buffer, ev *decode.Event) {
	if b.Index < k.from {
		return
	}
	k.events = append(k.events, KeptEvent{Kind: kind, Key: key, Buffer: b.Index, Processor: b.Header.Processor, Time: ev.Time,
		Raw: bytes.Clone(ev.Raw), Process: attribution.NoID})
}

// fact keeps an event that the pass reads. The switches of a buffer matter only by the last one,
// because they are those of its processor; stacks belong to events near them.
func (k *keeper) fact(b *decode.Buffer, ev *decode.Event, kind *catalog.Key) {
	switch {
	case catalog.IsDescription(kind):
		k.add(KeptDescription, KeptKey{}, b, ev)
	case attribution.IsStackOnly(kind.Family, kind.GUID, kind.ID):
	case ev.Family == decode.FamilySystem || ev.Family == decode.FamilyPerfInfo:
		switch hook := uint16(kind.ID); {
		case attribution.IsSwitchBatch(hook):
		case !attribution.IsSwitch(hook):
			k.addFact(b, ev, kind)
		case k.last >= 0 && k.events[k.last].Buffer == b.Index:
			k.events[k.last].Time, k.events[k.last].Raw = ev.Time, append(k.events[k.last].Raw[:0], ev.Raw...)
		default:
			k.add(KeptSwitch, KeptKey{Processor: b.Header.Processor}, b, ev)
			k.last = len(k.events) - 1
		}
	default:
		k.addFact(b, ev, kind)
	}
}

func (k *keeper) addFact(b *decode.Buffer, ev *decode.Event, kind *catalog.Key) {
	before := len(k.events)
	k.add(KeptFact, KeptKey{}, b, ev)
	for i := before; i < len(k.events); i++ {
		k.events[i].Process, k.events[i].Ends = attribution.FactProcess(ev, kind.GUID, kind.ID, uint8(kind.Version))
	}
}

// handOver passes on the kept events of a chunk.
func (k *keeper) handOver(to func(KeptEvent)) {
	if k == nil {
		return
	}
	for i := range k.events {
		to(k.events[i])
	}
	*k = keeper{}
}
