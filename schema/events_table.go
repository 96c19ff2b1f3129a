package schema

// EventsName is the name of the table of all events, and of the view that a
// dataset has in its place.
const EventsName = "events"

// EventsTable returns the table with every event once, whatever its header. It is
// made when it is asked for by name, and is not among [Tables]: datasets have its
// rows in the tables of headers. The caller must not change it.
func EventsTable() *Table { return eventsTable }

var eventsTable = table(EventsName, "Every event of a trace, once, in time order.", byTime,
	[]Column{{Name: "header_table", Type: String, Doc: "Table of the event, by the type of its header."}},
	commonColumns,
	[]Column{
		{Name: FieldsColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The decoded payload as a JSON object. NULL where nothing describes the event."},
		{Name: MessageColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The event's message, with the values in place. NULL where what describes the event has none."},
	})
