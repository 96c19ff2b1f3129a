package attribution

import (
	"bytes"
	"hash/maphash"

	"github.com/etl2parquet/etl2parquet/decode"
)

// Known is a worker's cache of parsed payloads. Equal payloads are parsed once, because each
// rundown repeats everything that exists. The zero value is empty.
type Known struct {
	payloads payloads
	blocks   [][]knownPayload // entries by number; all but the last are full, or reused from before
	entries  uint32           // how many there are
	slots    []knownSlot      // hash table of entries
	next     uint32           // number of the entry after the one found last
	copies   [][]byte         // of all payloads, each within one block
	copied   int              // the blocks of copies in use
	seed     maphash.Seed
	methods  *knownMethods
	debug    *gatherer // of debug information
	packed   []byte    // frames of the current stack key
	pairs    pairSlots
	worth    [1 << worthBits]worth
	uncached knownPayload // the payload found last, if it is not an entry
}

// worth says whether the cache finds payloads of a kind of event. Several kinds may share it.
type worth struct {
	entries, found uint32 // of the current trial
	pass           uint32 // the next payloads, which the cache leaves out
	failed         uint8  // trials, one after another
}

const worthBits = 6

func (k *Known) worthOf(tag eventTag) *worth {
	return &k.worth[uint64(tag)*0x9e3779b97f4a7c15>>(64-worthBits)]
}

// A kind whose payloads are rarely found is left out for some time, and then tried again. Most traces
// repeat few payloads, and large ones that were merged from several have millions, all different: each
// would cost memory, and reads of memory that the processor's caches do not have. When payloads do
// repeat, later trials find those of earlier ones, and then nothing is left out.
const (
	trial    = 128 // entries
	fewFound = 16  // entries per payload that is found
	passes   = 4   // payloads that are left out per entry after a trial that fails
	doubles  = 3   // how often this doubles if the next trials fail, too
)

// add counts an entry.
func (w *worth) add() {
	w.entries++
	switch {
	case w.entries < trial:
		return
	case w.found < trial/fewFound:
		w.pass = trial * passes << w.failed
		w.failed = min(w.failed+1, doubles)
	default:
		w.failed = 0
	}
	w.entries, w.found = 0, 0
}

// knownSlot is a slot of the hash table. It has a part of the hash, so that most other entries need
// not be compared.
type knownSlot struct {
	entry uint32 // index plus 1; 0 is free
	hash  uint32
}

// knownPayload is a payload and the facts in it.
type knownPayload struct {
	facts
	hash    uint64
	tag     eventTag
	payload []byte // in Known.copies
}

// eventTag identifies the kind of event: the same bytes can mean something else in another kind.
type eventTag uint64

// tagClassic distinguishes classes from hooks.
const tagClassic eventTag = 1 << 63

func tagOf(hook uint16, version uint8, ev *decode.Event) eventTag {
	return eventTag(hook)<<16 | eventTag(version)<<8 | eventTag(ev.PointerSize())
}

// facts is the content of a payload: at most one of these fields is set.
type facts struct {
	process *fact[Process]
	thread  *fact[Thread]
	image   *fact[Image]
	file    *fact[File]
	module  *fact[Module]
	debug   workerFact // its number plus 1
	key     *fact[stackKey]
}

// fact is a fact that events record.
type fact[T any] struct {
	value T
	text  string   // the name of a thread, the packed frames of a stack key
	at    listFact // its number plus 1, or 0; only the builder uses it
}

// observed is a fact with the time of an event that records it.
type observed[T any] struct {
	time decode.Ticks
	fact *fact[T]
}

// Limits on the cache. When one is reached, the cache is emptied.
const (
	maxKnown      = 1 << 15
	maxKnownBytes = 8 << 20
)

const (
	firstKnown  = 256      // slots
	knownBlock  = 1 << 6   // entries
	copiesRoom  = 64 << 10 // bytes of a block of copies; no payload is longer
	firstCopies = 4 << 10  // bytes of the first block, as most traces have few such events
)

// entry returns an entry by its number.
func (k *Known) entry(n uint32) *knownPayload { return &k.blocks[n/knownBlock][n%knownBlock] }

// find returns the entry for the payload of an event. If fresh is true, the caller must
// fill it in. The result is valid until the next call.
//
// A rundown mostly repeats the one before it, in the same order. So find first tries the entry
// after the one found last, which needs no hash and is next in memory.
func (k *Known) find(tag eventTag, payload []byte) (f *facts, fresh bool) {
	if k.next < k.entries && k.holds(k.next, tag, payload) {
		k.next++
		k.worthOf(tag).found++
		return &k.entry(k.next - 1).facts, false
	}
	w := k.worthOf(tag)
	if w.pass > 0 || len(payload) > copiesRoom {
		w.pass = max(w.pass, 1) - 1
		k.uncached = knownPayload{}
		return &k.uncached.facts, true
	}
	if k.slots == nil {
		k.seed = maphash.MakeSeed()
		k.slots = make([]knownSlot, firstKnown)
	}
	hash := maphash.Bytes(k.seed, payload) ^ uint64(tag)
	mask := uint64(len(k.slots) - 1)
	at := hash & mask
	for ; k.slots[at].entry != 0; at = (at + 1) & mask {
		if k.slots[at].hash != uint32(hash>>32) {
			continue
		}
		if entry := k.slots[at].entry; k.holds(entry-1, tag, payload) {
			k.next = entry
			w.found++
			return &k.entry(entry - 1).facts, false
		}
	}
	if k.entries == maxKnown || k.copied*copiesRoom > maxKnownBytes {
		k.empty()
		at = hash & mask
	}
	w.add()
	e := k.add(payload)
	*e = knownPayload{hash: hash, tag: tag, payload: e.payload}
	k.next = k.entries
	k.slots[at] = slotOf(hash, k.next)
	if 2*int(k.entries) > len(k.slots) {
		k.grow()
	}
	return &e.facts, true
}

// add adds an entry with a copy of a payload. It never moves the entries and copies before.
func (k *Known) add(payload []byte) *knownPayload {
	block := k.entries / knownBlock
	if int(block) == len(k.blocks) {
		k.blocks = append(k.blocks, make([]knownPayload, knownBlock))
	}
	if k.copied == 0 || cap(k.copies[k.copied-1])-len(k.copies[k.copied-1]) < len(payload) {
		if k.copied++; k.copied > len(k.copies) {
			room := copiesRoom
			if k.copied == 1 {
				room = max(firstCopies, len(payload))
			}
			k.copies = append(k.copies, make([]byte, 0, room))
		}
		k.copies[k.copied-1] = k.copies[k.copied-1][:0]
	}
	last := &k.copies[k.copied-1]
	from := len(*last)
	*last = append(*last, payload...)
	k.entries++
	e := k.entry(k.entries - 1)
	e.payload = (*last)[from:]
	return e
}

// empty removes all entries.
func (k *Known) empty() {
	clear(k.slots)
	k.entries, k.copied, k.next = 0, 0, 0
}

// holds reports whether an entry has this tag and payload.
func (k *Known) holds(entry uint32, tag eventTag, payload []byte) bool {
	e := k.entry(entry)
	return e.tag == tag && bytes.Equal(e.payload, payload)
}

func slotOf(hash uint64, entry uint32) knownSlot { return knownSlot{entry, uint32(hash >> 32)} }

func (k *Known) grow() {
	k.slots = make([]knownSlot, 2*len(k.slots))
	mask := uint64(len(k.slots) - 1)
	for n := range k.entries {
		hash := k.entry(n).hash
		at := hash & mask
		for k.slots[at].entry != 0 {
			at = (at + 1) & mask
		}
		k.slots[at] = slotOf(hash, n+1)
	}
}

func (p *payload) process(source Sources) *fact[Process] {
	id, ok := p.number32(fieldProcessID)
	if !ok {
		return nil
	}
	v := Process{Life: Life{Sources: source}, ID: id}
	v.Key, _ = p.number(fieldUniqueProcessKey)
	v.Parent, v.HasParent = p.number32(fieldParentID)
	v.Session, v.HasSession = p.number32(fieldSessionID)
	v.Flags, v.HasFlags = p.number32(fieldFlags)
	if source == FromEnd {
		v.ExitStatus, v.HasExit = p.number32(fieldExitStatus)
	}
	v.SID = p.sid(fieldUserSID)
	v.Name = p.text(fieldImageFileName)
	v.CommandLine = p.text(fieldCommandLine)
	v.Package = p.text(fieldPackageFullName)
	v.Application = p.text(fieldApplicationID)
	return &fact[Process]{value: v}
}

func (p *payload) thread(source Sources) *fact[Thread] {
	id, ok := p.number32(fieldTThreadID)
	if !ok {
		id, ok = p.number32(fieldThreadID)
	}
	process, known := p.number32(fieldProcessID)
	if !ok || !known {
		return nil
	}
	v := Thread{Life: Life{Sources: source}, ID: id, Process: process}
	v.Start, _ = p.number(fieldWin32StartAddr)
	v.SystemStart, _ = p.number(fieldStartAddr)
	priority, ok := p.number32(fieldBasePriority)
	v.BasePriority, v.HasPriority = uint8(priority), ok
	return &fact[Thread]{value: v, text: p.text(fieldThreadName)}
}

func (p *payload) image(source Sources) *fact[Image] {
	base, ok := p.number(fieldImageBase)
	if !ok {
		return nil
	}
	v := Image{Life: Life{Sources: source}, Base: base, Debug: -1, Version: -1}
	v.Process, _ = p.number32(fieldProcessID) // version 0 lacks it: the process is the kernel, 0
	v.Size, _ = p.number(fieldImageSize)
	v.Checksum, _ = p.number32(fieldImageChecksum)
	v.TimeStamp, _ = p.number32(fieldTimeDateStamp)
	v.Path = p.text(fieldFileName)
	return &fact[Image]{value: v}
}

func (p *payload) file(name fieldName, source Sources) *fact[File] {
	object, ok := p.number(fieldFileObject)
	if !ok || object == 0 {
		return nil
	}
	v := File{Life: Life{Sources: source}, Object: object, Path: p.text(name)}
	if v.Path == "" {
		return nil
	}
	return &fact[File]{value: v}
}
