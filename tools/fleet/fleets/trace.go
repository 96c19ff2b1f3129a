package fleets

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

// logged is an event of a trace.
type logged struct {
	kind      int   // in Truth.Kinds; or a windows constant until it is in a buffer
	made      *kind // nil: of Windows
	time      int64 // since the start of the trace, ticks
	processor uint16
	event     etltest.Event
}

// filled is a buffer, with the kinds and places of its events.
type filled struct {
	etltest.Buffer
	kinds   []int
	offsets []int // from the start of the buffer's events
}

const (
	ticksPerSecond  = 10_000_000
	ticksPerMicro   = 10
	bufferHeader    = 0x48
	smallBuffer     = 4 << 10
	largeBuffer     = 8 << 10
	largeSince      = 200 // events of a trace with large buffers
	longestActivity = ticksPerSecond / 2
)

// writer writes one trace.
type writer struct {
	*plan
	*member
	running []running
	list    []logged
	trace   etltest.Trace
	truth   Trace
	counts  []int // by kind
}

// write returns the bytes of a trace and what is in it. before is the number of buffers that the
// session wrote to earlier files.
func (p *plan) write(m *member, before int) (data []byte, truth Trace, buffers int, err error) {
	machine := p.machines[m.machine]
	boot := machine.Boots[m.boot]
	ticks := int64(m.start.Sub(boot.Time) / 100)
	w := writer{plan: p, member: m, running: p.makeRunning(m.machine, m.boot), counts: make([]int, len(p.kinds)+len(windowsKinds))}
	w.trace = etltest.Trace{
		Frequency: ticksPerSecond, MHz: machine.MHz, Processors: machine.Processors, Build: boot.Build, Boot: boot.Time,
		Start: m.start, StartTicks: &ticks, End: m.end, EventsLost: uint32(m.sessionLost),
		BufferSize: smallBuffer, Mode: etltest.ModeSequential, Logger: 3, FirstSequence: int64(1 + before),
		LoggerName: "Made-" + titled(p.logs[m.log].name), FileName: `C:\Made\Logs\` + path.Base(m.path),
	}
	if m.events >= largeSince {
		w.trace.BufferSize = largeBuffer
	}
	if m.series != "" {
		w.trace.Mode = etltest.ModeNewFile
	}
	w.trace.Unfinalised = m.running
	w.truth = Trace{
		Path: m.path, Log: p.logs[m.log].name, Machine: machine.Name, Boot: m.boot, BootTime: boot.Time, Build: boot.Build,
		Session: w.trace.LoggerName, Start: m.start, End: m.end, Processes: m.processes,
		Series: m.series, Place: m.place, Private: m.first != nil, Running: m.running, Circular: m.circular, SessionLost: m.sessionLost,
	}
	if err := w.addEvents(); err != nil {
		return nil, truth, 0, err
	}
	opening, err := w.opening()
	if err != nil {
		return nil, truth, 0, err
	}
	first, err := w.fill(opening)
	if err != nil {
		return nil, truth, 0, err
	}
	slices.SortStableFunc(w.list, func(a, b logged) int { return cmp.Compare(a.time, b.time) })
	rest, err := w.fill(w.list)
	if err != nil {
		return nil, truth, 0, err
	}
	if m.first != nil {
		w.trace.Mode |= etltest.ModePrivate
		w.trace.Start = m.first.start
		ticks = int64(m.first.start.Sub(boot.Time) / 100)
	}
	if data, err = w.bytes(first, rest); err != nil {
		return nil, truth, 0, err
	}
	w.truth.Bytes = len(data)
	return data, w.truth, len(first) + len(rest), nil
}

// addEvents adds the events that follow the opening: planted ones, one of each kind whose home the
// trace is, and frequent kinds for the rest.
func (w *writer) addEvents() error {
	free := w.events
	if w.processes {
		free -= rundownEvents + transientEvents
		w.addTransient()
	}
	s := newStream(w.options.Seed, "planted", w.index)
	for _, plant := range w.planted {
		for range plant.events {
			if plant.cause != nil {
				free -= w.activity(s, 1, plant.cause, plant.kind)
			} else {
				free -= w.activity(s, plant.factor, plant.kind)
			}
		}
	}
	s = newStream(w.options.Seed, "events", w.index)
	var next []*kind
	add := func(k *kind) {
		if free--; k.timed {
			free--
			w.activity(s, 1, next...)
			next = nil
		}
		if next = append(next, k); s.chance(1, 3) {
			w.activity(s, 1, next...)
			next = nil
		}
	}
	for _, k := range w.homes {
		add(k)
	}
	if free < 0 {
		return fmt.Errorf("%s: %d events are too few for what is planted: plant less", w.path, w.events)
	}
	usual, sums := w.usual(s)
	for free > 0 {
		k := usual[s.weighted(sums)]
		if free == 1 {
			k = w.logs[w.log].kinds[0] // one event
		}
		add(k)
	}
	w.activity(s, 1, next...)
	return nil
}

// usual chooses the kinds of a trace among those of its log, and returns them with the running sums
// of their weights.
func (w *writer) usual(s stream) (kinds []*kind, sums []int) {
	l := &w.logs[w.log]
	chosen := make([]bool, len(l.kinds))
	for range 8 + w.events/20 {
		chosen[s.weighted(l.sums)] = true
	}
	sum := 0
	for rank, k := range l.kinds {
		if chosen[rank] {
			if sum += l.sums[rank]; rank > 0 {
				sum -= l.sums[rank-1]
			}
			kinds, sums = append(kinds, k), append(sums, sum)
		}
	}
	return kinds, sums
}

// activity adds an event of each kind, in one activity of one thread, and returns their number. A
// timed kind can only be the first: its second event follows after its usual time, times factor.
func (w *writer) activity(s stream, factor int, kinds ...*kind) (events int) {
	if len(kinds) == 0 {
		return 0
	}
	length := int64(w.end.Sub(w.start) / 100)
	time := longestActivity + s.below64(length-2*longestActivity)
	r := &w.running[kinds[0].process]
	id, thread := s.guid(), r.thread(s.below(threadsPerProcess))
	processor := uint16(s.below(min(w.trace.Processors, 1+w.member.events/400)))
	add := func(k *kind, time int64, opcode uint8) {
		e := k.event(s)
		e.PID, e.TID, e.Activity, e.Opcode = r.id, thread, id, opcode
		w.list = append(w.list, logged{kind: k.index, made: k, time: time, processor: processor, event: e})
		events++
	}
	for _, k := range kinds {
		time += int64(ticksPerMicro * s.between(10, 5000))
		if !k.timed {
			add(k, time, 0)
			continue
		}
		add(k, time, 1)
		add(k, time+int64(ticksPerMicro*factor*k.duration*s.between(50, 150)/100), 2)
	}
	return events
}

// addTransient adds the start and the end of a process.
func (w *writer) addTransient() {
	s := newStream(w.options.Seed, "transient", w.index)
	parent := w.running[len(w.running)-1]
	r := running{process: process{"made-once.exe", `C:\Made\made-once.exe`}, id: parent.id + 0x10000 + 4*uint32(w.index), parent: parent.id}
	r.key = 0xffff8000_00000000 + uint64(r.id)<<12
	start := int64(longestActivity + s.below(ticksPerSecond))
	for i, kind := range []int{windowsProcessStart, windowsProcessEnd} {
		w.list = append(w.list, logged{kind: kind, time: start + int64(i*s.between(1, 5)*ticksPerSecond), event: r.event([]uint16{0x0301, 0x0302}[i])})
	}
}

// opening returns what the first buffers have: descriptions of the events of manifests, processes,
// threads and images. A circular file keeps these buffers.
func (w *writer) opening() (list []logged, err error) {
	described := make([]bool, len(w.kinds))
	logs := w.list
	if w.log < w.options.Apart {
		logs = nil
		if w.truth.Apart = w.describes(w.member); w.truth.Apart {
			for _, k := range w.logs[w.log].kinds {
				logs = append(logs, logged{made: k})
			}
		}
	}
	for _, l := range logs {
		if l.made == nil || l.made.traits != nil || described[l.made.index] {
			continue
		}
		described[l.made.index] = true
		e, err := l.made.description()
		if err != nil {
			return nil, err
		}
		list = append(list, logged{kind: windowsDescription, event: e})
	}
	if w.processes {
		list = append(list, w.rundown(w.member, w.running)...)
	}
	for i := range list {
		list[i].time = int64(1+i) * ticksPerMicro
	}
	return list, nil
}

// fill puts events into buffers, as a session does: each processor has its own.
func (w *writer) fill(list []logged) (full []*filled, err error) {
	var open [8]*filled // by processor
	for i := range list {
		l := &list[i]
		l.event.Time = *w.trace.StartTicks + l.time
		size, err := l.event.Append(nil)
		if err != nil {
			return nil, err
		}
		b := open[l.processor]
		if b == nil || bufferHeader+len(b.Data)+len(size) > w.trace.BufferSize {
			if b != nil {
				full = append(full, b)
			}
			b = &filled{Buffer: etltest.Buffer{Processor: l.processor}}
			open[l.processor] = b
		}
		k := l.kind
		if l.made == nil {
			k += len(w.kinds)
		}
		b.kinds, b.offsets = append(b.kinds, k), append(b.offsets, len(b.Data))
		if err := b.Add(&l.event); err != nil {
			return nil, err
		}
	}
	for _, b := range open {
		if b != nil {
			full = append(full, b)
		}
	}
	return full, nil
}

// bytes returns the file. It counts the events that are in it, and loses those that a circular file
// overwrites and that the planned damage hits.
func (w *writer) bytes(first, rest []*filled) ([]byte, error) {
	t := &w.trace
	all := slices.Concat(first, rest)
	if w.circular {
		places := len(rest) - len(rest)/4 // in the file, after the first buffers
		t.Wrap = len(rest) - places
		t.StartBuffers = 1 + len(first)
		t.Mode = etltest.ModeCircular | etltest.ModeKBytes
		t.MaximumFileSize = uint32((1 + len(first) + places) * t.BufferSize >> 10)
		t.Logfile = etltest.Fields{"bufferswritten": uint64(1 + len(all))}
		for _, b := range rest[:t.Wrap] {
			w.truth.Overwritten += len(b.kinds)
		}
		rest[t.Wrap].Sequence = int64(1 + len(first) + t.Wrap)
		all = slices.Concat(first, rest[t.Wrap:])
	}
	if w.damage != "" {
		all = w.spoil(all, len(first))
	}
	for _, b := range all {
		t.Buffers = append(t.Buffers, b.Buffer)
		for _, k := range b.kinds {
			w.counts[k]++
		}
	}
	w.counts[len(w.kinds)+windowsHeader]++
	for k, n := range w.counts {
		if n > 0 {
			w.truth.Counts = append(w.truth.Counts, Count{k, n})
			w.truth.Events += n
		}
	}
	return t.Bytes()
}

// spoil damages a buffer behind the first ones, and removes the events that are lost from it.
func (w *writer) spoil(all []*filled, first int) []*filled {
	s := newStream(w.options.Seed, "damaged", w.index)
	size := w.trace.BufferSize
	i := s.between(first, len(all)-2)
	if w.damage == DamageCut {
		i = len(all) - 1
	}
	b := all[i]
	d := &Damage{What: w.damage, Buffer: 1 + i, Offset: (1 + i) * size}
	w.truth.Damage = d
	kept := 0 // events
	switch w.damage {
	case DamageZeros:
		b.Patch = []etltest.Patch{{Bytes: make([]byte, size)}}
	case DamageMissing:
		w.trace.Logfile = etltest.Fields{"bufferswritten": uint64(1 + len(all))}
		all[i+1].Sequence = w.trace.FirstSequence + int64(i+1)
		all = slices.Delete(all, i, i+1)
	case DamageEvent, DamageCut:
		kept = len(b.kinds) / 2
		for b.kinds[kept] >= len(w.kinds) { // the size of an event of Windows is elsewhere
			kept++
		}
		start := bufferHeader + b.offsets[kept]
		d.Offset += start
		if w.damage == DamageEvent {
			b.Patch = []etltest.Patch{{Offset: start, Bytes: make([]byte, 2)}}
		} else {
			d.Offset += 8
			w.trace.Truncate = size - start - 8
		}
	}
	d.Events = len(b.kinds) - kept
	b.kinds = b.kinds[:kept]
	return all
}
