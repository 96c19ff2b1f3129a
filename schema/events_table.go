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
	{Name: "level_name", Type: String, Nullable: true, Doc: "Level by name. NULL where no name is known, or the event has another level than the first of its kind."},
	{Name: "opcode_name", Type: String, Nullable: true, Doc: "Opcode by name, in the same way."},
	{Name: "task_name", Type: String, Nullable: true, Doc: "Task by name, in the same way."},
	{Name: "seconds", Type: Double, Nullable: true, Encoding: Varied, Doc: "Time since the first event of the trace, in seconds. NULL in a dataset without the table buffers."},
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
