package schema

import (
	"slices"
	"strings"
	"sync"
)

// FixedTables returns the tables that do not hold events. The caller must not change
// them.
func FixedTables() []*Table { return fixedTables }

// Tables returns all tables: the fixed tables, the header tables, and the payload tables
// of kernel events.
func Tables() []*Table {
	kernel := KernelCatalog().Tables()
	tables := make([]*Table, 0, len(fixedTables)+len(headerTables)+len(kernel))
	tables = append(append(tables, fixedTables...), headerTables...)
	for _, t := range kernel {
		tables = append(tables, t.Table)
	}
	return tables
}

// LookupTable returns the table with this name, ignoring case. The name can be that of
// the table's view.
func LookupTable(name string) (*Table, bool) {
	name = strings.ToLower(name)
	if t := otherTables()[name]; t != nil {
		return t, true
	}
	if t := kernelTable(name); t != nil {
		return t.Table, true
	}
	return nil, false
}

// otherTables returns the fixed tables and those of headers by their names, which their views have, too.
var otherTables = sync.OnceValue(func() map[string]*Table {
	named := make(map[string]*Table)
	for _, t := range slices.Concat(fixedTables, headerTables) {
		named[t.Name] = t
	}
	return named
})

// kernelTable returns the table of a kernel event by its name or that of its view, in lower case, or nil.
func kernelTable(name string) *EventTable { return kernelTables()[name] }

var kernelTables = sync.OnceValue(func() map[string]*EventTable {
	named := make(map[string]*EventTable)
	for _, t := range slices.Backward(KernelCatalog().Tables()) { // the first table with a name has it
		named[t.Table.ViewName()] = t
	}
	for _, t := range KernelCatalog().Tables() {
		named[strings.ToLower(t.Table.Name)] = t
	}
	return named
})

var fixedTables = []*Table{Traces, Buffers, Providers, EventTypes, Processes, Threads, Images, Methods, Files, StackEvents, Stacks, CompactSwitches, Problems}

// Traces has the trace header.
var Traces = table("traces", "One row per trace: the trace header (TRACE_LOGFILE_HEADER) and what was found in the file.", nil, []Column{
	{Name: "trace_name", Type: String, Doc: "Name of the trace in the dataset, as in the column trace."},
	{Name: "file_name", Type: String, Doc: "Name of the input, without its folder."},
	{Name: "file_size", Type: Int64, Doc: "Size of the input, bytes."},
	{Name: "file_kind", Type: String, Doc: "Kind of the file: log file; real-time backup, the buffers of a real-time session that no consumer had read (RtBackup); or log file before Windows Vista."},
	{Name: "chunks_xxh3", Type: String, Nullable: true, Doc: "XXH3, with 128 bits, of the XXH3 sums of the chunks of 4 MiB of the input, lower-case hexadecimal. Docs of the dataset say how to repeat it."},
	{Name: "sha256", Type: String, Nullable: true, Doc: "SHA-256 of the input, lower-case hexadecimal; NULL unless the trace was converted with the option sha256."},
	{Name: "buffers", Type: Int64, Doc: "Number of buffers in the file."},
	{Name: "compressed_buffers", Type: Int64, Doc: "Number of compressed buffers."},
	{Name: "uncompressed_bytes", Type: Int64, Doc: "Total size of all buffers in memory, from header to end of data, bytes."},
	{Name: "events", Type: Int64, Doc: "Number of events in the file."},
	{Name: "first_event", Type: Timestamp, Nullable: true, Doc: "Time of the earliest event in the file, UTC, not counting the records at its start in which the session describes itself. NULL if there are no others."},
	{Name: "last_event", Type: Timestamp, Nullable: true, Doc: "Time of the latest event in the file, UTC, by the same rule. It can be later than end_time."},
	{Name: "covered_from", Type: Timestamp, Nullable: true, Doc: "Time from which on the file holds all that the session kept, UTC. Of a circular file that has wrapped, earlier events are from buffers of the start. Of a later file of a series (mode NEWFILE) it is the end of the file before, or the first event if that file is not among the inputs. NULL if it is start_time."},
	{Name: "overwritten_buffers", Type: Int64, Doc: "Number of buffers that a circular file has overwritten, at least if the session was not stopped; 0 if it has not wrapped."},
	{Name: "problems", Type: Int64, Doc: "Number of warnings and errors about the file itself, lost events and buffers included. The table problems lists them, and also the problems of the payloads that were converted."},
	{Name: "buffer_size", Type: Int64, Doc: "BufferSize: size of a buffer in memory, bytes."},
	{Name: "os_version", Type: String, Doc: "Version of Windows, major.minor."},
	{Name: "log_version", Type: String, Doc: "Version of the log file, SubVersion.SubMinorVersion: 1.5, or 2.0 if it is compressed."},
	{Name: "log_version_text", Type: String, Nullable: true, Doc: "What the version of the log file means. NULL for a version that no public source explains."},
	{Name: "provider_version", Type: Int64, Doc: "ProviderVersion: build of Windows."},
	{Name: "build_lab", Type: String, Nullable: true, Doc: "Full build of Windows, recorded by the session (hook 0x0042) or else by the tool that merged the trace (SysConfig/BuildInfo). NULL if neither did."},
	{Name: "number_of_processors", Type: Int64, Doc: "NumberOfProcessors: 1 for sessions without per-processor buffers."},
	{Name: "start_time", Type: Timestamp, Nullable: true, Doc: "StartTime of the session, UTC; of a real-time backup the moment that its header states."},
	{Name: "end_time", Type: Timestamp, Nullable: true, Doc: "EndTime of the session, UTC. NULL if the session was not stopped."},
	{Name: "start_ns", Type: Int64, Nullable: true, Doc: "start_time in ns since 1970-01-01 UTC."},
	{Name: "end_ns", Type: Int64, Nullable: true, Doc: "end_time in ns since 1970-01-01 UTC."},
	{Name: "boot_time", Type: Timestamp, Nullable: true, Doc: "BootTime of the system, UTC."},
	{Name: "start_ticks", Type: Int64, Doc: "Time stamp of the trace header event, the tick that corresponds to start_time."},
	{Name: "clock_type", Type: String, Doc: "Clock of the session: QPC, SystemTime or CPUCycle."},
	{Name: "reserved_flags", Type: Int64, Doc: "ReservedFlags, as a number: the clock of the session."},
	{Name: "clock_interrupt_source", Type: Uint64, Nullable: true, Doc: "Hardware timer of the clock interrupt (HAL_PLATFORM_TIMER_SOURCE), which Windows stores in place of the pointer to LoggerName. 0 is not specified, as in relogged traces. NULL before Windows 6.1."},
	{Name: "clock_interrupt_source_text", Type: String, Nullable: true, Doc: "Hardware timer of the clock interrupt, by name. NULL where no name is known."},
	{Name: "perf_counter_source", Type: Uint64, Nullable: true, Doc: "Hardware timer of the performance counter, in the same way, in place of the pointer to LogFileName."},
	{Name: "perf_counter_source_text", Type: String, Nullable: true, Doc: "Hardware timer of the performance counter, by name. NULL where no name is known."},
	{Name: "perf_freq", Type: Int64, Doc: "PerfFreq: frequency of the performance counter, Hz."},
	{Name: "cpu_speed_mhz", Type: Int64, Doc: "CpuSpeedInMHz."},
	{Name: "timer_resolution", Type: Int64, Doc: "TimerResolution: unit of kernel and user times, 100 ns."},
	{Name: "maximum_file_size", Type: Int64, Doc: "MaximumFileSize, in MB, or in KB with EVENT_TRACE_USE_KBYTES_FOR_SIZE. 0 means no limit."},
	{Name: "log_file_mode", Type: Int64, Doc: "LogFileMode, as a number."},
	{Name: "log_file_mode_text", Type: String, List: true, Doc: "LogFileMode, the names of its bits."},
	{Name: "buffers_written", Type: Int64, Doc: "BuffersWritten: number of buffers by the session's count. 0 if the session was not stopped."},
	{Name: "start_buffers", Type: Int64, Doc: "StartBuffers: number of buffers at the start that a circular file never overwrites."},
	{Name: "pointer_size", Type: Int32, Doc: "PointerSize of the system, bytes."},
	{Name: "header_pointer_size", Type: Int32, Doc: "Size of a pointer in the trace header itself, by the type of its event header, bytes: the size of the program that wrote the file."},
	{Name: "events_lost", Type: Int64, Nullable: true, Doc: "Events that the session lost while it wrote this file, by its count: EventsLost, of a later file of a series less that of the file before. NULL if that file is not among the inputs, or if the session was not stopped."},
	{Name: "buffers_lost", Type: Int64, Nullable: true, Doc: "Buffers that the session lost, in the same way."},
	{Name: "session_events_lost", Type: Int64, Nullable: true, Doc: "EventsLost: events that the session had lost by the end of this file. It counts through all files of a series: do not add them. NULL if the session was not stopped."},
	{Name: "session_buffers_lost", Type: Int64, Nullable: true, Doc: "BuffersLost, in the same way."},
	{Name: "logger_name", Type: String, Doc: "LoggerName: name of the session."},
	{Name: "log_file_name", Type: String, Doc: "LogFileName: path to which Windows wrote the file."},
	{Name: "time_zone_bias", Type: Int32, Doc: "Bias of the system's time zone: UTC - local time, minutes."},
	{Name: "time_zone_standard_name", Type: String, Doc: "StandardName of the time zone."},
	{Name: "time_zone_standard_bias", Type: Int32, Doc: "StandardBias, minutes, added to the bias outside daylight saving."},
	{Name: "time_zone_standard_date", Type: String, Nullable: true, Doc: "StandardDate: start of standard time, as a yearly rule."},
	{Name: "time_zone_daylight_name", Type: String, Doc: "DaylightName of the time zone."},
	{Name: "time_zone_daylight_bias", Type: Int32, Doc: "DaylightBias, minutes, added to the bias in daylight saving."},
	{Name: "time_zone_daylight_date", Type: String, Nullable: true, Doc: "DaylightDate: start of daylight saving, as a yearly rule."},
	{Name: "enable_flags_text", Type: String, List: true, Nullable: true, Doc: "Events that the kernel logger recorded: the names of the group masks' bits (hook 0x0005). NULL if unknown."},
	{Name: "end_enable_flags_text", Type: String, List: true, Nullable: true, Doc: "The same at the end of the session (hook 0x0020)."},
	{Name: "group_masks", Type: Int64, List: true, Nullable: true, Doc: "The eight group masks as numbers; the first is EnableFlags."},
	{Name: "kernel_event_version", Type: Int64, Nullable: true, Doc: "KernelEventVersion of hook 0x0005."},
	{Name: "provider_pdbs", Type: String, List: true, Nullable: true, Doc: "Debug information of providers' binaries (hook 0x0040), each as name, GUID and age: needed to decode WPP messages."},
	{Name: "partition_id", Type: String, Nullable: true, Doc: "Partition (virtual machine or container) in which the trace was recorded (hook 0x0050). NULL for the root partition."},
	{Name: "partition_parent_id", Type: String, Nullable: true, Doc: "Parent of that partition."},
	{Name: "partition_type", Type: Int64, Nullable: true, Doc: "PartitionType of hook 0x0050."},
	{Name: "qpc_offset_from_root", Type: Int64, Nullable: true, Doc: "QpcOffsetFromRoot of hook 0x0050, ticks; not applied."},
	{Name: "computer_name", Type: String, Nullable: true, Doc: "Name of the computer that recorded the trace, by a SystemConfig/CPU event of the trace or of a sibling. NULL if neither has one."},
	{Name: "session", Type: String, Nullable: true, Doc: "Id of the session that wrote the trace, 16 hexadecimal digits: the same for the files of one series that were converted together. It is made of the boot, the build, the name and the start of the session. NULL if the trace has no start."},
	{Name: "session_file", Type: Int64, Nullable: true, Doc: "Place of the file in the session: in a series the number in log_file_name, else 1. NULL if the name has no number."},
	{Name: "recording", Type: String, Nullable: true, Doc: "Id of the recording, 16 hexadecimal digits: the same for sessions of one boot that began and ended together and were converted together. It is made of the boot, build and start of the earliest of them. NULL if the trace has no start."},
	{Name: "siblings", Type: String, List: true, Nullable: true, Doc: "Traces of the same boot, recorded at about the same time, that were converted with it, by their file_name: their facts about processes, threads, images and files are in its tables, too. NULL if there are none."},
}, payloadColumns)

// Buffers has the buffer headers.
var Buffers = table("buffers", "One row per buffer of the file (WMI_BUFFER_HEADER), in file order.", []string{"buffer"}, []Column{
	{Name: "buffer", Type: Int64, Encoding: Rising, Doc: "Index of the buffer in the file, from 0; the upper half of event_ref."},
	{Name: "file_offset", Type: Int64, Encoding: Rising, Doc: "Offset of the buffer in the file, bytes."},
	{Name: "buffer_size", Type: Int64, Doc: "Size in the file including the header, bytes: BufferSize, or less if the file is cut off."},
	{Name: "saved_offset", Type: Int64, Encoding: Varied, Doc: "SavedOffset: end of the data at the time of the flush."},
	{Name: "data_end", Type: Int64, Encoding: Varied, Doc: "Offset: end of the data."},
	{Name: "uncompressed_size", Type: Int64, Encoding: Varied, Doc: "Size in memory from header to end of data, bytes."},
	{Name: "time_stamp", Type: Int64, Encoding: Varied, Doc: "TimeStamp of the flush: ticks of the trace's clock, or FILETIME in relogged files."},
	{Name: "sequence_number", Type: Int64, Encoding: Rising, Doc: "SequenceNumber, in the order in which buffers were filled."},
	{Name: "processor", Type: Int32, Doc: "ProcessorIndex."},
	{Name: "logger_id", Type: Int32, Doc: "LoggerId: number of the session; it changes where another session was appended."},
	{Name: "state", Type: Int64, Doc: "State; in the first buffer of a compressed trace, the compression format."},
	{Name: "buffer_flag", Type: Int32, Doc: "BufferFlag as a number."},
	{Name: "buffer_flag_text", Type: String, List: true, Doc: "BufferFlag, the names of its bits."},
	{Name: "buffer_type", Type: Int32, Doc: "BufferType as a number."},
	{Name: "buffer_type_text", Type: String, Doc: "BufferType by name."},
	{Name: "events", Type: Int64, Encoding: Varied, Doc: "Number of events in the buffer."},
	{Name: "first_event_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Time of the earliest event, ns since 1970-01-01 UTC. NULL if there are no events."},
	{Name: "last_event_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Time of the latest event, ns since 1970-01-01 UTC. NULL if there are no events."},
	{Name: "damaged", Type: Boolean, Doc: "Whether part of the buffer could not be read; the table problems has the details."},
})

// payloadColumns are the columns of tables that count payloads.
var payloadColumns = []Column{
	{Name: "payloads_whole", Type: Int64, Doc: "Number of payloads that are read to the last byte: every byte is in a named column. An event without payload bytes has no payload."},
	{Name: "payloads_in_part", Type: Int64, Doc: "Number of payloads with some fields in columns, and the rest in payload_rest. The table problems gives the reason."},
	{Name: "payloads_raw", Type: Int64, Doc: "Number of payloads that nothing available describes, and events of unknown header types."},
	{Name: "payload_bytes_whole", Type: Int64, Doc: "Bytes of the payloads that are whole."},
	{Name: "payload_bytes_in_part", Type: Int64, Doc: "Bytes of the payloads in part that are in named columns."},
	{Name: "payload_bytes_rest", Type: Int64, Doc: "Bytes of the payloads in part that are in none."},
	{Name: "payload_bytes_raw", Type: Int64, Doc: "Bytes of the payloads that are raw, and of events of unknown header types."},
}

// CountsPayloads reports whether a column of this name counts payloads.
func CountsPayloads(name string) bool {
	return name == notDecodedColumn || slices.ContainsFunc(payloadColumns, func(c Column) bool { return c.Name == name })
}

const notDecodedColumn = "events_not_decoded"

// Providers has the providers that wrote events.
var Providers = table("providers", "One row per provider or event class that wrote events.", []string{"provider_id"}, []Column{
	{Name: "provider_id", Type: String, Nullable: true, Doc: "Its GUID. NULL for events whose header has none."},
	{Name: "provider_name", Type: String, Nullable: true, Doc: "Its name, from provider traits or schemas in the trace, a manifest or a TMF file; for a kernel class, the name of the class."},
	{Name: "provider_group", Type: String, Nullable: true, Doc: "GUID of the provider group, from provider traits."},
	{Name: "name_source", Type: String, Nullable: true, Doc: "Source of the name: traits, eventsource, eventinfo, manifest, tmf, catalog or built-in; component if the catalogue has it as the name of a part of a program that logs WPP messages or classic events, not of a provider."},
	{Name: "event_types", Type: Int64, Doc: "Number of kinds of event that it wrote, which are rows of event_types."},
	{Name: "events", Type: Int64, Doc: "Number of events that it wrote."},
	{Name: notDecodedColumn, Type: Int64, Doc: "The same number as payloads_raw."},
	{Name: "first_event", Type: Timestamp, Nullable: true, Doc: "Time of its first event, UTC."},
	{Name: "last_event", Type: Timestamp, Nullable: true, Doc: "Time of its last event, UTC."},
}, payloadColumns)

// EventTypes has the kinds of event.
var EventTypes = table("event_types", "One row per kind of event in the trace, with the number of its events.", []string{"header_table", "provider_id", "event_id", "event_version"}, []Column{
	kindColumn(false, "The kind: its number in the trace, from 0. Tables of events have it."),
	{Name: "header_table", Type: String, Doc: "Header table that has its events."},
	{Name: "header_type_name", Type: String, Doc: "Type of the header of the first event, by name; header_type has it of each event, as a number."},
	{Name: "provider_id", Type: String, Nullable: true, Doc: "Provider, class or message GUID."},
	{Name: "provider_name", Type: String, Nullable: true, Doc: "Name of the provider or class."},
	{Name: "event_name", Type: String, Nullable: true, Doc: "Name of the event. If unknown, its id; hook ids and header types are hexadecimal."},
	{Name: "event_id", Type: Int32, Doc: "Event id, class type, hook id or message number, by header table; the header type in other_header."},
	{Name: "hook_symbol", Type: String, Nullable: true, Doc: "Name of the hook id in Microsoft's headers; of two names, both with | between. NULL if it has none, or there is no hook."},
	{Name: "event_version", Type: Int32, Doc: "Version of the event; 0 for messages."},
	{Name: "level", Type: Int32, Nullable: true, Doc: "Level, from the header of the first event or, for a message, from its TMF file. NULL if there is none."},
	{Name: "level_name", Type: String, Nullable: true, Doc: "Its name, from the schema, or one of the names that all providers share."},
	{Name: "opcode", Type: Int32, Nullable: true, Doc: "Opcode, from the header of the first event. NULL if the header has none."},
	{Name: "opcode_name", Type: String, Nullable: true, Doc: "Its name, from the schema, or one of the names that all providers share."},
	{Name: "task", Type: Int32, Nullable: true, Doc: "Task, from the header of the first event. NULL if the header has none."},
	{Name: "task_name", Type: String, Nullable: true, Doc: "Its name, from the schema."},
	{Name: "channel", Type: Int32, Nullable: true, Doc: "Channel, from the header of the first event. NULL if the header has none."},
	{Name: "channel_name", Type: String, Nullable: true, Doc: "Its name, from the schema, or one of the names that all providers share."},
	{Name: "keyword", Type: Uint64, Nullable: true, Doc: "Keyword, from the header of the first event. NULL if the header has none."},
	{Name: "keyword_names", Type: String, List: true, Nullable: true, Doc: "Names of its bits, from the schema, or those that all providers share; for a message, its flags."},
	{Name: "event_tags", Type: Int32, Nullable: true, Doc: "Tags of the event: 28 bits, of TraceLogging or EventInfo, that mean what the provider chooses. NULL if it has none."},
	{Name: "function_name", Type: String, Nullable: true, Doc: "For a message: the function that logs it, from its TMF file."},
	{Name: "source", Type: String, Nullable: true, Doc: "For a message: the source file and line that log it, such as file.c:123."},
	{Name: "message_template", Type: String, Nullable: true, Doc: "The event's message, with the names of fields in braces where their values go. NULL if the description has none, or all templates together are too long."},
	{Name: "events", Type: Int64, Doc: "Number of events."},
	{Name: "first_event", Type: Timestamp, Nullable: true, Doc: "Time of the first event, UTC."},
	{Name: "last_event", Type: Timestamp, Nullable: true, Doc: "Time of the last event, UTC."},
	{Name: "decoder", Type: String, Nullable: true, Doc: "Description that decoded the payload: tracelogging, eventsource, eventinfo, manifest, tmf, catalog or kernel. NULL if nothing did."},
	{Name: "known_from", Type: String, Nullable: true, Doc: "Where that description is: event (in each event), trace (in a manifest or record of the trace), sibling NAME (of a trace of the same session; without the name if there are several), input NAME (another input of the run), file NAME (of the user), or built-in. NULL if nothing decoded the payload."},
	{Name: "layout_builds", Type: Int32, List: true, Nullable: true, Doc: "Builds of Windows that log the event in the layout by which it is decoded, if the built-in catalogue describes it. Payloads that fit only another build's layout are decoded by that: the table problems has them as other_build. NULL for every other decoder."},
	{Name: "payload_table", Type: String, Nullable: true, Doc: "Table that has the payloads. NULL if they are not decoded, or there are too many tables."},
	{Name: "field_list", Type: Struct, List: true, Nullable: true, Fields: fieldColumns,
		Doc: "The fields of the payload, in byte order, as their description declares them. NULL if the event has no description, or there are too many fields."},
}, payloadColumns)

// fieldColumns describe a field in event_types.
var fieldColumns = []Column{
	{Name: "name", Type: String, Doc: "Its name in the source of the description."},
	{Name: "column_name", Type: String, Nullable: true, Doc: "Column of payload_table with its values; items.kind is the member kind of the structures in items. NULL if the values have no column."},
	{Name: "in_type", Type: String, Doc: "Type in which it is stored, as in manifests: win:UInt32, struct; for a message, the item of its TMF file."},
	{Name: "out_type", Type: String, Nullable: true, Doc: "Type in which it is shown, as in manifests: win:HexInt32. NULL for structures and messages."},
	{Name: "is_array", Type: Boolean, Doc: "Whether it is an array."},
	{Name: "depth", Type: Int32, Doc: "Number of structures around it; the members of a structure follow the structure."},
	{Name: "tags", Type: Int32, Nullable: true, Doc: "Its tags: 28 bits, of TraceLogging or EventInfo, that mean what the provider chooses. NULL if it has none."},
}

// CompactSwitches has the context switches in batches.
var CompactSwitches = table("compact_switches", "One row per context switch in compact form (PERF_COMPACT_CSWITCH), in the order of batches: buffers of type 2, and events of hook 0x0525, which are rows of header tables too. Such a switch records the thread that was switched out. Made from public type information; not tested with a real trace.", []string{"batch_ref", "position"}, []Column{
	{Name: "batch_ref", Type: Int64, Encoding: Rising, Doc: "event_ref of the event that is the batch, in its header table."},
	{Name: "position", Type: Int32, Encoding: Varied, Doc: "Number of the switch in its batch, from 0."},
	{Name: "timestamp", Type: Timestamp, Nullable: true, Doc: "Time of the switch, UTC. NULL if it cannot be."},
	{Name: "time_ns", Type: Int64, Nullable: true, Encoding: Varied, Doc: "Time of the switch, ns since 1970-01-01 UTC. NULL if it cannot be."},
	{Name: "processor", Type: Int32, Doc: "Processor that switched, by the header of the buffer."},
	{Name: "old_thread_id", Type: Int64, Doc: "OldThreadIdIndex, looked up in the TidTable of the batch: thread switched out; 0 is the idle thread."},
	{Name: "old_thread_priority", Type: Int32, Nullable: true, Doc: "OldThreadPriority, or base priority plus OldThreadPriInc: priority of the thread switched out. NULL for the idle thread."},
	{Name: "old_thread_state_wr", Type: Int32, Nullable: true, Doc: "OldThreadStateWr: state of the thread switched out, or what it waits for, as one number; no public source says how the two share it. NULL for the idle thread."},
	{Name: "new_thread_id", Type: Int64, Nullable: true, Doc: "Thread that the next switch of the batch switches out, so which was switched in here. NULL for the last switch of a batch."},
	{Name: "new_thread_wait_time", Type: Int64, Nullable: true, Doc: "NewThreadWaitTime: time the thread switched in had waited; unit not documented. NULL where the short form of a switch leaves it out."},
})

// Problems has damage and losses.
var Problems = table("problems", "Damage in the trace, and losses before it was written, in file order.", nil, []Column{
	{Name: "severity", Type: String, Doc: "info: nothing is lost; warning: something was lost before the file was written, or may have been; error: something in the file could not be read."},
	{Name: "code", Type: String, Doc: "Stable name of the kind of problem."},
	{Name: "count", Type: Int64, Doc: "Number of occurrences; more than 1 if the row stands for several problems of its code, or counts lost events or buffers."},
	{Name: "buffer", Type: Int64, Nullable: true, Doc: "Index of the buffer."},
	{Name: "file_offset", Type: Int64, Nullable: true, Doc: "Offset in the file of that buffer, or of bytes that are not a buffer."},
	{Name: "position", Type: Int64, Nullable: true, Doc: "Position in the decompressed buffer."},
	{Name: "field", Type: String, Nullable: true, Doc: "The field or structure that is wrong."},
	{Name: "message", Type: String, Doc: "Description of the problem."},
})
