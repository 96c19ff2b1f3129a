package export

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// firefoxTables are the tables of a thread.
type firefoxTables struct {
	texts     table[string]
	functions table[int32] // frames, by their numbers in the profile
	resources table[int32] // modules, by their numbers in the libs
	stacks    table[int32] // by their numbers in the profile
	markers   []firefoxMarker
}

// firefoxMarker is a marker without its details.
type firefoxMarker struct {
	from, to int64
	category int
	name     int32
}

// thread writes a thread.
func (f *firefoxFile) thread(t *firefoxThread, main map[int32]bool) error {
	j, tables := f.j, new(firefoxTables)
	thread := &f.profile.threads.list[t.key]
	process := &f.processes.list[thread.process]
	j.raw("\n", `{"name":`)
	j.text(strings.TrimSuffix(process.short()+" "+cmp.Or(f.names[t.key], thread.label()), " "))
	j.raw(`,"isMainThread":`)
	if main[thread.process] {
		j.raw("false")
	} else {
		main[thread.process] = true
		j.raw("true")
	}
	j.raw(`,"pid":`)
	j.text(idText(process.id) + machineMark(process.machine))
	j.raw(`,"tid":`)
	j.int(thread.id)
	j.raw(`,"processName":`)
	j.text(process.label())
	j.raw(`,"processType":"default","processStartupTime":0,"processShutdownTime":null,"registerTime":0,"unregisterTime":null,"pausedRanges":[]`)
	if err := f.samplesOf(t, tables); err != nil {
		return err
	}
	if err := f.markersOf(t, tables); err != nil {
		return err
	}
	f.tablesOf(tables)
	j.raw("}")
	return nil
}

// machineMark tells ids of different machines apart: those of the first one are as they are.
func machineMark(machine int32) string {
	if machine == 0 {
		return ""
	}
	return "." + idText(int64(machine))
}

// samplesOf writes the samples of a thread, and adds their stacks to its tables.
func (f *firefoxFile) samplesOf(t *firefoxThread, tables *firefoxTables) error {
	each := func(do func(r sampleRecord)) error {
		return f.samples.each(t.key, func(record []byte) error {
			do(readSample(record))
			return nil
		})
	}
	if t.unsorted { // the thread has events in several traces
		var all []sampleRecord
		if err := each(func(r sampleRecord) { all = append(all, r) }); err != nil {
			return err
		}
		slices.SortStableFunc(all, func(a, b sampleRecord) int { return cmp.Compare(a.time, b.time) })
		each = func(do func(r sampleRecord)) error {
			for _, r := range all {
				do(r)
			}
			return nil
		}
	}
	column := func(name string, value func(r sampleRecord)) error {
		f.j.raw(`,"`, name, `":[`)
		comma := ""
		err := each(func(r sampleRecord) {
			f.j.raw(comma)
			comma = ","
			value(r)
		})
		f.j.raw("]")
		return err
	}
	f.j.raw(`,"samples":{"length":`)
	f.j.int(t.events)
	err := column("stack", func(r sampleRecord) { f.j.intOrNull(int64(f.stackIn(tables, r.stack))) })
	err = cmp.Or(err, column("time", func(r sampleRecord) { f.j.millis(r.time - f.first) }))
	switch f.kind.name {
	case Waits:
		err = cmp.Or(err, column("weight", func(r sampleRecord) { f.j.millis(r.weight) }))
		f.j.raw(`,"weightType":"tracing-ms"}`)
	case Allocations:
		err = cmp.Or(err, column("weight", func(r sampleRecord) { f.j.int(r.weight) }))
		f.j.raw(`,"weightType":"bytes"}`)
	default:
		if f.kind.name == Samples && f.timed { // the thread ran for an interval before each
			err = cmp.Or(err, column("threadCPUDelta", func(r sampleRecord) { f.j.int(r.weight) }))
		}
		f.j.raw(`,"weight":null,"weightType":"samples"}`)
	}
	return err
}

// stackIn returns the index of a stack in the tables of a thread, and adds its callers before it; -1
// for a stack without frames.
func (f *firefoxFile) stackIn(t *firefoxTables, stack int32) int32 {
	if id, ok := t.stacks.ids[stack]; ok {
		return id
	}
	var missing []int32
	for ; stack != noStack; stack = f.nodes.list[stack].caller {
		if _, ok := t.stacks.ids[stack]; ok {
			break
		}
		missing = append(missing, stack)
	}
	id := int32(-1)
	for _, s := range slices.Backward(missing) {
		id, _ = t.stacks.id(s, nil)
		t.functions.id(f.nodes.list[s].frame, nil)
	}
	return id
}

// markersOf writes the markers of a thread.
func (f *firefoxFile) markersOf(t *firefoxThread, tables *firefoxTables) error {
	var data []string
	err := f.markers.each(t.key, func(record []byte) error {
		s := readSpan(record)
		name, _ := tables.texts.id(s.name, nil)
		tables.markers = append(tables.markers, firefoxMarker{s.from, s.to, int(s.category), name})
		var parts []string
		for _, a := range s.args {
			parts = append(parts, a.name+": "+a.value)
		}
		data = append(data, strings.Join(parts, ", "))
		return nil
	})
	if err != nil {
		return err
	}
	j, m := f.j, tables.markers
	j.raw(`,"markers":{"length":`)
	j.int(int64(len(m)))
	j.raw(`,"category":`)
	j.list(len(m), func(i int) { j.int(int64(firefoxMarkers + m[i].category)) })
	j.raw(`,"startTime":`)
	j.list(len(m), func(i int) { j.millis(m[i].from - f.first) })
	j.raw(`,"endTime":`)
	j.list(len(m), func(i int) {
		if m[i].from == m[i].to {
			j.raw("null")
			return
		}
		j.millis(m[i].to - f.first)
	})
	j.raw(`,"phase":`)
	j.list(len(m), func(i int) {
		const instant, interval = 0, 1
		if m[i].from == m[i].to {
			j.int(instant)
			return
		}
		j.int(interval)
	})
	j.raw(`,"name":`)
	j.list(len(m), func(i int) { j.int(int64(m[i].name)) })
	j.raw(`,"data":`)
	j.list(len(m), func(i int) {
		j.raw(`{"type":"`, markerType(m[i].category), `","details":`)
		j.text(data[i])
		j.raw("}")
	})
	j.raw("}")
	return nil
}

// tablesOf writes the tables of a thread.
func (f *firefoxFile) tablesOf(t *firefoxTables) {
	j := f.j
	frames, stacks := t.functions.list, t.stacks.list
	frameOf := func(stack int32) int32 {
		id, _ := t.functions.id(f.nodes.list[stack].frame, nil)
		return id
	}
	j.raw(`,"stackTable":{"length":`)
	j.int(int64(len(stacks)))
	j.raw(`,"prefix":`)
	j.list(len(stacks), func(i int) { j.intOrNull(int64(f.stackIn(t, f.nodes.list[stacks[i]].caller))) })
	j.raw(`,"frame":`)
	j.list(len(stacks), func(i int) { j.int(int64(frameOf(stacks[i]))) })
	j.raw(`,"category":`)
	j.list(len(stacks), func(i int) { j.int(f.categoryOf(f.nodes.list[stacks[i]].frame)) })
	j.raw(`,"subcategory":`)
	j.list(len(stacks), func(int) { j.raw("0") })

	same := func(name, value string) {
		j.raw(`,"`, name, `":`)
		j.list(len(frames), func(int) { j.raw(value) })
	}
	j.raw(`},"frameTable":{"length":`)
	j.int(int64(len(frames)))
	j.raw(`,"func":`)
	j.list(len(frames), func(i int) { j.int(int64(i)) })
	j.raw(`,"category":`)
	j.list(len(frames), func(i int) { j.int(f.categoryOf(frames[i])) })
	same("address", "-1")
	for _, name := range []string{"subcategory", "inlineDepth"} {
		same(name, "0")
	}
	for _, name := range []string{"nativeSymbol", "innerWindowID", "implementation", "line", "column"} {
		same(name, "null")
	}
	j.raw(`},"funcTable":{"length":`)
	j.int(int64(len(frames)))
	j.raw(`,"name":`)
	j.list(len(frames), func(i int) { j.int(int64(t.text(f.frames.list[frames[i]].name()))) })
	j.raw(`,"resource":`)
	j.list(len(frames), func(i int) { j.int(int64(f.resource(t, f.frames.list[frames[i]].module))) })
	for _, name := range []string{"isJS", "relevantForJS"} {
		same(name, "false")
	}
	for _, name := range []string{"fileName", "lineNumber", "columnNumber"} {
		same(name, "null")
	}
	resources := t.resources.list
	names := make([]int32, len(resources))
	for i := range resources {
		names[i] = t.text(f.modules.list[resources[i]])
	}
	j.raw(`},"resourceTable":{"length":`)
	j.int(int64(len(resources)))
	j.raw(`,"lib":`)
	j.list(len(resources), func(i int) { j.int(int64(resources[i])) })
	j.raw(`,"name":`)
	j.list(len(resources), func(i int) { j.int(int64(names[i])) })
	j.raw(`,"host":`)
	j.list(len(resources), func(int) { j.raw("null") })
	j.raw(`,"type":`)
	j.list(len(resources), func(int) { j.raw("1") }) // a library
	j.raw(`},"nativeSymbols":{"length":0,"libIndex":[],"address":[],"name":[],"functionSize":[]},"stringArray":`)
	j.list(len(t.texts.list), func(i int) { j.text(t.texts.list[i]) })
}

// text returns the index of a text in the tables.
func (t *firefoxTables) text(s string) int32 {
	id, _ := t.texts.id(s, nil)
	return id
}

// resource returns the index of a module in the tables of a thread, or -1 for none.
func (f *firefoxFile) resource(t *firefoxTables, module string) int32 {
	if module == "" {
		return -1
	}
	lib, _ := f.modules.id(module, nil)
	id, _ := t.resources.id(lib, nil)
	return id
}

// categoryOf returns the category of a frame.
func (f *firefoxFile) categoryOf(frame int32) int64 {
	switch known := &f.frames.list[frame]; {
	case known.kernel:
		return firefoxKernel
	case known.module == "":
		return firefoxOther
	}
	return firefoxUser
}

// append adds the span as a record.
func (s *span) append(dst []byte) []byte {
	dst = binary.AppendVarint(binary.AppendVarint(dst, s.from), s.to)
	dst = appendText(binary.AppendUvarint(dst, uint64(s.category)), s.name)
	for _, a := range s.args {
		dst = appendText(appendText(dst, a.name), a.value)
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// readSpan reads a span from a record, without its thread.
func readSpan(record []byte) (s span) {
	number := func(v int64, n int) int64 {
		record = record[n:]
		return v
	}
	text := func() string {
		size, n := binary.Uvarint(record)
		s := string(record[n : n+int(size)])
		record = record[n+int(size):]
		return s
	}
	s.from = number(binary.Varint(record))
	s.to = number(binary.Varint(record))
	n64, n := binary.Uvarint(record)
	record = record[n:]
	s.category, s.name = category(n64), text()
	for len(record) > 0 {
		name := text()
		s.args = append(s.args, arg{name, text()})
	}
	return s
}
