package index

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

// noteLosses adds the losses that the trace reports, and those that its numbers imply.
func (x *Index) noteLosses() {
	p := x.Problems
	h := x.File.Header()
	lost := x.Losses()
	if lost.Events > 0 {
		p.Trace(problems.Warning, "events_lost", int64(lost.Events), "TRACE_LOGFILE_HEADER.EventsLost", "%s", lost.Text("events"))
	}
	if lost.Buffers > 0 {
		p.Trace(problems.Warning, "buffers_lost", int64(lost.Buffers), "TRACE_LOGFILE_HEADER.BuffersLost", "%s", lost.Text("buffers"))
	}
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		if lost := info.Header.BufferFlag & (decode.BufferEventsLost | decode.BufferBufferLost); lost != 0 && !info.Damaged {
			p.Add(problems.Problem{Severity: problems.Warning, Code: "buffer_reports_loss", Count: 1, Buffer: int64(i), FileOffset: info.Offset, Position: -1,
				Field: "WMI_BUFFER_HEADER.BufferFlag", Message: fmt.Sprintf("events or buffers were lost before this buffer (%v)", session.BufferFlagNames(uint16(lost)))})
		}
	}
	if overwritten, from, ok := x.Wrapped(); ok {
		field := "TRACE_LOGFILE_HEADER.BuffersWritten"
		if !h.Finalised() {
			field = "WMI_BUFFER_HEADER.SequenceNumber"
		}
		p.Trace(problems.Info, "circular_wrapped", overwritten, field,
			"the circular file was full, and the session overwrote its oldest buffers: from %s on it has all that was kept, before that only buffers of the start", x.instant(from))
	} else if found := int64(x.File.Buffers()); int64(h.BuffersWritten) > found {
		p.Trace(problems.Warning, "buffers_missing", int64(h.BuffersWritten)-found, "TRACE_LOGFILE_HEADER.BuffersWritten", "the session wrote %d buffers, but the file has %d", h.BuffersWritten, found)
	}
	x.noteKind()
	if x.UnlistedEvents > 0 {
		p.Trace(problems.Warning, "event_types_limit", x.UnlistedEvents, "", "only the first %d kinds of event are listed in event_types and providers", x.types.Most)
	}
}

// Text describes which files numbers of lost events or buffers cover.
func (l *Losses) Text(what string) string {
	switch {
	case l.Since != "":
		return fmt.Sprintf("the session lost %s while it wrote this file: since %s, whose number is subtracted", what, l.Since)
	case l.OfSession:
		return fmt.Sprintf("the session lost %s: it counts through all files of its series, so the number covers those before this file, too", what)
	}
	return fmt.Sprintf("the session lost %s while it was recording", what)
}

// noteKind reports what the kind of the file, and the clock, leave unknown.
func (x *Index) noteKind() {
	p, h := x.Problems, x.File.Header()
	if h.Kind == decode.FileRealTimeBackup {
		p.Trace(problems.Info, "real_time_backup", 1, "",
			"the file holds buffers of a real-time session that no consumer had read: it does not describe the session, the system or losses, and start is the moment that its header states")
		if h.ClockType == 0 {
			p.Trace(problems.Warning, "clock_frequency_unknown", 1, "",
				"the file has ticks of a clock without their frequency: times are exact at the moment of its header only, and computed for 10 MHz, that of Windows 10 and later")
		}
		return
	}
	if !h.Finalised() {
		p.Trace(problems.Info, "not_finalised", 1, "TRACE_LOGFILE_HEADER.EndTime", "the session was not stopped: its end time and the numbers of lost events and buffers are unknown")
	}
	if h.ClockType == 0 && h.StartTime == 0 && x.Clock.UnixNano(0) == 0 { // tick 0 as a FILETIME is before 1677
		p.Trace(problems.Warning, "clock_unknown", 1, "TRACE_LOGFILE_HEADER",
			"the file does not state its start and the frequency of its clock: times count from about the start of Windows, for 10 MHz, and are shown as if that was 1970-01-01")
	} else if h.ClockType < decode.ClockQPC || h.ClockType > decode.ClockCPUCycle {
		p.Trace(problems.Warning, "clock_unknown", 1, "TRACE_LOGFILE_HEADER.ReservedFlags", "unknown clock type %d; times may be wrong", uint32(h.ClockType))
	}
}

// noteAttribution reports records and texts beyond the limits of the attribution tables.
func noteAttribution(p *problems.List, t *attribution.Tables) {
	if t.Unlisted > 0 {
		p.Trace(problems.Warning, "attribution_limit", t.Unlisted, "", "records of processes, threads, images or files are ignored beyond the first %d of each kind, those of methods beyond the first %d, and versions of more than %d files", attribution.DefaultLimits.Records, attribution.DefaultLimits.Methods, attribution.DefaultLimits.Files)
	}
	if t.NoText > 0 {
		p.Trace(problems.Warning, "attribution_text_limit", t.NoText, "", "names of processes, threads, images, files or modules are dropped beyond the first %d bytes, those of methods beyond the first %d", attribution.DefaultLimits.Texts, attribution.DefaultLimits.Names)
	}
	if t.Stacks.Beyond() > 0 {
		p.Trace(problems.Warning, "stack_keys_limit", t.Stacks.Beyond(), "", "stack keys, or events whose stacks are in several places, are ignored beyond the first %d or what the memory allows; stacks may be incomplete", attribution.DefaultLimits.Keys)
	}
}
