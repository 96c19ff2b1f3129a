package pcapng

import (
	"slices"
	"strings"
)

// Limits on what is held to put packets together. They bound memory, not the size of a trace.
const (
	maxHeld  = 4096     // packets
	maxBytes = 16 << 20 // bytes of them
	maxShown = 1 << 16  // packets whose later appearances are known as such
	maxOpen  = 1 << 16  // packets with missing fragments
	maxDrops = 16       // drops that the comments of a packet mention

	// maxPacket is the most bytes of a packet that Wireshark reads (WTAP_MAX_PACKET_SIZE_STANDARD).
	maxPacket = 256 << 10
)

// packet is a packet, complete or not.
type packet struct {
	trace     int
	time      int64
	process   int64
	name      string // of the process
	place     place
	direction direction
	link      link
	bytes     []byte // at most maxPacket
	size      int64  // all bytes of its events
	wire      int64  // its length by its events; 0 if they have none

	open       bool // fragments are missing
	flow       flowKey
	unfinished bool // fragments never came
	damaged    bool
	cut        bool
	drops      []droppedAt
	id         packetID
	isKnown    bool // id is set
	appearance int64
}

// droppedAt says where and why a packet was dropped.
type droppedAt struct {
	place place
	why   string
}

// flowKey distinguishes fragments that may be logged at the same time. A thread logs the fragments of
// a packet one after another; the idle thread of each processor has the id 0.
type flowKey struct {
	trace             int
	kind              placeKind
	id, sub           int64
	direction         direction
	thread, processor int64
}

// shownKey identifies a packet of all traces.
type shownKey struct {
	trace int
	id    packetID
}

// assembler makes packets of events. It gives them to write in the order in which they begin.
type assembler struct {
	all   bool // each appearance of a packet is one
	write func(*packet) error

	held   []*packet // in order
	bytes  int       // of them
	open   map[flowKey]*packet
	shown  map[shownKey]*packet // nil after it was written
	recent []shownKey           // the keys of shown, the oldest at oldest once there are maxShown
	oldest int

	noStart int64 // fragments without the start of their packet
	late    int64 // fragments of packets that were given up
	damaged int64 // events with fewer bytes than they claim
}

func newAssembler(all bool, write func(*packet) error) *assembler {
	return &assembler{all: all, write: write, open: make(map[flowKey]*packet), shown: make(map[shownKey]*packet)}
}

// add adds the next event.
func (a *assembler) add(e *event) error {
	if e.damaged {
		a.damaged++
	}
	switch {
	case e.isFragment:
		a.fragment(e)
	case e.isKnown && !a.all:
		a.appearance(e)
	default:
		a.hold(e)
	}
	for len(a.held) > maxHeld || a.bytes > maxBytes && len(a.held) > 1 {
		if err := a.first(); err != nil {
			return err
		}
	}
	return nil
}

// fragment adds a fragment to its packet.
//
//  1. A fragment that starts a packet begins one, even if the last packet has not ended.
//  2. Other fragments continue the last packet of their flow that has not ended.
//  3. If there is none, a fragment that ends a packet has lost its start, and is left out. One that
//     neither starts nor ends a packet is a packet: older builds log packets so.
func (a *assembler) fragment(e *event) {
	key := flowKey{e.trace, e.place.kind, e.place.id, e.place.sub, e.direction, e.thread, 0}
	if e.thread == 0 {
		key.processor = e.processor
	}
	p, isOpen := a.open[key]
	switch {
	case e.starts:
		if p != nil {
			p.open, p.unfinished = false, true
		}
		delete(a.open, key)
		if p = a.hold(e); !e.ends {
			a.keepOpen(key, p)
		}
	case isOpen:
		if p == nil {
			a.late++
		} else {
			a.append(p, e)
		}
		if e.ends {
			delete(a.open, key)
			if p != nil {
				p.open = false
			}
		}
	case e.ends:
		a.noStart++
	default:
		a.hold(e)
	}
}

// keepOpen keeps a packet until its last fragment. It forgets packets that were given up before it
// keeps too many.
func (a *assembler) keepOpen(key flowKey, p *packet) {
	if len(a.open) >= maxOpen {
		for key, p := range a.open {
			if p == nil {
				delete(a.open, key)
			}
		}
	}
	a.open[key], p.open, p.flow = p, true, key
}

// appearance adds an appearance of a packet: the first one is the packet, and drops are noted in it.
// A second first appearance is another packet: PktMon does not say that its ids are unique.
func (a *assembler) appearance(e *event) {
	key := shownKey{e.trace, e.packet}
	p, isShown := a.shown[key]
	switch {
	case !isShown || e.appearance == 1 && e.dropped == "":
		a.remember(key, a.hold(e))
	case e.dropped == "":
	case p == nil:
		a.hold(e)
	default:
		p.drop(e)
	}
}

// remember keeps a packet by its key, in place of the oldest one.
func (a *assembler) remember(key shownKey, p *packet) {
	if _, isShown := a.shown[key]; isShown {
		a.shown[key] = p
		return
	}
	if len(a.recent) < maxShown {
		a.recent = append(a.recent, key)
	} else {
		delete(a.shown, a.recent[a.oldest])
		a.recent[a.oldest] = key
		a.oldest = (a.oldest + 1) % maxShown
	}
	a.shown[key] = p
}

// hold makes a packet of an event.
func (a *assembler) hold(e *event) *packet {
	p := &packet{
		trace: e.trace, time: e.time, process: e.process, name: strings.Clone(e.name), place: e.place, direction: e.direction, link: e.link, wire: e.wire,
		id: e.packet, isKnown: e.isKnown, appearance: e.appearance,
	}
	p.place.name = strings.Clone(p.place.name)
	a.append(p, e)
	p.drop(e)
	a.held = append(a.held, p)
	return p
}

// append adds the bytes of an event to a packet.
func (a *assembler) append(p *packet, e *event) {
	p.size += int64(len(e.bytes))
	before := len(p.bytes)
	p.bytes = append(p.bytes, e.bytes[:min(len(e.bytes), maxPacket-before)]...)
	a.bytes += len(p.bytes) - before
	p.damaged = p.damaged || e.damaged
	p.cut = p.cut || e.cut
}

// drop notes that an event says that the packet was dropped.
func (p *packet) drop(e *event) {
	d := droppedAt{e.place, e.dropped}
	if e.dropped != "" && len(p.drops) < maxDrops && !slices.Contains(p.drops, d) {
		p.drops = append(p.drops, d)
	}
}

// first writes the first packet that is held.
func (a *assembler) first() error {
	p := a.held[0]
	a.held[0] = nil
	a.held = a.held[1:]
	a.bytes -= len(p.bytes)
	if p.open {
		p.unfinished = true
		a.open[p.flow] = nil
	}
	if key := (shownKey{p.trace, p.id}); p.isKnown && a.shown[key] == p {
		a.shown[key] = nil
	}
	return a.write(p)
}

// finish writes the packets that are held.
func (a *assembler) finish() error {
	for len(a.held) > 0 {
		if err := a.first(); err != nil {
			return err
		}
	}
	return nil
}
