package logs

import (
	"slices"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/valuetext"
	"github.com/etl2parquet/etl2parquet/schema"
)

// part is a column that has a place of its own in a record.
type part int

// The parts. Those before firstText are numbers.
const (
	timeNS part = iota
	processID
	threadID
	eventID
	eventVersion
	level
	task
	opcode
	keyword
	channel

	traceName
	processName
	providerID
	providerName
	eventName
	levelName
	taskName
	opcodeName
	activityID
	relatedActivityID
	fields
	message
	payload
	parts

	firstText = traceName
)

// partNames are the names of the columns.
var partNames = [parts]string{
	timeNS: schema.TimeColumn, processID: "process_id", threadID: "thread_id", eventID: "event_id", eventVersion: "event_version", level: "level",
	task: "task", opcode: "opcode", keyword: "keyword", channel: "channel", traceName: schema.TraceColumn.Name, processName: "process_name",
	providerID: "provider_id", providerName: "provider_name", eventName: "event_name", levelName: "level_name", taskName: "task_name",
	opcodeName: "opcode_name", activityID: "activity_id", relatedActivityID: "related_activity_id", fields: schema.FieldsColumn,
	message: schema.MessageColumn, payload: schema.PayloadColumn,
}

// timestamp is the column that people name to see the time, all of whose digits are in another.
const timestamp = "timestamp"

// IsOfEvents reports whether the rows of a table are events, which have a time.
func IsOfEvents(t *schema.Table) bool { return t.Column(schema.TimeColumn) >= 0 }

// columnsOf returns the columns of a table that records are made of: some parts, and the columns with
// fields.
func columnsOf(t *schema.Table, wanted []part) []string {
	var names []string
	for _, p := range wanted {
		if partAt(t, partNames[p]) == p {
			names = append(names, partNames[p])
		}
	}
	for i := range t.Columns {
		if name := t.Columns[i].Name; !isCommon(t, name) {
			names = append(names, name)
		}
	}
	return names
}

// isCommon reports whether a column of a table is one that all events have, rather than of its own.
func isCommon(t *schema.Table, name string) bool {
	switch {
	case name == schema.TraceColumn.Name:
		return true
	case schema.EventsTable().Column(name) < 0:
		return false
	case !t.IsPayload() || !slices.ContainsFunc(schema.SummaryColumns(), func(c schema.Column) bool { return c.Name == name }):
		return true
	}
	// A table of a kernel event lacks the summary, whose names its fields may have. Fields may be NULL.
	return name == partNames[activityID] || name == partNames[relatedActivityID] || t.Column(name) >= 0 && !t.Columns[t.Column(name)].Nullable
}

// partAt returns the part that a column of a table is, or -1.
func partAt(t *schema.Table, name string) part {
	if !isCommon(t, name) {
		return -1
	}
	p := part(slices.Index(partNames[:], name))
	if p < 0 || t.Column(name) < 0 {
		return -1
	}
	switch c := &t.Columns[t.Column(name)]; {
	case c.List:
		return -1
	case p < firstText:
		if c.Type != schema.Int32 && c.Type != schema.Int64 && c.Type != schema.Uint64 {
			return -1
		}
	case c.Type != schema.String && c.Type != schema.Binary:
		return -1
	}
	return p
}

// layout says where the parts of records are in batches of a table.
type layout struct {
	at     [parts]int // -1: the table has no such column, or it is not shown
	others []int      // the columns that are not parts
}

// newLayout returns the layout for some columns of a table.
func newLayout(t *schema.Table, shown []string) *layout {
	l := new(layout)
	for p := range l.at {
		l.at[p] = -1
	}
	for _, name := range shown {
		p := partAt(t, name)
		switch {
		case name == timestamp && IsOfEvents(t):
			l.at[timeNS] = t.Column(schema.TimeColumn)
		case p >= 0:
			l.at[p] = t.Column(name)
		default:
			l.others = append(l.others, t.Column(name))
		}
	}
	return l
}

// event is a row of a batch. A part that it lacks is not in has.
type event struct {
	layout  *layout
	batch   *columns.Batch
	cursors [parts]valuetext.Cursor
	others  []valuetext.Cursor
	writer  *valuetext.Writer
	row     int

	has     [parts]bool
	numbers [firstText]int64
	texts   [parts][]byte
}

func (l *layout) begin(b *columns.Batch) *event {
	e := &event{layout: l, batch: b, writer: valuetext.NewWriter(&b.Texts)}
	for p, at := range l.at {
		if at >= 0 {
			e.cursors[p] = valuetext.NewCursor(&b.Columns[at])
		}
	}
	for _, at := range l.others {
		e.others = append(e.others, valuetext.NewCursor(&b.Columns[at]))
	}
	return e
}

// read takes the parts of a row. All rows must be read, in their order.
func (e *event) read(row int) {
	e.row = row
	for p, at := range e.layout.at {
		if at < 0 {
			continue
		}
		c := &e.cursors[p]
		if e.has[p] = c.Column.Has(row); !e.has[p] {
			continue
		}
		if part(p) >= firstText {
			e.texts[p] = c.Bytes(&e.batch.Texts)
			continue
		}
		if c.Column.Spec.Type == schema.Int32 {
			e.numbers[p] = int64(c.Column.Small[c.Next])
		} else {
			e.numbers[p] = c.Column.Ints[c.Next]
		}
		c.Next++
	}
}

// isUnnamed reports whether the name of the event is its id, because nothing names it.
func (e *event) isUnnamed() bool {
	return e.has[eventID] && string(e.texts[eventName]) == strconv.FormatInt(e.numbers[eventID], 10)
}
