package fixed

import (
	"fmt"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/columns"
	"github.com/etl2parquet/etl2parquet/internal/index"
	"github.com/etl2parquet/etl2parquet/schema"
)

// rowWriter fills rows of a small table by column name.
type rowWriter struct{ batch *columns.Batch }

func newRowWriter(t *schema.Table) *rowWriter { return &rowWriter{columns.NewBatch(t)} }

func (w *rowWriter) next() { w.batch.Rows++ }

// column returns the column, ready for a value in the current row.
func (w *rowWriter) column(name string) *columns.Column {
	c := w.batch.Column(name)
	if c.Spec.Nullable {
		c.At(w.batch.Rows)
	}
	return c
}

func (w *rowWriter) int(name string, v int64) {
	c := w.column(name)
	if c.Spec.Type == schema.Int32 {
		c.Int32(int32(v))
		return
	}
	c.Int64(v)
}

func (w *rowWriter) text(name, v string) {
	c := w.column(name)
	if c.Spec.Encoding == schema.Varied {
		c.Blob([]byte(v))
		return
	}
	c.Code(w.batch.Texts.Text(v))
}

func (w *rowWriter) bool(name string, v bool) { w.column(name).Bool(v) }

func (w *rowWriter) guid(name string, id schema.GUID) { w.text(name, id.String()) }

// textUnless writes a text, or null where it says nothing.
func (w *rowWriter) textUnless(name, v string, null bool) {
	if !null {
		w.text(name, v)
	}
}

// filetime writes a FILETIME, or null for 0.
func (w *rowWriter) filetime(name string, v int64) {
	if v != 0 {
		w.column(name).Int64(columns.Micros(decode.FiletimeUnixNano(v)))
	}
}

func (w *rowWriter) ticks(name string, clock *decode.Clock, t decode.Ticks) {
	w.column(name).Int64(columns.Micros(clock.UnixNano(t)))
}

func (w *rowWriter) texts(name string, list []string) {
	c := w.column(name)
	for _, v := range list {
		c.Code(w.batch.Texts.Text(v))
	}
	c.EndList()
}

// Traces makes the row of the table traces.
func Traces(x *index.Index, trace, file, sha256 string) *columns.Batch {
	w := newRowWriter(schema.Traces)
	h := x.File.Header()
	clock := &x.Clock
	var compressed, bytes int64
	for i := range x.Buffers {
		info := x.File.BufferInfo(i)
		if info.Header.Compressed() {
			compressed++
		}
		bytes += info.UncompressedSize()
	}
	w.text("trace_name", trace)
	w.text("file_name", file)
	w.int("file_size", x.File.Size())
	w.text("sha256", sha256)
	w.int("buffers", int64(x.File.Buffers()))
	w.int("compressed_buffers", compressed)
	w.int("uncompressed_bytes", bytes)
	w.int("events", x.Events)
	if x.Events > 0 {
		w.ticks("first_event", clock, x.First)
		w.ticks("last_event", clock, x.Last)
	}
	w.int("problems", x.Serious)
	w.int("buffer_size", int64(h.BufferSize))
	w.text("os_version", fmt.Sprintf("%d.%d", h.MajorVersion, h.MinorVersion))
	w.text("log_version", fmt.Sprintf("%d.%d", h.SubVersion, h.SubMinorVersion))
	w.int("provider_version", int64(h.ProviderVersion))
	w.textUnless("build_lab", x.Session.BuildLab, x.Session.BuildLab == "")
	w.int("number_of_processors", int64(h.NumberOfProcessors))
	w.filetime("start_time", h.StartTime)
	w.filetime("end_time", h.EndTime)
	w.filetime("boot_time", h.BootTime)
	w.int("start_ticks", h.EventTicks)
	w.text("clock_type", decode.ClockTypeName(uint32(h.ClockType)))
	w.int("perf_freq", h.PerfFreq)
	w.int("cpu_speed_mhz", int64(h.CPUSpeedInMHz))
	w.int("timer_resolution", int64(h.TimerResolution))
	w.int("maximum_file_size", int64(h.MaximumFileSize))
	w.int("log_file_mode", int64(h.LogFileMode))
	w.texts("log_file_mode_text", decode.LogFileModeNames(h.LogFileMode))
	w.int("buffers_written", int64(h.BuffersWritten))
	w.int("start_buffers", int64(h.StartBuffers))
	w.int("pointer_size", int64(h.PointerSize))
	w.int("events_lost", int64(h.EventsLost))
	w.int("buffers_lost", int64(h.BuffersLost))
	w.text("logger_name", h.LoggerName)
	w.text("log_file_name", h.LogFileName)
	w.timeZone(&h.TimeZone)
	w.session(&x.Session)
	w.next()
	return w.batch
}

func (w *rowWriter) timeZone(z *decode.TimeZone) {
	w.int("time_zone_bias", int64(z.Bias))
	w.text("time_zone_standard_name", z.StandardName)
	w.int("time_zone_standard_bias", int64(z.StandardBias))
	w.textUnless("time_zone_standard_date", z.StandardDate.String(), z.StandardDate.IsZero())
	w.text("time_zone_daylight_name", z.DaylightName)
	w.int("time_zone_daylight_bias", int64(z.DaylightBias))
	w.textUnless("time_zone_daylight_date", z.DaylightDate.String(), z.DaylightDate.IsZero())
}

func (w *rowWriter) session(s *index.Session) {
	if s.Masks != nil {
		w.texts("enable_flags_text", decode.GroupMaskNames(s.Masks.Masks[:]))
		masks := w.column("group_masks")
		for _, mask := range s.Masks.Masks {
			masks.Int64(int64(mask))
		}
		masks.EndList()
		w.int("kernel_event_version", int64(s.Masks.KernelEventVersion))
	}
	if s.EndMasks != nil {
		w.texts("end_enable_flags_text", decode.GroupMaskNames(s.EndMasks.Masks[:]))
	}
	if len(s.PDBs) > 0 {
		var list []string
		for _, pdb := range s.PDBs {
			list = append(list, fmt.Sprintf("%s %s %d", pdb.Name, pdb.GUID, pdb.Age))
		}
		w.texts("provider_pdbs", list)
	}
	if p := s.Partition; p != nil {
		w.textUnless("partition_id", p.PartitionID.String(), p.PartitionID.IsZero())
		w.textUnless("partition_parent_id", p.ParentID.String(), p.ParentID.IsZero())
		w.int("partition_type", int64(p.PartitionType))
		w.int("qpc_offset_from_root", p.QPCOffsetFromRoot)
	}
}

// Buffers makes rows of the table buffers.
func Buffers(x *index.Index, from, to int) *columns.Batch {
	w := newRowWriter(schema.Buffers)
	for i := from; i < to; i++ {
		info, s := x.File.BufferInfo(i), &x.Buffers[i]
		h := &info.Header
		w.int("buffer", int64(i))
		w.int("file_offset", info.Offset)
		w.int("buffer_size", int64(info.Size))
		w.int("saved_offset", int64(h.SavedOffset))
		w.int("data_end", int64(h.Offset))
		w.int("uncompressed_size", info.UncompressedSize())
		w.int("time_stamp", h.TimeStamp)
		w.int("sequence_number", h.SequenceNumber)
		w.int("processor", int64(h.Processor))
		w.int("logger_id", int64(h.LoggerID))
		w.int("state", int64(h.State))
		w.int("buffer_flag", int64(h.BufferFlag))
		w.texts("buffer_flag_text", decode.BufferFlagNames(uint16(h.BufferFlag)))
		w.int("buffer_type", int64(h.BufferType))
		w.text("buffer_type_text", decode.BufferTypeName(h.BufferType))
		w.int("events", int64(s.Events))
		if s.HasEvents() {
			w.int("first_event_ns", x.Clock.UnixNano(s.First))
			w.int("last_event_ns", x.Clock.UnixNano(s.Last))
		}
		w.bool("damaged", s.Damaged)
		w.next()
	}
	return w.batch
}

// Providers makes the rows of the table providers.
func Providers(x *index.Index) *columns.Batch {
	w := newRowWriter(schema.Providers)
	for _, p := range x.Providers() {
		if p.HasID {
			w.guid("provider_id", p.ID)
		}
		w.textUnless("provider_name", p.Name, p.Name == "")
		w.textUnless("provider_group", p.Group.String(), p.Group.IsZero())
		w.textUnless("name_source", p.NameSource, p.NameSource == "")
		w.int("event_types", p.EventTypes)
		w.int("events", p.Events)
		w.int("events_not_decoded", p.NotDecoded)
		w.ticks("first_event", &x.Clock, p.First)
		w.ticks("last_event", &x.Clock, p.Last)
		w.next()
	}
	return w.batch
}

// EventTypes makes the rows of the table event_types.
func EventTypes(x *index.Index) *columns.Batch {
	w := newRowWriter(schema.EventTypes)
	fields := newFieldLists(w.batch)
	names := x.Names()
	for _, t := range x.SortedTypes() {
		w.text("header_table", schema.HeaderTables()[t.Family].Name)
		if id, ok := t.Provider(); ok {
			w.guid("provider_id", id)
			name, known := names.Provider(id)
			w.textUnless("provider_name", name, !known)
		}
		k := x.Catalog.Of(&t.Key)
		w.textUnless("event_name", k.Name(), k.Name() == "")
		if k.Listed {
			fields.add(w.batch.Rows, k)
		}
		w.eventNames(x.EventNames(&t))
		w.int("event_id", int64(t.ID))
		w.int("event_version", int64(t.Version))
		w.int("events", t.Events)
		w.ticks("first_event", &x.Clock, t.First)
		w.ticks("last_event", &x.Clock, t.Last)
		w.next()
	}
	return w.batch
}

// eventNames fills the columns of event_types that say what a kind is called.
func (w *rowWriter) eventNames(n index.EventNames) {
	if n.HasLevel {
		w.int("level", int64(n.Level))
	}
	if n.HasDescriptor {
		w.int("opcode", int64(n.Opcode))
		w.int("task", int64(n.Task))
		w.int("channel", int64(n.Channel))
		w.int("keyword", int64(n.Keyword)) // by its bits
	}
	if n.KeywordNames != nil {
		w.texts("keyword_names", n.KeywordNames)
	}
	for _, name := range []struct{ column, text string }{
		{"level_name", n.LevelName}, {"opcode_name", n.OpcodeName}, {"task_name", n.TaskName}, {"channel_name", n.ChannelName},
		{"function_name", n.Function}, {"source", n.Source}, {"decoder", n.Decoder}, {"payload_table", n.PayloadTable},
	} {
		w.textUnless(name.column, name.text, name.text == "")
	}
}

// Problems makes the rows of the table problems.
func Problems(x *index.Index) *columns.Batch {
	w := newRowWriter(schema.Problems)
	for _, p := range x.Problems.All() {
		w.text("severity", string(p.Severity))
		w.text("code", p.Code)
		w.int("count", p.Count)
		for _, place := range []struct {
			name string
			at   int64
		}{{"buffer", p.Buffer}, {"file_offset", p.FileOffset}, {"position", p.Position}} {
			if place.at >= 0 {
				w.int(place.name, place.at)
			}
		}
		w.textUnless("field", p.Field, p.Field == "")
		w.text("message", p.Message)
		w.next()
	}
	return w.batch
}
