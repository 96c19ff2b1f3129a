package schema

// byTime is the order of all tables of events. Ties are broken by processor, buffer and position,
// for which there is no single column.
var byTime = []string{"time_ns"}

// commonColumns stand first in every table of events, in this order.
var commonColumns = []Column{
	{Name: "event_ref", Type: Int64, Encoding: Rising,
		Doc: "The event: buffer index << 32 | offset of the event in the decompressed buffer. Unique in the trace, the same in every run; joins all tables."},
	{Name: "timestamp", Type: Timestamp, Nullable: true, Encoding: Rising,
		Doc: "When it was logged, UTC, rounded down to 1 us. NULL if the trace states a time that cannot be (problem time_damaged): rows are in the order of their buffers then."},
	{Name: "time_ns", Type: Int64, Nullable: true, Encoding: Rising,
		Doc: "The same instant in ns since 1970-01-01 UTC, exact to the resolution of the trace's clock. NULL if timestamp is."},
	{Name: ClockColumn, Type: Int64, Nullable: true, Encoding: Rising, Computed: true,
		Doc: "time_ns by a clock that is never set: less the steps by which the system's time was set while the trace was written (problem clock_set). It is time_ns in traces without them. Files of a dataset lack it, and its views compute it. NULL if timestamp is."},
	{Name: SecondsColumn, Type: Double, Nullable: true, Encoding: Varied, Computed: true,
		Doc: "clock_ns since the start of the session, in seconds. Files of a dataset lack it, and its views compute it; NULL if they do not know the trace, or if timestamp is."},
	{Name: "processor", Type: Int32,
		Doc: "Processor that logged it. Always 0 in sessions without buffers per processor."},
	{Name: "process_id", Type: Int64, Nullable: true,
		Doc: "Process the event belongs to: from the header, or from the payload if the event is about another process; id_source says which. NULL if the trace does not contain it."},
	{Name: "thread_id", Type: Int64, Nullable: true,
		Doc: "Thread the event belongs to, in the same way; if neither header nor payload has one, the thread that was running according to the context switches. NULL if the trace does not contain it, or if the event is about a process."},
	{Name: "id_source", Type: String, Nullable: true,
		Doc: "Where process_id and thread_id come from: header, payload, or context_switch. A process may follow from the thread: by events of the class Thread or, with other_event, by other events that name both. NULL if both are NULL."},
	{Name: "process_name", Type: String, Nullable: true,
		Doc: "Image name of that process at that time. NULL if the trace does not contain it."},
	{Name: "header_type", Type: Int32,
		Doc: "The raw header type, the third byte of the event's marker; 0x90 (144) for messages, 0 if there is none."},
	{Name: "pointer_size", Type: Int32,
		Doc: "Bytes of a pointer in the payload, 4 or 8, by the header type. If the header does not state it, the size of the trace. If the payload of a kernel event fits only the other size, that size."},
	{Name: "provider_id", Type: String, Nullable: true,
		Doc: "GUID of the provider; of the class for kernel and classic events; of the message for WPP. NULL where neither the header nor a public source has one."},
	{Name: "provider_name", Type: String, Nullable: true,
		Doc: "Name of the provider as the trace gives it (provider traits), or of the kernel class."},
	{Name: "event_name", Type: String, Nullable: true,
		Doc: "Name of the event. If neither the trace nor a description names it, its id: the event id, the type of its class, the number of a message, or the hook id or header type in hexadecimal."},
	kindColumn(true, "Kind of the event: joins event_types, with trace. NULL beyond the 65,536 kinds of a trace that it lists."),
	{Name: "payload_size", Type: Int32,
		Doc: "Bytes of payload: the event less its header and extended items."},
	{Name: PayloadColumn, Type: Binary, Nullable: true, Encoding: Varied,
		Doc: "The raw payload, of the events for which the option payload keeps it. NULL otherwise."},
}

// kindColumn is the column that joins all tables of events with event_types.
func kindColumn(nullable bool, doc string) Column {
	return Column{Name: KindColumn, Type: Int32, Nullable: nullable, Doc: doc}
}

// KindColumn is the column of the kind of an event, in all tables of events and as the key
// of event_types.
const KindColumn = "event_kind"

// The columns of time of all tables of events. The others are computed from TimeColumn, event_ref and what
// is known of the trace.
const (
	TimeColumn    = "time_ns"
	ClockColumn   = "clock_ns"
	SecondsColumn = "seconds"
)

// PayloadColumn is the column of the raw payload, in tables of headers that have
// one.
const PayloadColumn = "payload"

// FieldsColumn is the column of decoded payloads as JSON, in tables of headers.
const FieldsColumn = "fields"

// FileNameColumn is the column of the file that an event is about, in tables
// that have one; see Event.Files.
const FileNameColumn = "file_name"

// counterNameColumn comes after pmc_counters.
var counterNameColumn = Column{Name: "pmc_names", Type: String, List: true, Nullable: true,
	Doc: "Names of the counters in pmc_counters, as the trace's PmcCtrConfig events give them. NULL where no such event names as many."}

// The columns that are the same in several headers.
var (
	decodedColumns = []Column{
		{Name: FieldsColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The decoded payload as a JSON object, with the option fields, and of events that have no table of their own because there are too many. NULL otherwise."},
	}
	headerIDColumns = []Column{
		{Name: "header_process_id", Type: Int64, Nullable: true,
			Doc: "Process in the header, where id_source is payload: the one that logged the event. NULL where process_id is from the header, or the header has none."},
		{Name: "header_thread_id", Type: Int64, Nullable: true,
			Doc: "Thread in the header, in the same way."},
	}
	fileNameColumn = Column{Name: FileNameColumn, Type: String, Nullable: true,
		Doc: "Path of the file at that time, with a drive letter if the trace has it. NULL if the trace does not contain the path. A payload field of this name is in payload_file_name, as it was logged."}
	hookColumns = []Column{
		{Name: "hook_id", Type: Int32, Doc: "HookId: event_group << 8 | event_type."},
		{Name: "event_group", Type: Int32, Doc: "Group: the kernel event class (provider_id has its GUID)."},
		{Name: "event_type", Type: Int32, Doc: "Type: the event in its group, the opcode of the MOF class."},
		{Name: "event_version", Type: Int32, Doc: "Version of the event, the low byte of the header's Version."},
	}
	counterColumns = []Column{
		{Name: "pmc_counters", Type: Uint64, List: true, Nullable: true, Encoding: Varied,
			Doc: "Values of the processor's performance counters, as many as the session configured. NULL if it configured none."},
		counterNameColumn,
		{Name: "pebs_index", Type: Uint64, Nullable: true, Encoding: Varied,
			Doc: "Index of the PEBS record. NULL if there is none."},
	}
	kernelUserTime = []Column{
		{Name: "kernel_time", Type: Int64, Nullable: true,
			Doc: "KernelTime: time of the thread in kernel mode so far, in units of traces.timer_resolution. NULL where the header has none."},
		{Name: "user_time", Type: Int64, Nullable: true,
			Doc: "UserTime: time of the thread in user mode so far, in units of traces.timer_resolution. NULL where the header has none."},
	}
	processorTime = []Column{
		{Name: "processor_time", Type: Uint64, Nullable: true, Encoding: Varied,
			Doc: "ProcessorTime: in the place of kernel_time and user_time, cycles or ticks of the thread in sessions private to a process. NULL in other sessions."},
	}
	classColumns = []Column{
		{Name: "class_type", Type: Int32, Doc: "Class.Type: the event in its class, the opcode of MOF."},
		{Name: "class_level", Type: Int32, Doc: "Class.Level: 1 critical, 2 error, 3 warning, 4 information, 5 verbose."},
		{Name: "class_version", Type: Int32, Doc: "Class.Version of the event."},
	}
)

// instanceColumns are the columns of INSTANCE headers, and of the extended item that replaces these
// in an EVENT_HEADER.
func instanceColumns(nullable bool) []Column {
	return []Column{
		{Name: "instance_id", Type: Int64, Nullable: nullable, Encoding: Varied, Doc: "InstanceId: the transaction this event belongs to."},
		{Name: "parent_instance_id", Type: Int64, Nullable: nullable, Encoding: Varied, Doc: "ParentInstanceId: the transaction that one is part of."},
		{Name: "parent_guid", Type: String, Nullable: true, Doc: "ParentGuid: event class of the parent. NULL if the header has none."},
	}
}

// CommonColumns returns the columns that every table of events begins with.
// The caller must not change them.
func CommonColumns() []Column { return commonColumns }
