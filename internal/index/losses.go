package index

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/attribution"
	"github.com/etl2parquet/etl2parquet/internal/catalog"
	"github.com/etl2parquet/etl2parquet/internal/problems"
)

// noteLosses adds what the trace says was lost, and what its numbers imply.
func (x *Index) noteLosses() {
	p := x.Problems
	h := x.File.Header()
	if h.EventsLost > 0 {
		p.Trace(problems.Warning, "events_lost", int64(h.EventsLost), "TRACE_LOGFILE_HEADER.EventsLost", "the session lost events while it recorded")
	}
	if h.BuffersLost > 0 {
		p.Trace(problems.Warning, "buffers_lost", int64(h.BuffersLost), "TRACE_LOGFILE_HEADER.BuffersLost", "the session lost buffers while it recorded")
	}
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		if lost := info.Header.BufferFlag & (decode.BufferEventsLost | decode.BufferBufferLost); lost != 0 && !info.Damaged {
			p.Add(problems.Problem{Severity: problems.Warning, Code: "buffer_reports_loss", Count: 1, Buffer: int64(i), FileOffset: info.Offset, Position: -1,
				Field: "WMI_BUFFER_HEADER.BufferFlag", Message: fmt.Sprintf("events or buffers were lost before this buffer (%v)", decode.BufferFlagNames(uint16(lost)))})
		}
	}
	if found := int64(x.File.Buffers()); int64(h.BuffersWritten) > found {
		p.Trace(problems.Warning, "buffers_missing", int64(h.BuffersWritten)-found, "TRACE_LOGFILE_HEADER.BuffersWritten", "the session wrote %d buffers, the file has %d", h.BuffersWritten, found)
	}
	if !h.Finalised() {
		p.Trace(problems.Info, "not_finalised", 1, "TRACE_LOGFILE_HEADER.EndTime", "the session was not stopped: end time, lost events and buffers are not known")
	}
	if h.ClockType < decode.ClockQPC || h.ClockType > decode.ClockCPUCycle {
		p.Trace(problems.Warning, "clock_unknown", 1, "TRACE_LOGFILE_HEADER.ReservedFlags", "clock type %d is none that is known; times may be wrong", uint32(h.ClockType))
	}
	if x.UnlistedEvents > 0 {
		p.Trace(problems.Warning, "event_types_limit", x.UnlistedEvents, "", "event_types and providers have the first %d kinds of event only", catalog.MaxEventTypes)
	}
}

// notePackedSwitches adds what the packed form of context switches costs.
func notePackedSwitches(p *problems.List, batches int64) {
	if batches > 0 {
		p.Trace(problems.Info, "context_switches_packed", batches, "",
			"batches of context switches are in a packed form and kept as they are; which thread runs is not known on their processors")
	}
}

// noteAttribution adds what the tables of processes and the like have no room for.
func noteAttribution(p *problems.List, t *attribution.Tables) {
	if t.Unlisted > 0 {
		p.Trace(problems.Warning, "attribution_limit", t.Unlisted, "", "records of processes, threads, images or files are beyond the first %d of each", attribution.DefaultLimits.Records)
	}
	if t.NoText > 0 {
		p.Trace(problems.Warning, "attribution_text_limit", t.NoText, "", "names of processes, threads, images or files are beyond the first %d bytes", attribution.DefaultLimits.Texts)
	}
	if t.Stacks.NoRoom > 0 {
		p.Trace(problems.Warning, "stack_keys_limit", t.Stacks.NoRoom, "", "definitions of stack keys, or events with parts of one stack, are beyond the first %d, or what --memory allows for", attribution.DefaultLimits.Keys)
	}
}
