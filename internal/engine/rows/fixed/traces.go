package fixed

import (
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Source says where a trace is from.
type Source struct {
	Trace      string // its name in the dataset
	File       string
	ChunksXXH3 string // of the file, see internal/base/fileid; "" if unknown
	SHA256     string // of the file; "" if unknown
}

// traceRow is a trace: its source, its header and session, and sums over its
// buffers.
type traceRow struct {
	Source
	*decode.TraceHeader
	*index.Session
	compressedBuffers, uncompressedBytes int64
	payloads                             facts.Payloads
	lost                                 index.Losses
}

type traceFill = columnFill[*traceRow]

var traceFills = slices.Concat([]traceFill{
	{"trace_name", func(c *cell, t *traceRow) { c.text(t.Trace) }},
	{"file_name", func(c *cell, t *traceRow) { c.text(t.File) }},
	{"file_size", func(c *cell, _ *traceRow) { c.int(c.x.File.Size()) }},
	{"file_kind", func(c *cell, t *traceRow) { c.text(t.Kind.String()) }},
	{"chunks_xxh3", func(c *cell, t *traceRow) { c.known(t.ChunksXXH3) }},
	{"sha256", func(c *cell, t *traceRow) { c.known(t.SHA256) }},
	{"buffers", func(c *cell, _ *traceRow) { c.int(int64(c.x.File.Buffers())) }},
	{"compressed_buffers", func(c *cell, t *traceRow) { c.int(t.compressedBuffers) }},
	{"uncompressed_bytes", func(c *cell, t *traceRow) { c.int(t.uncompressedBytes) }},
	{"events", func(c *cell, _ *traceRow) { c.int(c.x.Events) }},
	{"first_event", func(c *cell, _ *traceRow) { c.time(c.x.FirstEvent()) }},
	{"last_event", func(c *cell, _ *traceRow) { c.time(c.x.LastEvent()) }},
	{"covered_from", func(c *cell, _ *traceRow) {
		if ns, ok := c.x.CoveredFrom(); ok {
			c.int(columns.Micros(ns))
		}
	}},
	{"overwritten_buffers", func(c *cell, _ *traceRow) {
		overwritten, _, _ := c.x.Wrapped()
		c.int(overwritten)
	}},
	{"problems", func(c *cell, _ *traceRow) { c.int(c.x.Serious) }},
	{"buffer_size", func(c *cell, t *traceRow) { c.int(int64(t.BufferSize)) }},
	{"os_version", func(c *cell, t *traceRow) { c.text(fmt.Sprintf("%d.%d", t.MajorVersion, t.MinorVersion)) }},
	{"log_version", func(c *cell, t *traceRow) { c.text(fmt.Sprintf("%d.%d", t.SubVersion, t.SubMinorVersion)) }},
	{"log_version_text", func(c *cell, t *traceRow) { c.known(t.LogVersionText()) }},
	{"provider_version", func(c *cell, t *traceRow) { c.int(int64(t.ProviderVersion)) }},
	{"build_lab", func(c *cell, t *traceRow) { c.known(t.BuildLab) }},
	{"number_of_processors", func(c *cell, t *traceRow) { c.int(int64(t.NumberOfProcessors)) }},
	{"start_time", func(c *cell, t *traceRow) { c.filetime(t.StartTime) }},
	{"end_time", func(c *cell, t *traceRow) { c.filetime(t.EndTime) }},
	{"start_ns", func(c *cell, t *traceRow) { c.filetimeNS(t.StartTime) }},
	{"end_ns", func(c *cell, t *traceRow) { c.filetimeNS(t.EndTime) }},
	{"boot_time", func(c *cell, t *traceRow) { c.filetime(t.BootTime) }},
	{"start_ticks", func(c *cell, t *traceRow) { c.int(t.EventTicks) }},
	{"clock_type", func(c *cell, t *traceRow) { c.text(session.ClockTypeName(uint32(t.ClockType))) }},
	{"reserved_flags", func(c *cell, t *traceRow) { c.int(int64(t.ClockType)) }},
	{"clock_interrupt_source", func(c *cell, t *traceRow) { c.timer(t.clockTimer()) }},
	{"clock_interrupt_source_text", func(c *cell, t *traceRow) { c.timerText(t.clockTimer()) }},
	{"perf_counter_source", func(c *cell, t *traceRow) { c.timer(t.counterTimer()) }},
	{"perf_counter_source_text", func(c *cell, t *traceRow) { c.timerText(t.counterTimer()) }},
	{"perf_freq", func(c *cell, t *traceRow) { c.int(t.PerfFreq) }},
	{"cpu_speed_mhz", func(c *cell, t *traceRow) { c.int(int64(t.CPUSpeedInMHz)) }},
	{"timer_resolution", func(c *cell, t *traceRow) { c.int(int64(t.TimerResolution)) }},
	{"maximum_file_size", func(c *cell, t *traceRow) { c.int(int64(t.MaximumFileSize)) }},
	{"log_file_mode", func(c *cell, t *traceRow) { c.int(int64(t.LogFileMode)) }},
	{"log_file_mode_text", func(c *cell, t *traceRow) { c.texts(session.LogFileModeNames(t.LogFileMode)) }},
	{"buffers_written", func(c *cell, t *traceRow) { c.int(int64(t.BuffersWritten)) }},
	{"start_buffers", func(c *cell, t *traceRow) { c.int(int64(t.StartBuffers)) }},
	{"pointer_size", func(c *cell, t *traceRow) { c.int(int64(t.PointerSize)) }},
	{"header_pointer_size", func(c *cell, t *traceRow) { c.int(int64(t.HeaderPointerSize)) }},
	{"events_lost", func(c *cell, t *traceRow) { c.intIf(int64(t.lost.Events), t.lost.Own) }},
	{"buffers_lost", func(c *cell, t *traceRow) { c.intIf(int64(t.lost.Buffers), t.lost.Own) }},
	{"session_events_lost", func(c *cell, t *traceRow) { c.intIf(int64(t.lost.SessionEvents), t.lost.Known) }},
	{"session_buffers_lost", func(c *cell, t *traceRow) { c.intIf(int64(t.lost.SessionBuffers), t.lost.Known) }},
	{"logger_name", func(c *cell, t *traceRow) { c.text(t.LoggerName) }},
	{"log_file_name", func(c *cell, t *traceRow) { c.text(t.LogFileName) }},
	{"time_zone_bias", func(c *cell, t *traceRow) { c.int(int64(t.TimeZone.Bias)) }},
	{"time_zone_standard_name", func(c *cell, t *traceRow) { c.text(t.TimeZone.StandardName) }},
	{"time_zone_standard_bias", func(c *cell, t *traceRow) { c.int(int64(t.TimeZone.StandardBias)) }},
	{"time_zone_standard_date", func(c *cell, t *traceRow) {
		c.textUnless(t.TimeZone.StandardDate.String(), t.TimeZone.StandardDate.IsZero())
	}},
	{"time_zone_daylight_name", func(c *cell, t *traceRow) { c.text(t.TimeZone.DaylightName) }},
	{"time_zone_daylight_bias", func(c *cell, t *traceRow) { c.int(int64(t.TimeZone.DaylightBias)) }},
	{"time_zone_daylight_date", func(c *cell, t *traceRow) {
		c.textUnless(t.TimeZone.DaylightDate.String(), t.TimeZone.DaylightDate.IsZero())
	}},
	{"enable_flags_text", func(c *cell, t *traceRow) { c.masks(t.Masks) }},
	{"end_enable_flags_text", func(c *cell, t *traceRow) { c.masks(t.EndMasks) }},
	{"group_masks", func(c *cell, t *traceRow) {
		if t.Masks != nil {
			masks := c.value()
			for _, mask := range t.Masks.Masks {
				masks.Int64(int64(mask))
			}
			masks.EndList()
		}
	}},
	{"kernel_event_version", func(c *cell, t *traceRow) {
		if t.Masks != nil {
			c.int(int64(t.Masks.KernelEventVersion))
		}
	}},
	{"provider_pdbs", func(c *cell, t *traceRow) {
		if len(t.PDBs) > 0 {
			var list []string
			for _, pdb := range t.PDBs {
				list = append(list, fmt.Sprintf("%s %s %d", pdb.Name, pdb.GUID, pdb.Age))
			}
			c.texts(list)
		}
	}},
	{"partition_id", func(c *cell, t *traceRow) {
		if t.Partition != nil {
			c.guid(t.Partition.PartitionID)
		}
	}},
	{"partition_parent_id", func(c *cell, t *traceRow) {
		if t.Partition != nil {
			c.guid(t.Partition.ParentID)
		}
	}},
	{"partition_type", func(c *cell, t *traceRow) {
		if t.Partition != nil {
			c.int(int64(t.Partition.PartitionType))
		}
	}},
	{"qpc_offset_from_root", func(c *cell, t *traceRow) {
		if t.Partition != nil {
			c.int(t.Partition.QPCOffsetFromRoot)
		}
	}},
	{"computer_name", func(c *cell, _ *traceRow) { c.known(c.x.Computer) }},
	{"session", func(c *cell, _ *traceRow) { c.known(c.x.Place.Session) }},
	{"session_file", func(c *cell, _ *traceRow) { c.intIf(c.x.Place.File, c.x.Place.File > 0) }},
	{"recording", func(c *cell, _ *traceRow) { c.known(c.x.Place.Recording) }},
	{"siblings", func(c *cell, _ *traceRow) {
		if len(c.x.Siblings) > 0 {
			c.texts(c.x.Siblings)
		}
	}},
}, payloadFills(func(t *traceRow) *facts.Payloads { return &t.payloads }))

func (t *traceRow) clockTimer() (source uint64, ok bool) {
	source, _, ok = t.TimerSources()
	return source, ok
}

func (t *traceRow) counterTimer() (source uint64, ok bool) {
	_, source, ok = t.TimerSources()
	return source, ok
}

// timer writes a source of the HAL's timers, or null if the trace has none.
func (c *cell) timer(source uint64, known bool) { c.intIf(int64(source), known) }

// timerText writes the name of a source, or null if it has none.
func (c *cell) timerText(source uint64, known bool) {
	if known {
		c.known(session.TimerSourceName(source))
	}
}

// masks writes the names of the bits of group masks, or null if there are none.
func (c *cell) masks(m *decode.GroupMasks) {
	if m != nil {
		c.texts(session.GroupMaskNames(m.Masks[:]))
	}
}

// Traces makes the row of the table traces.
func Traces(x *index.Index, of Source) *columns.Batch {
	t := traceRow{Source: of, TraceHeader: x.File.Header(), Session: &x.Session, payloads: x.Payloads().Payloads(), lost: x.Losses()}
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		if info.Header.Compressed() {
			t.compressedBuffers++
		}
		t.uncompressedBytes += info.UncompressedSize()
	}
	return fillTable(x, schema.Traces, traceFills, []*traceRow{&t})
}
