package schema

import "slices"

// HeaderTables returns the tables with one row per event, one for each family
// of event headers. Every event of a trace is in exactly one of them. The
// caller must not change them.
func HeaderTables() []*Table { return headerTables }

var headerTables = []*Table{
	table("system_trace_header",
		"Events with a SYSTEM_TRACE_HEADER or its COMPACT form (header types 1 to 4): kernel events that carry process and thread.",
		byTime, commonColumns, headerIDColumns, hookColumns, kernelUserTime, counterColumns, headerSizeColumns, decodedColumns),
	table("perfinfo_trace_header",
		"Events with a PERFINFO_TRACE_HEADER (0x10, 0x11): frequent kernel events, without process and thread.",
		byTime, commonColumns, hookColumns, counterColumns, headerSizeColumns, decodedColumns),
	table("event_trace_header",
		"Events with an EVENT_TRACE_HEADER (FULL_HEADER, 0x0A and 0x14): classic events, described by MOF classes.",
		byTime, commonColumns, headerIDColumns, classColumns, kernelUserTime, processorTime, headerSizeColumns, decodedColumns),
	table("event_instance_header",
		"Events with an EVENT_INSTANCE_HEADER or EVENT_INSTANCE_GUID_HEADER (INSTANCE, 0x0B and 0x15): classic events that name a transaction.",
		byTime, commonColumns, headerIDColumns, classColumns, kernelUserTime, processorTime, instanceColumns(false), []Column{
			{Name: "reg_handle", Type: Uint64, Nullable: true, Encoding: Varied,
				Doc: "RegHandle: in place of the class GUID in the old form of the header. NULL in the new one."},
			{Name: "parent_reg_handle", Type: Uint64, Nullable: true, Encoding: Varied,
				Doc: "ParentRegHandle: in place of the parent's GUID in the old form. NULL in the new one."},
		}, headerSizeColumns, decodedColumns),
	table("event_header",
		"Events with an EVENT_HEADER (0x12, 0x13): those of manifest-based providers, TraceLogging and EventSource.",
		byTime, commonColumns, eventHeaderColumns, kernelUserTime, processorTime, itemColumns, headerSizeColumns, itemsSizeColumns, decodedColumns),
	table("message_trace_header",
		"WPP messages, with a MESSAGE_TRACE_HEADER (0x90).",
		byTime, commonColumns, []Column{
			{Name: "message_number", Type: Int32, Doc: "MessageNumber: the message in its source file (message_guid)."},
			{Name: "message_flags", Type: Int32, Doc: "OptionFlags: which of the other fields are there (TRACE_MESSAGE_*)."},
			{Name: "message_flags_text", Type: String, Nullable: true, Doc: "What message_flags means, by name. NULL if no bit is set."},
			{Name: "sequence_number", Type: Int64, Nullable: true, Encoding: Rising, Doc: "Sequence number; gaps mean lost messages. NULL if not requested."},
			{Name: "message_guid", Type: String, Nullable: true, Doc: "GUID that names the TMF file of the message. NULL if there is a component id."},
			{Name: "component_id", Type: Int64, Nullable: true, Doc: "Component id, in place of a GUID."},
			{Name: "performance_timestamp", Type: Int64, Nullable: true, Encoding: Rising,
				Doc: "Time stamp in QPC ticks, of messages that ask for one whatever the session's clock is."},
			{Name: "has_time", Type: Boolean, Doc: "Whether the message has a time stamp of the session's clock. If not, timestamp is copied from the event before it in its buffer, unless it has one that cannot be (problem time_damaged)."},
			{Name: "level_name", Type: String, Nullable: true, Doc: "Level of the message, by name: the event has none. NULL without a TMF file for it."},
			{Name: "function_name", Type: String, Nullable: true, Doc: "Function that logs it. NULL without a TMF file for it, or if the file does not name it."},
			{Name: "source", Type: String, Nullable: true, Doc: "Source file and line that log it, as file.c:123. NULL without a TMF file for it."},
			{Name: "message", Type: String, Nullable: true, Encoding: Varied, Doc: "The message's text, with its arguments in place. NULL without a TMF file for it."},
		}, headerSizeColumns, decodedColumns),
	table("other_header",
		"What is known to be an event by its marker and size only: ERROR, WNODE and TIMED headers, types of no public source, and buffers that hold something else than events.",
		byTime, commonColumns, []Column{
			{Name: "marker", Type: Int64, Doc: "The first four bytes, which identify its kind."},
			{Name: "has_time", Type: Boolean, Doc: "Whether it has a time stamp of its own. If not, timestamp is copied from the event before it in its buffer, unless it has one that cannot be (problem time_damaged)."},
			{Name: "raw", Type: Binary, Nullable: true, Encoding: Varied, Doc: "All of its bytes. NULL where the option payload is none."},
		}),
}

var eventHeaderColumns = []Column{
	{Name: "event_id", Type: Int32, Doc: "Id of the event. 0 for TraceLogging, where the name identifies the event."},
	{Name: "event_version", Type: Int32, Doc: "Version of the event."},
	{Name: "channel", Type: Int32, Doc: "Channel: 0 none, 11 TraceLogging, 16 and up as the manifest says."},
	{Name: "level", Type: Int32, Doc: "Level: 0 always, 1 critical, 2 error, 3 warning, 4 information, 5 verbose."},
	{Name: "opcode", Type: Int32, Doc: "Opcode: 0 info, 1 start, 2 stop, others as winmeta.h or the manifest say."},
	{Name: "task", Type: Int32, Doc: "Task, as the manifest says."},
	{Name: "keyword", Type: Uint64, Doc: "Keyword: bits that the provider chose, and the channel in the top 16."},
	{Name: "activity_id", Type: String, Nullable: true, Doc: "ActivityId. NULL if it is all zero, which means none."},
	{Name: "activity_path", Type: String, Nullable: true,
		Doc: "Path of the activity among those of its process, such as //1/2/3, the outermost first. An EventSource encodes it in activity_id, with a checksum. NULL for other ids."},
	{Name: "event_flags", Type: Int32, Doc: "Flags as stored: bit 0 says that extended items follow."},
	{Name: "event_flags_text", Type: String, Nullable: true, Doc: "What event_flags means, by name (EVENT_HEADER_FLAG_*). NULL if no bit is set."},
	{Name: "event_property", Type: Int32, Doc: "EventProperty: 1 XML, 2 forwarded XML, 4 legacy event log, 8 reloggable."},
	{Name: "event_property_text", Type: String, Nullable: true, Doc: "What event_property means, by name (EVENT_HEADER_PROPERTY_*). NULL if no bit is set."},
}

// headerSizeColumns and itemsSizeColumns have, with payload_size, the sizes of the parts
// of an event.
var (
	headerSizeColumns = []Column{
		{Name: "header_size", Type: Int32, Doc: "Bytes of the header, with the counters or optional fields between it and the payload; without extended items."},
	}
	itemsSizeColumns = []Column{
		{Name: "items_size", Type: Int32, Doc: "Bytes of the extended items, with their headers and padding. header_size, items_size and payload_size add up to the size of the event."},
	}
)

// eventColumns come after the common columns in tables of events that have an EVENT_HEADER, in the
// order of the table of these headers.
var eventColumns = func() (list []Column) {
	for _, name := range []string{"event_id", "event_version", "level", "opcode", "task", "keyword", "activity_id", "related_activity_id"} {
		header := headerTables[slices.IndexFunc(headerTables, func(t *Table) bool { return t.Name == "event_header" })]
		list = append(list, header.Columns[header.Column(name)])
	}
	return list
}()

// EventColumns returns the columns after the common columns in tables of events that have an
// EVENT_HEADER; see [Table.HasDescriptor]. The caller must not change them.
func EventColumns() []Column { return eventColumns }

// itemColumns are the extended items of an EVENT_HEADER, by their type.
var itemColumns = append([]Column{
	{Name: "related_activity_id", Type: String, Nullable: true, Doc: "RELATED_ACTIVITYID: the activity that caused this one."},
	{Name: "user_sid", Type: String, Nullable: true, Doc: "SID: the user of the thread, as S-1-..."},
	{Name: "terminal_session_id", Type: Int64, Nullable: true, Doc: "TS_ID: the terminal session of the process."},
}, append(instanceColumns(true), []Column{
	{Name: "stack_match_id", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "MatchId of STACK_TRACE: not 0 if the other part of the stack comes with another event of the same id."},
	{Name: "stack", Type: Uint64, List: true, Nullable: true, Encoding: Varied, Doc: "STACK_TRACE32 or 64: return addresses, innermost first."},
	{Name: "pebs_index", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "PEBS_INDEX: index of the PEBS record."},
	{Name: "pmc_counters", Type: Uint64, List: true, Nullable: true, Encoding: Varied, Doc: "PMC_COUNTERS: values of the processor's performance counters."},
	counterNameColumn,
	{Name: "psm_key", Type: Binary, Nullable: true, Doc: "PSM_KEY: the application package, opaque."},
	{Name: "event_key", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "EVENT_KEY: the same in every session that recorded the event."},
	{Name: "tracelogging_schema", Type: Binary, Nullable: true, Doc: "EVENT_SCHEMA_TL: TraceLogging metadata, the event's name and fields."},
	{Name: "event_tags", Type: Int32, Nullable: true, Doc: "Tags of the event: 28 bits, of TraceLogging or EventInfo, that mean what the provider chooses. NULL if it has none."},
	{Name: "provider_traits", Type: Binary, Nullable: true, Doc: "PROV_TRAITS: name and group of the provider."},
	{Name: "process_start_key", Type: Uint64, Nullable: true, Doc: "PROCESS_START_KEY: identifies the process uniquely since boot."},
	{Name: "control_guid", Type: String, Nullable: true, Doc: "CONTROL_GUID: the provider that was enabled, where the event names another."},
	{Name: "qpc_delta", Type: Int64, Nullable: true, Encoding: Varied, Doc: "QPC_DELTA: offset of the session's clock, ticks; not applied."},
	{Name: "container_id", Type: String, Nullable: true, Doc: "CONTAINER_ID: GUID of the container of the process."},
	{Name: "stack_key_match_id", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "MatchId of STACK_KEY."},
	{Name: "stack_key", Type: Uint64, Nullable: true, Encoding: Varied, Doc: "STACK_KEY32 or 64: key of a stack that is defined elsewhere in the trace."},
	{Name: "extended_rest", Type: Binary, Nullable: true, Encoding: Varied,
		Doc: "Extended items that have no column, complete: of undocumented types, with data of the wrong size, or the second of their type."},
}...)...)

// IsHeaderTable reports whether a table of this name is one of [HeaderTables].
func IsHeaderTable(name string) bool {
	return slices.ContainsFunc(HeaderTables(), func(t *Table) bool { return t.Name == name })
}
