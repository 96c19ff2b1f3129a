package schema

// byTime is the order of all tables of events; ties are broken by processor,
// buffer and position, which no column alone can say.
var byTime = []string{"time_ns"}

// commonColumns stand first in every table of events, in this order.
var commonColumns = []Column{
	{Name: "event_ref", Type: Int64, Encoding: Varied,
		Doc: "The event: buffer index << 32 | offset of the event in the decompressed buffer. Unique in the trace, the same in every run; joins all tables."},
	{Name: "timestamp", Type: Timestamp, Encoding: Rising,
		Doc: "When it was logged, UTC, rounded down to 1 us."},
	{Name: "time_ns", Type: Int64, Encoding: Rising,
		Doc: "The same instant in ns since 1970-01-01 UTC, exact to the resolution of the trace's clock."},
	{Name: "processor", Type: Int32,
		Doc: "Processor that logged it. Always 0 in sessions without buffers per processor."},
	{Name: "process_id", Type: Int64, Nullable: true,
		Doc: "Process it was logged in, from the header. NULL where the header has none, or 0xFFFFFFFF."},
	{Name: "thread_id", Type: Int64, Nullable: true,
		Doc: "Thread it was logged in, from the header. NULL where the header has none, or 0xFFFFFFFF."},
	{Name: "id_source", Type: String, Nullable: true,
		Doc: "Where process_id and thread_id come from: header. NULL if both are NULL."},
	{Name: "process_name", Type: String, Nullable: true,
		Doc: "Image name of that process at that time. NULL until attribution is built."},
	{Name: "header_type", Type: Int32,
		Doc: "The raw header type, the third byte of the event's marker; 0x90 (144) for messages, 0 for what has none."},
	{Name: "pointer_size", Type: Int32,
		Doc: "Bytes of a pointer in the payload, 4 or 8, by the header type. Where the header does not tell, that of the trace."},
	{Name: "provider_id", Type: String, Nullable: true,
		Doc: "GUID of the provider; of the class for kernel and classic events; of the message for WPP. NULL where neither the header nor a public source has one."},
	{Name: "provider_name", Type: String, Nullable: true,
		Doc: "Name of the provider as the trace gives it (provider traits), or of the kernel class."},
	{Name: "event_name", Type: String, Nullable: true,
		Doc: "Name of the event. NULL where nothing at hand names it."},
	{Name: "payload_size", Type: Int32,
		Doc: "Bytes of payload: the event less its header and extended items."},
	{Name: "payload", Type: Binary, Nullable: true, Encoding: Varied,
		Doc: "The raw payload; --payload decides when it is kept. NULL otherwise."},
}

// The columns that are the same in several headers.
var (
	hookColumns = []Column{
		{Name: "hook_id", Type: Int32, Doc: "HookId: event_group << 8 | event_type."},
		{Name: "event_group", Type: Int32, Doc: "Group: the kernel event class (provider_id has its GUID)."},
		{Name: "event_type", Type: Int32, Doc: "Type: the event in its group, the opcode of the MOF class."},
		{Name: "event_version", Type: Int32, Doc: "Version of the event, the low byte of the header's Version."},
	}
	counterColumns = []Column{
		{Name: "pmc_counters", Type: Uint64, List: true, Nullable: true, Encoding: Varied,
			Doc: "Values of the processor's performance counters, as many as the session configured. NULL if it configured none."},
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

// instanceColumns are those of INSTANCE headers, and of the extended item
// that stands for them in an EVENT_HEADER.
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
