package schema

// EventsName is the name of the table of all events, and of the view that replaces it in a dataset.
const EventsName = "events"

// EventsTable returns the table that has every event once, whatever its header. It is made only on
// request by name, and is not one of [Tables]: datasets have its rows in the tables of headers. The
// caller must not change it.
func EventsTable() *Table { return eventsTable }

// SummaryColumns returns the columns of the table and the view of all events after the common
// columns. The caller must not change them.
func SummaryColumns() []Column { return summaryColumns }

var summaryColumns = []Column{
	{Name: "event_id", Type: Int32, Doc: "Event id, class type, hook id or message number, by header table; the header type in other_header."},
	{Name: "event_version", Type: Int32, Nullable: true, Doc: "Version of the event or of its class. NULL for messages and in other_header."},
	{Name: "level", Type: Int32, Nullable: true, Doc: "Level: 0 always, 1 critical, 2 error, 3 warning, 4 information, 5 verbose; of a message, by its TMF file. NULL where the header has none, as in all events of the kernel's own form, and for messages without a TMF file."},
	{Name: "level_name", Type: String, Nullable: true, Doc: "Level by name. NULL where no name is known, or the event has another level than the first of its kind."},
	{Name: "task", Type: Int32, Nullable: true, Doc: "Task, as the manifest says. NULL where the header is no EVENT_HEADER."},
	{Name: "task_name", Type: String, Nullable: true, Doc: "Task by name, in the same way as level_name."},
	{Name: "opcode", Type: Int32, Nullable: true, Doc: "Opcode: 0 info, 1 start, 2 stop, others as winmeta.h or the manifest say. NULL where the header is no EVENT_HEADER: the type of a class, and of a kernel event, is event_id."},
	{Name: "opcode_name", Type: String, Nullable: true, Doc: "Opcode by name, in the same way as level_name."},
	{Name: "keyword", Type: Uint64, Nullable: true, Doc: "Keyword: bits that the provider chose, and the channel in the top 16. NULL where the header is no EVENT_HEADER."},
	{Name: "channel", Type: Int32, Nullable: true, Doc: "Channel: 0 none, 11 TraceLogging, 16 and up as the manifest says. NULL where the header is no EVENT_HEADER."},
	{Name: "activity_id", Type: String, Nullable: true, Doc: "ActivityId. NULL if it is all zero, which means none, and where the header is no EVENT_HEADER."},
	{Name: "related_activity_id", Type: String, Nullable: true, Doc: "The activity that caused this one. NULL if the event names none."},
	{Name: StackIDColumn, Type: Int64, Nullable: true, Encoding: Varied, Doc: "Call stack of the event: joins stacks, with trace. NULL if it has none."},
}

var eventsTable = table(EventsName, "Every event of a trace, once, in time order.", byTime,
	[]Column{{Name: "header_table", Type: String, Doc: "Table of the event, by the type of its header."}},
	commonColumns,
	summaryColumns,
	[]Column{
		{Name: FieldsColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The decoded payload as a JSON object. NULL where nothing describes the event."},
		{Name: MessageColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The event's message, with the values in place. NULL where what describes the event has none, or the fields say the same (option messages)."},
	})
