package index

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/attribution"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

// noteLosses adds the losses that the trace reports, and those that its numbers imply.
func (x *Index) noteLosses() {
	p := x.Problems
	h := x.File.Header()
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		if lost := info.Header.BufferFlag & (decode.BufferEventsLost | decode.BufferBufferLost); lost != 0 && !info.Damaged {
			p.Add(facts.Problem{Severity: facts.SeverityWarning, Code: "buffer_reports_loss", Count: 1, Buffer: int64(i), FileOffset: info.Offset, Position: -1,
				Field: "WMI_BUFFER_HEADER.BufferFlag", Message: fmt.Sprintf("events or buffers were lost before this buffer (%v)", session.BufferFlagNames(uint16(lost)))})
		}
	}
	if overwritten, from, ok := x.Wrapped(); ok {
		field := "TRACE_LOGFILE_HEADER.BuffersWritten"
		if !h.Finalised() {
			field = "WMI_BUFFER_HEADER.SequenceNumber"
		}
		p.Trace(facts.SeverityInfo, "circular_wrapped", overwritten, field,
			"the circular file was full, and the session overwrote its oldest buffers: from %s on it has all that was kept, before that only buffers of the start", x.instant(from))
	} else if found := int64(x.File.Buffers()); int64(h.BuffersWritten) > found {
		p.Trace(facts.SeverityWarning, "buffers_missing", int64(h.BuffersWritten)-found, "TRACE_LOGFILE_HEADER.BuffersWritten", "the session wrote %d buffers, but the file has %d", h.BuffersWritten, found)
	}
	x.noteKind()
	if x.UnlistedEvents > 0 {
		p.Trace(facts.SeverityWarning, "event_types_limit", x.UnlistedEvents, "", "only the first %d kinds of event are listed in event_types and providers", x.types.Most)
	}
}

// notePlace adds what the place of the trace among others says. An index in a file lacks it, so that it is valid
// wherever the trace is.
func (x *Index) notePlace() {
	lost := x.Losses()
	for _, p := range lost.Problems() {
		x.Problems.Add(p)
	}
}

// IsLoss reports whether problems with a code are from [Losses.Problems].
func IsLoss(code string) bool {
	return slices.Contains([]string{"events_lost", "buffers_lost", "session_events_lost", "session_buffers_lost"}, code)
}

// Problems returns the warnings about what was lost. Those of the session alone have codes of their own, so that
// the losses of several files can be added.
func (l *Losses) Problems() []facts.Problem {
	var list problems.List
	note := func(what string, own, session uint32) {
		field := "TRACE_LOGFILE_HEADER." + strings.ToUpper(what[:1]) + what[1:] + "Lost"
		switch {
		case !l.Own && session > 0:
			list.Trace(facts.SeverityWarning, "session_"+what+"_lost", int64(session), field, "the session had lost %s by the end of this file: it counts through all its files, and the file before this one is not among the inputs", what)
		case own > 0 && l.Series:
			list.Trace(facts.SeverityWarning, what+"_lost", int64(own), field, "the session lost %s while it wrote this file", what)
		case own > 0:
			list.Trace(facts.SeverityWarning, what+"_lost", int64(own), field, "the session lost %s while it was recording", what)
		}
	}
	note("events", l.Events, l.SessionEvents)
	note("buffers", l.Buffers, l.SessionBuffers)
	return list.All()
}

// noteKind reports what the kind of the file, and the clock, leave unknown.
func (x *Index) noteKind() {
	p, h := x.Problems, x.File.Header()
	if h.Kind == decode.FileRealTimeBackup {
		p.Trace(facts.SeverityInfo, "real_time_backup", 1, "",
			"the file holds buffers of a real-time session that no consumer had read: it does not describe the session, the system or losses, and start is the moment that its header states")
		if h.ClockType == 0 {
			p.Trace(facts.SeverityWarning, "clock_frequency_unknown", 1, "",
				"the file has ticks of a clock without their frequency: times are exact at the moment of its header only, and computed for 10 MHz, that of Windows 10 and later")
		}
		return
	}
	if !h.Finalised() {
		p.Trace(facts.SeverityInfo, "not_finalised", 1, "TRACE_LOGFILE_HEADER.EndTime", "the session was not stopped: its end time and the numbers of lost events and buffers are unknown")
	}
	if h.ClockType == 0 && h.StartTime == 0 && x.Clock.UnixNano(0) == 0 { // tick 0 as a FILETIME is before 1677
		p.Trace(facts.SeverityWarning, "clock_unknown", 1, "TRACE_LOGFILE_HEADER",
			"the file does not state its start and the frequency of its clock: times count from about the start of Windows, for 10 MHz, and are shown as if that was 1970-01-01")
	} else if h.ClockType < decode.ClockQPC || h.ClockType > decode.ClockCPUCycle {
		p.Trace(facts.SeverityWarning, "clock_unknown", 1, "TRACE_LOGFILE_HEADER.ReservedFlags", "unknown clock type %d; times may be wrong", uint32(h.ClockType))
	}
}

// noteAttribution reports records and texts beyond the limits of the attribution tables.
func noteAttribution(p *problems.List, t *attribution.Tables) {
	if t.Unlisted > 0 {
		p.Trace(facts.SeverityWarning, "attribution_limit", t.Unlisted, "", "records of processes, threads, images or files are ignored beyond the first %d of each kind, those of methods beyond the first %d, and versions of more than %d files", attribution.DefaultLimits.Records, attribution.DefaultLimits.Methods, attribution.DefaultLimits.Files)
	}
	if t.NoText > 0 {
		p.Trace(facts.SeverityWarning, "attribution_text_limit", t.NoText, "", "names of processes, threads, images, files or modules are dropped beyond the first %d bytes, those of methods beyond the first %d", attribution.DefaultLimits.Texts, attribution.DefaultLimits.Names)
	}
	if t.Stacks.Beyond() > 0 {
		p.Trace(facts.SeverityWarning, "stack_keys_limit", t.Stacks.Beyond(), "", "stack keys, or events whose stacks are in several places, are ignored beyond the first %d or what the memory allows; stacks may be incomplete", attribution.DefaultLimits.Keys)
	}
}
