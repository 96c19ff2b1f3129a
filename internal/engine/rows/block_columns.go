package rows

import (
	"math"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
)

// blockColumns caches header values of a block by column, so that tables copy arrays while the
// events are in the processor's cache, instead of following a pointer per value.
type blockColumns struct {
	ref, ns, micros                              [BlockRows]int64
	process, thread, headerProcess, headerThread blockIDs
	source                                       [BlockRows]attribution.IDSource // of the ids
	owner                                        [BlockRows]int32                // the process, in attribution.Tables.Processes; -1 if none
	processor, headerType, pointerSize           [BlockRows]int32
	payloadSize, headerSize                      [BlockRows]int32
	kind                                         [BlockRows]int32 // the row in event_types, or -1
	unlisted                                     int              // events without one
	timeless                                     int              // events whose ns and micros are noTime
	stepless                                     [BlockRows]int64 // ns without the steps of the clock, if stepped
	stepped                                      bool

	// Events with an EVENT_HEADER set all of these. An EVENT_TRACE_HEADER sets opcode (the type of
	// the class), level, version and times; a kernel event sets id (the hook), task (its group),
	// opcode (its type) and version.
	id, version, channel, level, opcode, task [BlockRows]int32
	flags, property                           [BlockRows]int32
	keyword                                   [BlockRows]int64 // by its bits
	times                                     [BlockRows]uint64

	activities int           // events that have an activity
	items      extendedItems // by place
	listed     int           // events whose items have a number, and are not in items
}

// noTime stands for null among ns and micros: no time that can be has this value.
const noTime = math.MinInt64

// blockIDs are ids of processes or threads, or columns.None.
type blockIDs struct {
	of   [BlockRows]int64
	none int
}

func (ids *blockIDs) set(place uint16, id uint32) {
	ids.of[place%BlockRows] = idOf(id)
	if id == attribution.NoID {
		ids.none++
	}
}

// reset removes the events of the block before.
func (b *blockColumns) reset() {
	for _, ids := range []*blockIDs{&b.process, &b.thread, &b.headerProcess, &b.headerThread} {
		ids.none = 0
	}
	b.unlisted, b.timeless, b.activities, b.listed, b.stepped = 0, 0, 0, 0, false
	b.items.reset()
}

// clock returns the times of the events by a clock that is never set, or noTime.
func (b *blockColumns) clock() *[BlockRows]int64 {
	if b.stepped {
		return &b.stepless
	}
	return &b.ns
}

// read copies the values of an event, once its kind is known.
func (b *blockColumns) read(ctx *Context, r *row, processor int32) {
	at := r.place % BlockRows // which needs no checks of bounds
	ns := ctx.clock.UnixNano(r.Time)
	b.ref[at], b.ns[at], b.micros[at] = r.ref, ns, columns.Micros(ns)
	if r.BadTime {
		b.ns[at], b.micros[at] = noTime, noTime
		b.timeless++
	}
	if ctx.steps != nil {
		b.stepped, b.stepless[at] = true, b.ns[at]
		if !r.BadTime {
			b.stepless[at] -= ctx.steps.Offset(r.ref)
		}
	}
	b.processor[at], b.headerType[at], b.pointerSize[at] = processor, int32(r.Type), r.pointerSize
	b.payloadSize[at], b.headerSize[at] = int32(len(r.payload)), int32(len(r.Raw)-len(r.payload))
	b.process.set(at, r.owner.Process)
	b.thread.set(at, r.owner.Thread)
	b.headerProcess.set(at, r.owner.HeaderProcess)
	b.headerThread.set(at, r.owner.HeaderThread)
	b.source[at], b.owner[at] = r.owner.Source, r.process
	if r.Number < len(ctx.kinds) {
		b.kind[at] = ctx.kinds[r.Number]
	} else {
		b.kind[at] = -1
		b.unlisted++
	}
	switch r.Family {
	case decode.FamilyEvent:
		b.readHeader(r)
	case decode.FamilySystem, decode.FamilyPerfInfo:
		hook := int32(r.key.ID)
		b.id[at], b.task[at], b.opcode[at], b.version[at] = hook, hook>>8, hook&0xff, int32(r.key.Version)
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := r.EventTrace()
		class, level, version := h.Class()
		b.opcode[at], b.level[at], b.version[at], b.times[at] = int32(class), int32(level), int32(version), h.Times()
	}
}

// readHeader copies the values of an EVENT_HEADER.
func (b *blockColumns) readHeader(r *row) {
	at, h := r.place%BlockRows, r.Header()
	if r.items > 0 {
		b.listed++
	}
	d := h.Descriptor()
	b.id[at], b.version[at], b.channel[at] = int32(d.ID), int32(d.Version), int32(d.Channel)
	b.level[at], b.opcode[at], b.task[at] = int32(d.Level), int32(d.Opcode), int32(d.Task)
	b.flags[at], b.property[at] = int32(h.Flags()), int32(h.Property())
	b.keyword[at], b.times[at] = int64(d.Keyword), h.Times()
	if !h.ActivityID().IsZero() {
		b.activities++
	}
}

// pick copies the values of some events of a block. Usually they are adjacent.
func pick[T any](to []T, from *[BlockRows]T, places []uint16) {
	n := len(places)
	if first := int(places[0]); int(places[n-1])-first == n-1 {
		copy(to, from[first:])
		return
	}
	for i, place := range places[:len(to)] {
		to[i] = from[place%BlockRows]
	}
}

// pickIDs appends the ids of rows.
func (f *batchBuilder) pickIDs(c *columns.Column, first int, from *blockIDs) {
	if n := len(f.places); from.none == 0 {
		pick(columns.More(&c.Present(first, n).Ints, n), &from.of, f.places)
		return
	}
	values := f.room(len(f.places))
	pick(values, &from.of, f.places)
	c.Int64sAt(first, values)
}

// pickTimes appends the times of rows.
func (f *batchBuilder) pickTimes(c *columns.Column, first int, from *[BlockRows]int64) {
	if n := len(f.places); f.block.timeless == 0 {
		pick(columns.More(&c.Present(first, n).Ints, n), from, f.places)
		return
	}
	for i, place := range f.places {
		if v := from[place]; v != noTime {
			c.At(first + i).Int64(v)
		}
	}
}

// pickKinds appends the rows of event_types.
func (f *batchBuilder) pickKinds(c *columns.Column, first int, b *blockColumns) {
	if n := len(f.places); b.unlisted == 0 {
		pick(columns.More(&c.Present(first, n).Small, n), &b.kind, f.places)
		return
	}
	for i, place := range f.places {
		if kind := b.kind[place]; kind >= 0 {
			c.At(first + i).Int32(kind)
		}
	}
}
