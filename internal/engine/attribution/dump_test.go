package attribution_test

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/schema"
)

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

// ref prints the key of a process.
func (d *dumper) ref(process int) string {
	ref := d.tables.Ref(process)
	return fmt.Sprintf("%d.%d", uint32(ref>>32), uint32(ref))
}

// entities prints everything that has a life.
func (d *dumper) entities() {
	t := d.tables
	for i := range t.Processes {
		p := &t.Processes[i]
		text := optional("first", d.ms(p.First), true) + optional("parent", p.Parent, p.HasParent)
		if parent := t.Parent(p); parent >= 0 {
			text += fmt.Sprintf(" %s %q", d.ref(parent), t.Processes[parent].Name)
		}
		text += optional("session", p.Session, p.HasSession) + optional("flags", p.Flags, p.HasFlags) +
			optional("exit", p.ExitStatus, p.HasExit) + optional("key", fmt.Sprintf("%#x", p.Key), p.Key != 0) + optional("path", p.Path, p.Path != "") +
			optional("command", p.CommandLine, p.CommandLine != "") + optional("package", p.Package, p.Package != "") +
			optional("application", p.Application, p.Application != "") + optional("sid", fmt.Sprintf("%x", p.SID), p.SID != "")
		is32, known := p.Is32Bit()
		d.line("process %s %q %s%s%s", d.ref(i), p.Name, d.life(&p.Life), text, optional("32 bits", is32, known))
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
	if t.Computer != "" {
		d.line("computer %q", t.Computer)
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
		for range 2 { // the second answer is from the cache
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
