package decode_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/etl2parquet/etl2parquet/decode"
)

// dump returns everything decoded from a file as text, or the error of NewFile.
func dump(file []byte) (string, error) {
	f, err := decode.NewFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return "", err
	}
	d := dumper{file: f, clock: f.Header().Clock()}
	d.header()
	var b decode.Buffer
	for i := range f.Buffers() {
		d.buffer(i, &b)
	}
	faults, more := f.Faults()
	for _, fault := range faults {
		d.line("fault %s: %v", [...]string{"damage", "slack", "missing"}[fault.Kind], fault.Err)
	}
	if more > 0 {
		d.line("and %d more faults", more)
	}
	return d.String(), nil
}

type dumper struct {
	strings.Builder
	file  *decode.File
	clock decode.Clock
}

func (d *dumper) line(format string, args ...any) {
	fmt.Fprintf(d, format, args...)
	d.WriteByte('\n')
}

// filetime writes a FILETIME as a date.
func filetime(t int64) string {
	ns, ok := decode.FiletimeTime(t)
	if !ok {
		return "none"
	}
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}

func (d *dumper) header() {
	h := d.file.Header()
	if h.Kind != decode.FileLog {
		d.line("%s", h.Kind)
	}
	d.line("trace: %d bytes, pointers %d/%d, clock %d at %d, %d Hz, %d MHz, pid %d, tid %d", d.file.Size(),
		h.HeaderPointerSize, h.PointerSize, h.ClockType, h.EventTicks, h.PerfFreq, h.CPUSpeedInMHz, h.ProcessID, h.ThreadID)
	d.line("  Windows %d.%d build %d, version %d.%d, %d processors, timer %d, finalised %t, private %t",
		h.MajorVersion, h.MinorVersion, h.ProviderVersion, h.SubVersion, h.SubMinorVersion,
		h.NumberOfProcessors, h.TimerResolution, h.Finalised(), h.Private())
	d.line("  boot %s, start %s, end %s", filetime(h.BootTime), filetime(h.StartTime), filetime(h.EndTime))
	d.line("  mode %#x, buffers of %#x, %d written, %d kept, at most %d, lost %d events, %d buffers",
		h.LogFileMode, h.BufferSize, h.BuffersWritten, h.StartBuffers, h.MaximumFileSize, h.EventsLost, h.BuffersLost)
	d.line("  names %q, %q", h.LoggerName, h.LogFileName)
	if z := h.TimeZone; z != (decode.TimeZone{}) {
		d.line("  zone %d, %q %+d from %v, %q %+d from %v", z.Bias, z.StandardName, z.StandardBias, z.StandardDate,
			z.DaylightName, z.DaylightBias, z.DaylightDate)
	}
}

func (d *dumper) buffer(i int, b *decode.Buffer) {
	info := d.file.BufferInfo(i)
	h := &info.Header
	damaged := ""
	if info.Damaged {
		damaged = " DAMAGED"
	}
	d.line("buffer %d at %#x, %#x bytes (%#x):%s cpu %d, sequence %d, logger %d, flags %#x, type %d, state %d, time %d, saved %#x, offset %#x",
		i, info.Offset, info.Size, info.UncompressedSize(), damaged, h.Processor, h.SequenceNumber, h.LoggerID,
		h.BufferFlag, h.BufferType, h.State, h.TimeStamp, h.SavedOffset, h.Offset)
	if err := d.file.ReadBuffer(i, b); err != nil {
		d.line("  error: %v", err)
	}
	for {
		var ev decode.Event
		err := b.Next(&ev)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			d.line("  error: %v", err)
			return
		}
		d.event(b, &ev)
	}
}

func (d *dumper) event(b *decode.Buffer, ev *decode.Event) {
	timed := ""
	if !ev.Timed {
		timed = " (of the event before)"
	}
	d.line("  %#x %s, %d bytes, pointers %d, %d ns%s", ev.Offset, ev.Type, len(ev.Raw), ev.PointerSize(), d.clock.UnixNano(ev.Time), timed)
	switch ev.Family {
	case decode.FamilySystem:
		h := ev.System()
		kernel, user, ok := h.Times()
		d.line("    hook %#04x, version %d, pid %d, tid %d, times %d %d %t", h.HookID(), h.Version(), h.ProcessID(), h.ThreadID(), kernel, user, ok)
		d.counters(ev)
	case decode.FamilyPerfInfo:
		h := ev.PerfInfo()
		d.line("    hook %#04x, version %d", h.HookID(), h.Version())
		d.counters(ev)
	case decode.FamilyEventTrace, decode.FamilyInstance:
		h := ev.EventTrace()
		class, level, version := h.Class()
		id, ok := h.GUID()
		d.line("    class %v %t, type %d, level %d, version %d, pid %d, tid %d, times %#x", id, ok, class, level, version, h.ProcessID(), h.ThreadID(), h.Times())
		if ev.Family == decode.FamilyInstance {
			d.line("    %+v", ev.Instance())
		}
	case decode.FamilyEvent:
		h := ev.Header()
		d.line("    provider %v, %+v", h.ProviderID(), h.Descriptor())
		d.line("    flags %#x, property %#x, pid %d, tid %d, times %#x, activity %v", h.Flags(), h.Property(), h.ProcessID(), h.ThreadID(), h.Times(), h.ActivityID())
		for items := h.Items(); items.Next(); {
			d.line("    item %#x: %x (%d bytes)", uint16(items.Type), items.Data, len(items.Raw()))
			if items.Type == decode.ItemProviderTraits {
				traits, err := decode.ParseProviderTraits(items.Data)
				d.line("      %+v %v", traits, err)
			}
		}
	case decode.FamilyMessage:
		d.message(ev.Message())
	}
	if _, err := b.Check(ev); err != nil {
		d.line("    error: %v", err)
	}
	if ev.Family == decode.FamilyOther {
		d.line("    raw %s", shortHex(ev.Raw))
	} else {
		d.line("    payload %s", shortHex(ev.Payload()))
	}
}

func (d *dumper) counters(ev *decode.Event) {
	c := ev.Counters()
	if c.None() {
		return
	}
	if c.HasPEBS {
		d.line("    PEBS %#x", c.PEBSIndex())
	}
	for i := range c.PMC {
		d.line("    PMC %d: %#x", i, c.Counter(i))
	}
}

func (d *dumper) message(h decode.MessageHeader) {
	d.line("    message %d, flags %#x", h.Number(), uint16(h.Flags()))
	if n, ok := h.Sequence(); ok {
		d.line("    sequence %d", n)
	}
	if id, ok := h.GUID(); ok {
		d.line("    guid %v", id)
	}
	if id, ok := h.ComponentID(); ok {
		d.line("    component %d", id)
	}
	if t, qpc, ok := h.Time(); ok {
		d.line("    time %d, QPC %t", t, qpc)
	}
	if pid, ok := h.ProcessID(); ok {
		tid, _ := h.ThreadID()
		d.line("    pid %d, tid %d", pid, tid)
	}
}

// shortHex writes bytes in hex, and only both ends of many bytes.
func shortHex(b []byte) string {
	const most = 64
	if len(b) <= most {
		return fmt.Sprintf("%x", b)
	}
	return fmt.Sprintf("%x...%x (%d bytes)", b[:most/2], b[len(b)-8:], len(b))
}
