package schema

// StackIDColumn is the column that joins stack_events and stacks.
const StackIDColumn = "stack_id"

// StackEvents has the events that have a call stack.
var StackEvents = table("stack_events", "One row per event with a call stack, in time order; stack_id joins stacks, with trace. A stack whose event is not in the trace has a row too.", byTime, []Column{
	{Name: "event_ref", Type: Int64, Nullable: true, Encoding: Rising, Doc: "The event; joins all tables. NULL if it is not in the trace."},
	{Name: "timestamp", Type: Timestamp, Nullable: true, Encoding: Rising, Doc: "Time of the event, UTC, rounded down to 1 us. NULL if it cannot be (problem time_damaged)."},
	{Name: "time_ns", Type: Int64, Nullable: true, Encoding: Rising, Doc: "The same instant in ns since 1970-01-01 UTC. NULL if timestamp is."},
	{Name: "processor", Type: Int32, Nullable: true, Doc: "Processor that logged the event. NULL if it is not in the trace."},
	stackProcessID,
	{Name: "thread_id", Type: Int64, Nullable: true, Doc: "Thread of the stack. NULL if the trace does not contain it."},
	stackProcessName,
	{Name: "provider_id", Type: String, Nullable: true, Doc: "GUID of the event's provider or class. NULL if it has none."},
	{Name: "event_id", Type: Int32, Nullable: true, Doc: "Event id, class type or hook id of the event. NULL if it is not in the trace."},
	{Name: "event_name", Type: String, Nullable: true, Doc: "Name of the event, as class/name. If neither the trace nor a description names it, provider/id. NULL without an event."},
	kindColumn(true, "Kind of the event: joins event_types, with trace. NULL if it is not in the trace, or of no kind that event_types lists."),
	{Name: "sources", Type: String, List: true, Doc: "Sources of the parts, in their order: stack_walk, stack_key, item or clr_stack_walk."},
	{Name: "unresolved_keys", Type: Int32, Doc: "Number of parts that are only a key, which the trace does not define."},
	{Name: StackIDColumn, Type: Int64, Doc: "The stack, put together from all its parts: joins stacks, with trace."},
})

// Stacks has the distinct call stacks.
var Stacks = table("stacks", "One row per distinct call stack of a process, in the order in which stack_events first has them.", nil, []Column{
	{Name: StackIDColumn, Type: Int64, Encoding: Varied, Doc: "A hash of the other columns: equal stacks have the same id in all traces, whatever is converted with them."},
	stackProcessID,
	stackProcessName,
	{Name: "kernel_frames", Type: Int32, Doc: "Number of frames in the kernel; they come first."},
	{Name: "addresses", Type: Uint64, List: true, Encoding: Alike, Doc: "The frames: return addresses, innermost first; kernel frames come before those of the process."},
	{Name: "modules", Type: String, List: true, Doc: "Per frame the name of the image that contains the address, or that the method is from; empty if the trace does not contain it."},
	{Name: "functions", Type: String, List: true, Doc: "Per frame the name of the function; empty if neither the trace nor symbols name it."},
	{Name: "symbols", Type: String, List: true, Nullable: true, Doc: "Per frame the name of the function in the symbols, if it differs from functions; empty otherwise. NULL if none differs."},
	{Name: "offsets", Type: Uint64, List: true, Encoding: Alike, Doc: "Per frame the distance of the address from the function's first byte or, without a function, from the image's; the address itself if there is neither."},
})

var (
	stackProcessID   = Column{Name: "process_id", Type: Int64, Nullable: true, Doc: "Process of the stack. NULL if the trace does not contain it."}
	stackProcessName = Column{Name: "process_name", Type: String, Nullable: true, Doc: "Image name of that process at that time. NULL if the trace does not contain it."}
)
