package attribution_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/snapshot"
	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	siblingMark = "-- sibling --\n"
	traceMark   = "-- trace --\n"
	expectMark  = "-- expect --\n"
)

// archive is a txtar: a comment, perhaps a sibling, a trace, and what is expected of them.
type archive struct{ comment, sibling, trace, expect string }

func readArchive(t testing.TB, path string) (a archive) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), traceMark)
	if !ok {
		t.Fatalf("%s has no trace", path)
	}
	a.trace, a.expect, _ = strings.Cut(rest, expectMark)
	a.comment, a.sibling, _ = strings.Cut(head, siblingMark)
	return a
}

// testTrace is a trace in memory.
type testTrace struct {
	file  *decode.File
	start decode.Ticks
}

func openTrace(t testing.TB, text string) *testTrace {
	t.Helper()
	data := etltest.MustParse(t, text)
	f, err := decode.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return &testTrace{f, f.Header().EventTicks}
}

// each calls do for each event.
func (t *testTrace) each(begin func(buffer int), do func(b *decode.Buffer, ev *decode.Event, ref int64)) {
	var b decode.Buffer
	for i := range t.file.Buffers() {
		if t.file.ReadBuffer(i, &b) != nil {
			continue
		}
		begin(i)
		for ev := (decode.Event{}); b.Next(&ev) == nil; {
			do(&b, &ev, int64(i)<<32|int64(ev.Offset))
		}
	}
}

// kindOf returns the family, the provider or class, and the id or hook of an event.
func kindOf(ev *decode.Event) (provider schema.GUID, id uint32, version uint8) {
	switch ev.Family {
	case decode.FamilySystem:
		return provider, uint32(ev.HookID()), ev.System().Version()
	case decode.FamilyPerfInfo:
		return provider, uint32(ev.HookID()), ev.PerfInfo().Version()
	case decode.FamilyEventTrace:
		h := ev.EventTrace()
		provider, _ = h.GUID()
		kind, _, classVersion := h.Class()
		return provider, uint32(kind), uint8(classVersion)
	case decode.FamilyEvent:
		d := ev.Header().Descriptor()
		return ev.Header().ProviderID(), uint32(d.ID), d.Version
	}
	return provider, 0, 0
}

// reading is how the records of a trace are made. No way makes a difference.
type reading struct {
	each   bool // records for each buffer
	share  bool // what was read before is remembered
	always bool // events are given to the records without asking whether those read them
}

// read gives the events of a trace to records, and adds those to a builder.
func (t *testTrace) read(b *attribution.Builder, how reading, without attribution.Facts, sibling bool) {
	var known attribution.Known
	var records *attribution.Records
	flush := func() {
		if records != nil {
			b.Add(records)
		}
		records = nil
	}
	t.each(func(buffer int) {
		if how.each {
			flush()
		}
		if records == nil {
			records = &attribution.Records{Without: without}
			if how.share {
				records.Share(&known)
			}
			if sibling {
				records.OfSibling()
			}
		}
		records.Begin(buffer)
	}, func(_ *decode.Buffer, ev *decode.Event, ref int64) {
		records.See(ev)
		provider, id, version := kindOf(ev)
		if ev.Family == decode.FamilyEvent {
			for items := ev.Header().Items(); items.Next(); {
				records.Item(ev, items.Type, items.Data, ref)
			}
		}
		if !how.always && !records.Reads(ev.Family, provider, id) {
			return
		}
		switch ev.Family {
		case decode.FamilySystem, decode.FamilyPerfInfo:
			records.Hook(ev, uint16(id), version)
		case decode.FamilyEventTrace:
			records.Class(ev, provider, uint8(id), version)
		case decode.FamilyEvent:
			records.Manifest(ev, ev.Header())
			records.Walk(ev, ref)
		}
	})
	flush()
}

// nearTicks is a millisecond.
const nearTicks = 10_000

// tables returns the tables of a trace, whose sibling may be nil.
func (t *testTrace) tables(sibling *testTrace, limits attribution.Limits, how reading, without attribution.Facts, workers int) *attribution.Tables {
	b := attribution.NewBuilder(limits, nil)
	if sibling != nil {
		b.Sibling(nearTicks)
		sibling.read(b, how, without, true)
	}
	b.Own()
	t.read(b, how, without, false)
	return b.Build(workers)
}

// dumper prints tables, with times in milliseconds since the start of the trace.
type dumper struct {
	strings.Builder
	start  decode.Ticks
	tables *attribution.Tables
}

func (d *dumper) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func (d *dumper) ms(t decode.Ticks) string {
	switch t {
	case decode.MinTicks, decode.MaxTicks:
		return ""
	}
	return fmt.Sprintf("%g", float64(t-d.start)/1e4)
}

func (d *dumper) life(l *attribution.Life) string {
	flags := ""
	if l.Started {
		flags += " started"
	}
	if l.Ended {
		flags += " ended"
	}
	return fmt.Sprintf("%s..%s%s by %s", d.ms(l.From), d.ms(l.To), flags, strings.Join(l.Sources.Names(), ","))
}

// optional prints a number if it is known.
func optional(name string, v any, known bool) string {
	if !known {
		return ""
	}
	return fmt.Sprintf(" %s %v", name, v)
}

// entities prints all that has a life.
func (d *dumper) entities() {
	t := d.tables
	for i := range t.Processes {
		p := &t.Processes[i]
		text := optional("parent", p.Parent, p.HasParent) + optional("session", p.Session, p.HasSession) + optional("flags", p.Flags, p.HasFlags) +
			optional("exit", p.ExitStatus, p.HasExit) + optional("key", fmt.Sprintf("%#x", p.Key), p.Key != 0) + optional("path", p.Path, p.Path != "") +
			optional("command", p.CommandLine, p.CommandLine != "") + optional("package", p.Package, p.Package != "") +
			optional("application", p.Application, p.Application != "") + optional("sid", fmt.Sprintf("%x", p.SID), p.SID != "")
		is32, known := p.Is32Bit()
		d.line("process %d %q %s%s%s", p.ID, p.Name, d.life(&p.Life), text, optional("32 bits", is32, known))
	}
	for i := range t.Threads {
		v := &t.Threads[i]
		d.line("thread %d of %d %s%s%s%s%s", v.ID, v.Process, d.life(&v.Life), optional("start", fmt.Sprintf("%#x", v.Start), v.Start != 0),
			optional("system start", fmt.Sprintf("%#x", v.SystemStart), v.SystemStart != 0), optional("priority", v.BasePriority, v.HasPriority), optional("name", t.ThreadName(v), t.ThreadName(v) != ""))
	}
	for _, p := range t.Pairs {
		d.line("pair %d of %d %s..%s", p.Thread, p.Process, d.ms(p.From), d.ms(p.To))
	}
	for i := range t.Images {
		m := &t.Images[i]
		text := ""
		if m.Debug >= 0 {
			text = fmt.Sprintf(" debug %+v", t.Debug[m.Debug])
		}
		if m.Version >= 0 {
			text += fmt.Sprintf(" version %+v", t.Versions[m.Version])
		}
		d.line("image %d %#x+%#x %s %q checksum %#x stamp %#x%s", m.Process, m.Base, m.Size, d.life(&m.Life), m.Path, m.Checksum, m.TimeStamp, text)
		d.line("\tpath %q", t.DOSPath(t.ImagePath(m.Process, m.Base, m.From, "")))
	}
	for i := range t.Files {
		f := &t.Files[i]
		d.line("file %#x %s %q first %s last %s", f.Object, d.life(&f.Life), f.Path, d.ms(f.First), d.ms(f.Last))
	}
	for i := range t.Modules {
		m := &t.Modules[i]
		d.line("module %d %#x %s %q %q %q", m.Process, m.ID, d.life(&m.Life), m.File, m.Path, m.NativePath)
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		id, known := t.ReJIT(m)
		d.line("method %d %#x+%#x %s %q %s %s flags %q tier %q id %#x%s%s module %q", m.Process, m.Address, m.Size, d.life(&m.Life), t.FullName(m), t.Kind(m), m.Runtime,
			m.FlagNames(), m.Tier(), m.ID, optional("instance", m.Instance, m.HasInstance), optional("rejit", id, known), t.ModuleFile(m))
	}
	for _, v := range t.Volumes {
		d.line("volume %q is %q", v.Device, v.DOS)
	}
	if t.Windows != "" {
		d.line("windows %q", t.Windows)
	}
	d.line("%d unlisted, %d without text, %d events with stacks, any %t, %d without room", t.Unlisted, t.NoText, t.Stacks.Items, t.Stacks.Any(), t.Stacks.Beyond())
}

// idText prints an id, which may be unknown.
func idText(id uint32) string {
	if id == attribution.NoID {
		return "?"
	}
	return fmt.Sprint(id)
}

// events prints the owner of each event, with the image of its address and its stack.
func (d *dumper) events(trace *testTrace) {
	t, resolver := d.tables, d.tables.Resolver()
	running := attribution.NoThread
	starts := runningAtStart(trace)
	var finder attribution.WalkFinder
	trace.each(func(buffer int) {
		running = starts[buffer]
		finder.Begin()
		d.line("buffer %d, running %s", buffer, idText(running))
	}, func(b *decode.Buffer, ev *decode.Event, ref int64) {
		provider, id, version := kindOf(ev)
		name := fmt.Sprintf("event %d", id)
		var literal *schema.Event
		isHook := ev.Family == decode.FamilySystem || ev.Family == decode.FamilyPerfInfo
		switch {
		case isHook:
			name = fmt.Sprintf("hook %#04x", id)
			found, _ := schema.KernelCatalog().Hook(uint16(id), version)
			literal = found.Event
		case ev.Family == decode.FamilyEventTrace:
			found, _ := schema.KernelCatalog().Type(provider, uint8(id), version)
			literal = found.Event
		}
		var o, again attribution.Owner
		resolver.Owner(ev, literal, version, running, &o)
		if resolver.Owner(ev, literal, version, running, &again); o != again {
			d.line("the second answer is %+v", again)
		}
		text := fmt.Sprintf("  %s %s: %s %s %s", d.ms(ev.Time), name, idText(o.Process), idText(o.Thread), o.Source)
		if o.HeaderProcess != attribution.NoID || o.HeaderThread != attribution.NoID {
			text += fmt.Sprintf(" header %s %s", idText(o.HeaderProcess), idText(o.HeaderThread))
		}
		for range 2 { // the second answer is remembered
			if i := resolver.Process(o.Process, ev.Time); i >= 0 && !strings.Contains(text, " in ") {
				text += " in " + t.Processes[i].Name
			}
		}
		d.line("%s", text)
		if isHook {
			d.hook(ev, uint16(id), o.Process, resolver)
			if attribution.IsSwitch(uint16(id)) {
				_, running = attribution.SwitchedTo(ev)
			}
		}
		if ev.Family != decode.FamilyEvent {
			return
		}
		for items := ev.Header().Items(); items.Next(); {
			if p, match, ok := attribution.ParseStackItem(ev, items.Type, items.Data); ok {
				first, found := t.Stacks.First(match)
				d.part(&p, fmt.Sprintf("item of %d, first %t %s %#x", match, found, d.ms(first.Time), first.Ref))
			}
		}
		var walk attribution.Walk
		if finder.Find(ev, ref, &walk) {
			owner := t.Stacks.Resolve(&walk, int(ref>>32))
			d.part(&walk.StackPart, fmt.Sprintf("walk of %#x", uint64(owner)))
		}
	})
}

// hook prints the stack in a kernel event, or the image and method of its address.
func (d *dumper) hook(ev *decode.Event, hook uint16, process uint32, resolver *attribution.Resolver) {
	t := d.tables
	if p, ok := attribution.ParseStack(ev, hook); attribution.IsStack(hook) && ok {
		d.part(&p, fmt.Sprintf("kernel %t", attribution.IsKernelStack(hook)))
	}
	const sample = 0x0f2e
	if hook != sample || len(ev.Payload()) < 8 {
		return
	}
	var address uint64
	for i, b := range ev.Payload()[:8] {
		address |= uint64(b) << (8 * i)
	}
	for range 2 {
		if i := resolver.Image(process, address, ev.Time, ev.PointerSize()); i >= 0 {
			d.line("    in the image at %#x: %q", t.Images[i].Base, t.Images[i].Path)
		}
		if i := resolver.Method(process, address, ev.Time); i >= 0 {
			d.line("    in the method %q", t.FullName(&t.Methods[i]))
		}
	}
}

// part prints a part of a stack.
func (d *dumper) part(p *attribution.StackPart, what string) {
	frames, ok, err := attribution.AppendFrames(nil, p.Frames, p.PointerSize), true, error(nil)
	if p.HasKey {
		frames, ok, err = d.tables.Stacks.Frames(p.Key, p.Event, nil)
		what += fmt.Sprintf(", key %#x known %t", p.Key, ok)
	}
	d.line("    %s: event %s of %s %s, frames %x, in buffers %d, error %v", what, d.ms(p.Event), idText(p.Process), idText(p.Thread), frames,
		d.tables.Stacks.Buffers(p.Event, p.Event, nil), err)
}

// runningAtStart returns the threads that run at the start of buffers.
func runningAtStart(trace *testTrace) []uint32 {
	buffers := make([]attribution.ProcessorBuffer, trace.file.Buffers())
	at := 0
	trace.each(func(buffer int) { at = buffer; buffers[at].First = decode.MaxTicks }, func(b *decode.Buffer, ev *decode.Event, _ int64) {
		buffers[at].Processor = b.Header.Processor
		buffers[at].First = min(buffers[at].First, ev.Time)
		if ev.Family == decode.FamilyPerfInfo && attribution.IsSwitch(ev.HookID()) {
			buffers[at].Switches.Add(ev)
		}
	})
	return attribution.RunningAtStart(buffers, false)
}

// dump prints the tables of a trace and its events.
func dump(trace *testTrace, tables *attribution.Tables) string {
	d := &dumper{start: trace.start, tables: tables}
	d.entities()
	d.events(trace)
	d.references()
	return d.String()
}

// references prints the buffers that may have stacks of events of each millisecond.
func (d *dumper) references() {
	last, from := "[]", 0
	for ms := range 400 {
		at := d.start + decode.Ticks(ms)*nearTicks
		now := fmt.Sprint(d.tables.Stacks.Buffers(at, at, nil))
		if now == last {
			continue
		}
		if last != "[]" {
			d.line("stacks of %d..%d in %s", from, ms-1, last)
		}
		last, from = now, ms
	}
}

// TestTraces has what tables say of small traces: those of this folder and, as golden files
// alone, those of package rows. How the records were made makes no difference.
func TestTraces(t *testing.T) {
	own, err := filepath.Glob("testdata/traces/*.txtar")
	if err != nil || len(own) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	others, err := filepath.Glob("../rows/testdata/attribution/*.txtar")
	if err != nil || len(others) == 0 {
		t.Fatalf("no traces of package rows: %v", err)
	}
	for _, name := range []string{"image", "imageid", "process", "process_pointer_size", "thread", "sysconfig", "fileio"} {
		others = append(others, "../rows/testdata/kernel/"+name+".txtar")
	}
	for _, path := range slices.Concat(own, others) {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if name == "processors" {
			continue // it has 300 processors, and nothing else
		}
		t.Run(name, func(t *testing.T) {
			a := readArchive(t, path)
			trace := openTrace(t, a.trace)
			var sibling *testTrace
			if a.sibling != "" {
				sibling = openTrace(t, a.sibling)
			}
			tables := trace.tables(sibling, attribution.DefaultLimits, reading{}, 0, 1)
			got := dump(trace, tables)
			compare(t, path, slices.Contains(own, path), &a, got)
			for _, how := range []reading{{each: true}, {share: true}, {each: true, share: true}, {always: true}} {
				again := dump(trace, trace.tables(sibling, attribution.DefaultLimits, how, 0, 3))
				if diff := gocmp.Diff(strings.Split(got, "\n"), strings.Split(again, "\n")); diff != "" {
					t.Errorf("%+v: -want +got:\n%s", how, diff)
				}
			}
			checkSnapshot(t, trace, tables, got)
		})
	}
}

// compare compares a dump with what is expected: in the archive itself or, of an archive of
// another package, in a file of its own.
func compare(t *testing.T, path string, own bool, a *archive, got string) {
	t.Helper()
	want, head := a.expect, ""
	if own {
		head = a.comment
		if a.sibling != "" {
			head += siblingMark + a.sibling
		}
		head += traceMark + a.trace + expectMark
	} else {
		path = "testdata/rows/" + strings.TrimSuffix(filepath.Base(path), ".txtar") + ".golden"
		text, err := os.ReadFile(path)
		if err != nil && !*decodetest.Update {
			t.Fatal(err)
		}
		want = string(text)
	}
	if want == got {
		return
	}
	if !*decodetest.Update {
		t.Fatalf("-want +got, or use -update:\n%s", gocmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
	}
	if err := os.WriteFile(path, []byte(head+got), 0o666); err != nil {
		t.Fatal(err)
	}
}

// checkSnapshot checks that tables are the same after they were written and read, and that a
// snapshot of a trace with fewer buffers is refused.
func checkSnapshot(t *testing.T, trace *testTrace, tables *attribution.Tables, want string) {
	t.Helper()
	s, err := tables.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := reread(t, s).Restore(attribution.DefaultLimits.Frames, trace.file.Buffers(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(want, "\n"), strings.Split(dump(trace, restored), "\n")); diff != "" {
		t.Errorf("restored: -want +got:\n%s", diff)
	}
	if strings.Contains(want, ", in buffers [") && strings.Contains(want, " in buffers [1") {
		if _, err := reread(t, s).Restore(attribution.DefaultLimits.Frames, 1, nil); err == nil {
			t.Error("a snapshot with a buffer beyond the trace is accepted")
		}
	}
}

// reread writes a snapshot and reads it.
func reread(t *testing.T, s *attribution.Snapshot) *attribution.Snapshot {
	t.Helper()
	again, err := snapshot.Read[attribution.Snapshot](snapshot.Append(nil, s))
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestFacts counts what is in the tables if facts are left out.
func TestFacts(t *testing.T) {
	trace := openTrace(t, readArchive(t, "testdata/traces/facts.txtar").trace)
	for _, test := range []struct {
		without attribution.Facts
		want    string
	}{
		{0, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.OwnerFacts, "processes 0 threads 0 pairs 0 images 1 debug 1 versions 1 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.ImageFacts, "processes 1 threads 1 pairs 1 images 0 debug 0 versions 1 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.VersionFacts, "processes 1 threads 1 pairs 1 images 1 debug 0 versions 0 files 2 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.FileFacts, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 0 methods 3 modules 1 volumes 1 refs [1 2] stacks true"},
		{attribution.MethodFacts, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 2 methods 0 modules 0 volumes 1 refs [1 2] stacks true"},
		{attribution.StackFacts, "processes 1 threads 1 pairs 1 images 1 debug 1 versions 1 files 2 methods 3 modules 1 volumes 1 refs [] stacks true"},
		{attribution.AllFacts, "processes 0 threads 0 pairs 0 images 0 debug 0 versions 0 files 0 methods 0 modules 0 volumes 1 refs [] stacks true"},
	} {
		tables := trace.tables(nil, attribution.DefaultLimits, reading{}, test.without, 1)
		got := fmt.Sprintf("processes %d threads %d pairs %d images %d debug %d versions %d files %d methods %d modules %d volumes %d refs %d stacks %t", len(tables.Processes), len(tables.Threads), len(tables.Pairs),
			len(tables.Images), len(tables.Debug), len(tables.Versions), len(tables.Files), len(tables.Methods), len(tables.Modules), len(tables.Volumes),
			tables.Stacks.Buffers(decode.MinTicks, decode.MaxTicks, nil), tables.Stacks.Any())
		if got != test.want {
			t.Errorf("without %#b: %s, want %s", test.without, got, test.want)
		}
		always := trace.tables(nil, attribution.DefaultLimits, reading{always: true, each: true}, test.without, 1)
		if a, b := dump(trace, tables), dump(trace, always); a != b {
			t.Errorf("without %#b, where all events are given: -want +got:\n%s", test.without, gocmp.Diff(strings.Split(a, "\n"), strings.Split(b, "\n")))
		}
	}
}

// TestLimits has what is left of traces with limits.
func TestLimits(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"processes", "threads", "images", "files", "methods", "stacks", "clr-walks-steps", "manifest-events", "manifest-sibling"} {
		a := readArchive(t, "testdata/traces/"+name+".txtar")
		trace := openTrace(t, a.trace)
		var sibling *testTrace
		if a.sibling != "" {
			sibling = openTrace(t, a.sibling)
		}
		for _, limits := range []attribution.Limits{
			{}, {Records: 1}, {Records: 3, Keys: 1, Frames: 1 << 10, Texts: 40}, {Records: 6, Files: 1, Keys: 3, Frames: 6, Texts: 150}, {Records: 9, Methods: 4, Keys: 9, Frames: 1 << 10, Texts: 400},
		} {
			tables := trace.tables(sibling, limits, reading{}, 0, 1)
			d := &dumper{start: trace.start, tables: tables}
			d.entities()
			lines := strings.Split(strings.TrimSuffix(d.String(), "\n"), "\n")
			kinds := make(map[string]int)
			for _, line := range lines[:len(lines)-1] {
				kind, _, _ := strings.Cut(line, " ")
				kinds[strings.TrimSpace(kind)]++
			}
			text := dump(trace, tables)
			walks := strings.Count(text, "walk of ") - strings.Count(text, "walk of 0xffffffffffffffff")
			fmt.Fprintf(&b, "%s %+v: %v; versions %d, debug %d, walks with an event %d; %s\n", name, limits, kinds, len(tables.Versions), len(tables.Debug), walks, lines[len(lines)-1])
			for _, how := range []reading{{each: true}, {share: true}} {
				if got := dump(trace, trace.tables(sibling, limits, how, 0, 2)); got != text {
					t.Errorf("%s, %+v, %+v: the result differs", name, limits, how)
				}
			}
		}
	}
	compare(t, "limits.txtar", false, new(archive), b.String())
}

// TestRunningAtStart has the context switches of buffers, and the threads that run at their starts.
func TestRunningAtStart(t *testing.T) {
	const none = attribution.NoThread
	at := func(processor uint16, first, last decode.Ticks, old, now uint32) attribution.ProcessorBuffer {
		return attribution.ProcessorBuffer{Processor: processor, First: first, Switches: attribution.Switches{Any: true, Old: old, New: now, Last: last}}
	}
	quiet := func(processor uint16, first decode.Ticks) attribution.ProcessorBuffer {
		return attribution.ProcessorBuffer{Processor: processor, First: first}
	}
	for _, test := range []struct {
		name           string
		buffers        []attribution.ProcessorBuffer
		lossy, perfect []uint32 // without losses that are known
	}{
		{"nothing", nil, []uint32{}, []uint32{}},
		{"one after another", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 21, 30, 2, 3), at(0, 31, 40, 3, 4)}, []uint32{none, 2, 3}, []uint32{none, 2, 3}},
		{"a switch is missing", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 21, 30, 9, 3), at(0, 31, 40, 3, 4)}, []uint32{none, none, 3}, []uint32{none, none, 3}},
		{"between switches, and behind the last", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), quiet(0, 21), at(0, 25, 30, 2, 3), quiet(0, 31), quiet(0, 32)}, []uint32{none, 2, 2, none, none}, []uint32{none, 2, 2, 3, 3}},
		{"before any switch", []attribution.ProcessorBuffer{quiet(0, 1), at(0, 10, 20, 1, 2)}, []uint32{none, none}, []uint32{none, none}},
		{"processors side by side, out of order", []attribution.ProcessorBuffer{at(1, 21, 30, 5, 6), at(0, 21, 30, 2, 3), at(1, 10, 20, 4, 5), at(0, 10, 20, 1, 2)}, []uint32{5, 2, none, none}, []uint32{5, 2, none, none}},
		{"a buffer that begins before the last switch of the one before", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 15, 30, 2, 3), at(0, 20, 25, 3, 4)}, []uint32{none, none, none}, []uint32{none, none, none}},
		{"a buffer that begins with the last switch", []attribution.ProcessorBuffer{at(0, 10, 20, 1, 2), at(0, 20, 30, 2, 3)}, []uint32{none, 2}, []uint32{none, 2}},
	} {
		for lossless, want := range map[bool][]uint32{false: test.lossy, true: test.perfect} {
			if got := attribution.RunningAtStart(test.buffers, lossless); !slices.Equal(got, want) {
				t.Errorf("%s, lossless %t: %d, want %d", test.name, lossless, got, want)
			}
		}
	}
}
