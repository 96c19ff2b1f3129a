// Package stacks joins events with their call stacks, which are rows of two tables: stack_events has the id
// of each event's stack, and stacks has the frames of each id once.
package stacks

import (
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
)

// Stack is a row of the table stacks: its id, and the names of its frames, innermost first. A name is "" if
// it is unknown.
type Stack struct {
	ID        int64    `column:"stack_id"`
	Modules   []string `column:"modules"`
	Functions []string `column:"functions"`
}

// Event is a row of the table stack_events.
type Event struct {
	Trace   string `column:"trace"` // "" if the rows are of one trace
	Time    int64  `column:"time_ns" null:"-1"`
	Ref     *int64 `column:"event_ref"` // NULL if the trace lacks the event
	StackID int64  `column:"stack_id"`
}

// eventKey identifies an event.
type eventKey struct {
	trace string
	ref   int64
}

// Join finds the stacks of events. Both come in time order, so that only the stacks of one time are in
// memory. The caller releases the rows.
type Join struct {
	rows *recordbatch.Reader[Event]
	more bool               // rows is at a row that is not in ids
	time int64              // of ids
	ids  map[eventKey]int64 // of stacks
}

// NewJoin returns a join with the first of some rows.
func NewJoin(rows *recordbatch.Reader[Event]) *Join {
	return &Join{rows: rows, more: rows.Next(), ids: make(map[eventKey]int64)}
}

// Find returns the id of the stack of an event. Times must not decrease.
func (j *Join) Find(time int64, trace string, ref int64) (id int64, found bool) {
	for ; j.more && j.rows.Row.Time <= time; j.more = j.rows.Next() {
		row := &j.rows.Row
		if row.Time < time || row.Ref == nil {
			continue
		}
		if j.time != time {
			clear(j.ids)
			j.time = time
		}
		j.ids[eventKey{strings.Clone(row.Trace), *row.Ref}] = row.StackID
	}
	id, found = j.ids[eventKey{trace, ref}]
	return id, found
}
