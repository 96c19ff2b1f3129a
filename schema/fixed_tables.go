package schema

import "strings"

// FixedTables returns the tables that do not hold events. The caller must not
// change them.
func FixedTables() []*Table { return fixedTables }

// Tables returns all tables: those about a trace, those of event headers, and
// those of the payloads of kernel events.
func Tables() []*Table {
	tables := append(append([]*Table(nil), fixedTables...), headerTables...)
	for _, t := range KernelCatalog().Tables() {
		tables = append(tables, t.Table)
	}
	return tables
}

// LookupTable returns the table of a name, which may be that of its view, in
// any case.
func LookupTable(name string) (*Table, bool) {
	for _, t := range Tables() {
		if strings.EqualFold(t.Name, name) || strings.EqualFold(t.ViewName(), name) {
			return t, true
		}
	}
	return nil, false
}

var fixedTables = []*Table{Traces, Buffers, Providers, EventTypes, Processes, Threads, Images, Files, Stacks, Problems}

// Traces has the trace header.
var Traces = table("traces", "One row per trace: the trace header (TRACE_LOGFILE_HEADER) and what was found in the file.", nil, []Column{
	{Name: "trace_name", Type: String, Doc: "Name of the trace in the dataset, as in the partition column trace."},
	{Name: "file_name", Type: String, Doc: "Name of the input, without its folder."},
	{Name: "file_size", Type: Int64, Doc: "Size of the input, bytes."},
	{Name: "sha256", Type: String, Doc: "SHA-256 of the input, lower-case hexadecimal."},
	{Name: "buffers", Type: Int64, Doc: "Buffers found in the file."},
	{Name: "compressed_buffers", Type: Int64, Doc: "Buffers that are compressed."},
	{Name: "uncompressed_bytes", Type: Int64, Doc: "Bytes of all buffers in memory, each with its header up to the end of its data."},
	{Name: "events", Type: Int64, Doc: "Events found in the file."},
	{Name: "first_event", Type: Timestamp, Nullable: true, Doc: "Time of the earliest event, UTC."},
	{Name: "last_event", Type: Timestamp, Nullable: true, Doc: "Time of the latest event, UTC."},
	{Name: "problems", Type: Int64, Doc: "Problems of severity warning or error in the file itself, lost events and buffers among them. The table problems lists them, and also those of payloads, which are known for the events that are converted."},
	{Name: "buffer_size", Type: Int64, Doc: "BufferSize: size of a buffer in memory, bytes."},
	{Name: "os_version", Type: String, Doc: "Version of Windows, major.minor."},
	{Name: "log_version", Type: String, Doc: "Version of the log file, SubVersion.SubMinorVersion: 1.5, or 2.0 where it is compressed."},
	{Name: "provider_version", Type: Int64, Doc: "ProviderVersion: build of Windows."},
	{Name: "build_lab", Type: String, Nullable: true, Doc: "Build of Windows in full, as the session says it (hook 0x0042) or else the tool that merged the trace (SysConfig/BuildInfo). NULL if neither does."},
	{Name: "number_of_processors", Type: Int64, Doc: "NumberOfProcessors: 1 for sessions without buffers per processor."},
	{Name: "start_time", Type: Timestamp, Nullable: true, Doc: "StartTime of the session, UTC."},
	{Name: "end_time", Type: Timestamp, Nullable: true, Doc: "EndTime of the session, UTC. NULL if it was not stopped."},
	{Name: "boot_time", Type: Timestamp, Nullable: true, Doc: "BootTime of the system, UTC."},
	{Name: "start_ticks", Type: Int64, Doc: "Time stamp of the trace header event: the tick that start_time belongs to."},
	{Name: "clock_type", Type: String, Doc: "Clock of the session: QPC, SystemTime or CPUCycle."},
	{Name: "perf_freq", Type: Int64, Doc: "PerfFreq: frequency of the performance counter, Hz."},
	{Name: "cpu_speed_mhz", Type: Int64, Doc: "CpuSpeedInMHz."},
	{Name: "timer_resolution", Type: Int64, Doc: "TimerResolution: unit of kernel and user times, 100 ns."},
	{Name: "maximum_file_size", Type: Int64, Doc: "MaximumFileSize, in MB, or KB with EVENT_TRACE_USE_KBYTES_FOR_SIZE. 0 is no limit."},
	{Name: "log_file_mode", Type: Int64, Doc: "LogFileMode, as a number."},
	{Name: "log_file_mode_text", Type: String, List: true, Doc: "LogFileMode, the names of its bits."},
	{Name: "buffers_written", Type: Int64, Doc: "BuffersWritten: buffers the session counted. 0 if it was not stopped."},
	{Name: "start_buffers", Type: Int64, Doc: "StartBuffers: buffers at the start that a circular file keeps."},
	{Name: "pointer_size", Type: Int32, Doc: "PointerSize of the system, bytes."},
	{Name: "events_lost", Type: Int64, Doc: "EventsLost, by the session's count."},
	{Name: "buffers_lost", Type: Int64, Doc: "BuffersLost, by the session's count."},
	{Name: "logger_name", Type: String, Doc: "LoggerName: the session."},
	{Name: "log_file_name", Type: String, Doc: "LogFileName: where Windows wrote it."},
	{Name: "time_zone_bias", Type: Int32, Doc: "Bias of the system's time zone: UTC - local time, minutes."},
	{Name: "time_zone_standard_name", Type: String, Doc: "StandardName of the time zone."},
	{Name: "time_zone_standard_bias", Type: Int32, Doc: "StandardBias, minutes, added to the bias out of daylight saving."},
	{Name: "time_zone_standard_date", Type: String, Nullable: true, Doc: "StandardDate: when standard time begins, as a rule of the year."},
	{Name: "time_zone_daylight_name", Type: String, Doc: "DaylightName of the time zone."},
	{Name: "time_zone_daylight_bias", Type: Int32, Doc: "DaylightBias, minutes, added to the bias in daylight saving."},
	{Name: "time_zone_daylight_date", Type: String, Nullable: true, Doc: "DaylightDate: when daylight saving begins, as a rule of the year."},
	{Name: "enable_flags_text", Type: String, List: true, Nullable: true, Doc: "What the kernel logger recorded: the names of the group masks' bits (hook 0x0005). NULL if the trace does not say."},
	{Name: "end_enable_flags_text", Type: String, List: true, Nullable: true, Doc: "The same at the end of the session (hook 0x0020)."},
	{Name: "group_masks", Type: Int64, List: true, Nullable: true, Doc: "The eight group masks as numbers; the first is EnableFlags."},
	{Name: "kernel_event_version", Type: Int64, Nullable: true, Doc: "KernelEventVersion of hook 0x0005."},
	{Name: "provider_pdbs", Type: String, List: true, Nullable: true, Doc: "Debug information of providers' binaries (hook 0x0040), as name GUID age: what WPP messages need."},
	{Name: "partition_id", Type: String, Nullable: true, Doc: "Partition (virtual machine or container) the trace was recorded in (hook 0x0050). NULL if it was the root."},
	{Name: "partition_parent_id", Type: String, Nullable: true, Doc: "Its parent."},
	{Name: "partition_type", Type: Int64, Nullable: true, Doc: "PartitionType of hook 0x0050."},
	{Name: "qpc_offset_from_root", Type: Int64, Nullable: true, Doc: "QpcOffsetFromRoot of hook 0x0050, ticks; not applied."},
})

// Buffers has the buffer headers.
var Buffers = table("buffers", "One row per buffer of the file (WMI_BUFFER_HEADER), in file order.", []string{"buffer"}, []Column{
	{Name: "buffer", Type: Int64, Encoding: Rising, Doc: "Index of the buffer in the file, from 0; the upper half of event_ref."},
	{Name: "file_offset", Type: Int64, Encoding: Rising, Doc: "Where it begins in the file, bytes."},
	{Name: "buffer_size", Type: Int64, Doc: "Bytes it takes in the file, with its header: BufferSize, or less if the file is cut."},
	{Name: "saved_offset", Type: Int64, Encoding: Varied, Doc: "SavedOffset: end of its data, as of the flush."},
	{Name: "data_end", Type: Int64, Encoding: Varied, Doc: "Offset: end of its data."},
	{Name: "uncompressed_size", Type: Int64, Encoding: Varied, Doc: "Bytes it has in memory, its header included, up to the end of its data."},
	{Name: "time_stamp", Type: Int64, Encoding: Varied, Doc: "TimeStamp of the flush: ticks of the trace's clock, or FILETIME in relogged files."},
	{Name: "sequence_number", Type: Int64, Encoding: Rising, Doc: "SequenceNumber, in the order buffers were filled."},
	{Name: "processor", Type: Int32, Doc: "ProcessorIndex."},
	{Name: "logger_id", Type: Int32, Doc: "LoggerId: the session; changes where another was appended."},
	{Name: "state", Type: Int64, Doc: "State; in the first buffer of a compressed trace, the compression format."},
	{Name: "buffer_flag", Type: Int32, Doc: "BufferFlag as a number."},
	{Name: "buffer_flag_text", Type: String, List: true, Doc: "BufferFlag, the names of its bits."},
	{Name: "buffer_type", Type: Int32, Doc: "BufferType as a number."},
	{Name: "buffer_type_text", Type: String, Doc: "BufferType by name."},
	{Name: "events", Type: Int64, Encoding: Varied, Doc: "Events found in it."},
	{Name: "first_event_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Earliest time in it, ns since 1970-01-01 UTC. NULL if it has no event."},
	{Name: "last_event_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Latest time in it, ns since 1970-01-01 UTC. NULL if it has no event."},
	{Name: "damaged", Type: Boolean, Doc: "Whether something in it could not be read; the table problems says what."},
})

// Providers has who wrote the events.
var Providers = table("providers", "One row per provider or event class that wrote events.", []string{"provider_id"}, []Column{
	{Name: "provider_id", Type: String, Nullable: true, Doc: "Its GUID. NULL for events whose header has none."},
	{Name: "provider_name", Type: String, Nullable: true, Doc: "Its name: from provider traits or schemas in the trace, from a manifest or TMF file, or of the kernel class."},
	{Name: "provider_group", Type: String, Nullable: true, Doc: "GUID of the provider group, from provider traits."},
	{Name: "name_source", Type: String, Nullable: true, Doc: "Where the name is from: traits, eventsource, eventinfo, manifest, tmf or built-in."},
	{Name: "event_types", Type: Int64, Doc: "Kinds of event it wrote, rows of event_types."},
	{Name: "events", Type: Int64, Doc: "Events it wrote."},
	{Name: "events_not_decoded", Type: Int64, Doc: "Of these, those with a payload that nothing at hand describes. Payloads that do not fit what describes them are in the table problems, as payload_damaged."},
	{Name: "first_event", Type: Timestamp, Nullable: true, Doc: "Time of its first event, UTC."},
	{Name: "last_event", Type: Timestamp, Nullable: true, Doc: "Time of its last event, UTC."},
})

// EventTypes has what kinds of event there are.
var EventTypes = table("event_types", "One row per kind of event in the trace, with how often it occurs.", []string{"header_table", "provider_id", "event_id", "event_version"}, []Column{
	{Name: "header_table", Type: String, Doc: "Table that has its events."},
	{Name: "provider_id", Type: String, Nullable: true, Doc: "Provider, class or message GUID."},
	{Name: "provider_name", Type: String, Nullable: true, Doc: "Name of the provider or class."},
	{Name: "event_name", Type: String, Nullable: true, Doc: "Name of the event. NULL where nothing at hand names it."},
	{Name: "event_id", Type: Int32, Doc: "Event id, class type, hook id or message number, by header table; the header type in other_header."},
	{Name: "event_version", Type: Int32, Doc: "Version of the event; 0 for messages."},
	{Name: "level", Type: Int32, Nullable: true, Doc: "Level, as the header of the first says or, of a message, its TMF file. NULL where neither has one."},
	{Name: "level_name", Type: String, Nullable: true, Doc: "Its name, as the schema says, or one of those that all providers share."},
	{Name: "opcode", Type: Int32, Nullable: true, Doc: "Opcode, as the header of the first says. NULL where the header has none."},
	{Name: "opcode_name", Type: String, Nullable: true, Doc: "Its name, as the schema says, or one of those that all providers share."},
	{Name: "task", Type: Int32, Nullable: true, Doc: "Task, as the header of the first says. NULL where the header has none."},
	{Name: "task_name", Type: String, Nullable: true, Doc: "Its name, as the schema says."},
	{Name: "channel", Type: Int32, Nullable: true, Doc: "Channel, as the header of the first says. NULL where the header has none."},
	{Name: "channel_name", Type: String, Nullable: true, Doc: "Its name, as the schema says."},
	{Name: "keyword", Type: Uint64, Nullable: true, Doc: "Keyword, as the header of the first says. NULL where the header has none."},
	{Name: "keyword_names", Type: String, List: true, Nullable: true, Doc: "Names of its bits, as the schema says; of a message, its flags."},
	{Name: "function_name", Type: String, Nullable: true, Doc: "Of a message: the function that logs it, as its TMF file says."},
	{Name: "source", Type: String, Nullable: true, Doc: "Of a message: the source file and line that log it, as file.c:123."},
	{Name: "events", Type: Int64, Doc: "How many there are."},
	{Name: "first_event", Type: Timestamp, Nullable: true, Doc: "Time of the first, UTC."},
	{Name: "last_event", Type: Timestamp, Nullable: true, Doc: "Time of the last, UTC."},
	{Name: "decoder", Type: String, Nullable: true, Doc: "What decoded the payload: tracelogging, eventsource, eventinfo, manifest, tmf or kernel. NULL if nothing did."},
	{Name: "payload_table", Type: String, Nullable: true, Doc: "Table that has the payloads. NULL if nothing decodes them, or there are too many tables."},
	{Name: "field_list", Type: Struct, List: true, Nullable: true, Fields: fieldColumns,
		Doc: "The fields of the payload, in the order of its bytes, as what describes it declares them. NULL if nothing describes the event, or too many fields are described."},
})

// fieldColumns are what event_types says of a field.
var fieldColumns = []Column{
	{Name: "name", Type: String, Doc: "Its name, as the source spells it."},
	{Name: "column_name", Type: String, Nullable: true, Doc: "Column of payload_table with its values; items.kind is the member kind of the structures in items. NULL where the values have no column."},
	{Name: "in_type", Type: String, Doc: "How it is stored, as manifests write it: win:UInt32, struct; of a message the item of its TMF file."},
	{Name: "out_type", Type: String, Nullable: true, Doc: "How people want to see it, as manifests write it: win:HexInt32. NULL of structures and messages."},
	{Name: "is_array", Type: Boolean, Doc: "Whether there may be any number of values."},
	{Name: "depth", Type: Int32, Doc: "Number of structures that it is in; the members of a structure follow it."},
}

// Problems has what was wrong.
var Problems = table("problems", "What was wrong with the trace or lost before it was written, in file order.", nil, []Column{
	{Name: "severity", Type: String, Doc: "info: worth knowing; warning: something was lost before the file was written, or may have been; error: something in the file could not be read."},
	{Name: "code", Type: String, Doc: "Which problem, a stable name."},
	{Name: "count", Type: Int64, Doc: "How often; more than 1 where the row stands for others of its code that are not listed."},
	{Name: "buffer", Type: Int64, Nullable: true, Doc: "Index of the buffer."},
	{Name: "file_offset", Type: Int64, Nullable: true, Doc: "Where that buffer, or what is no buffer, begins in the file."},
	{Name: "position", Type: Int64, Nullable: true, Doc: "Position in the decompressed buffer."},
	{Name: "field", Type: String, Nullable: true, Doc: "The field or structure that is wrong."},
	{Name: "message", Type: String, Doc: "What is wrong with it, for people."},
})
