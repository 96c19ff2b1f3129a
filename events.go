package etl2parquet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Event is an event of a trace. A value that the trace does not record is "", or -1 for ids and
// numbers.
type Event struct {
	Trace       string    // the name of its trace
	Ref         int64     // identifies the event in its trace: the column event_ref of all tables
	Time        time.Time // UTC, exact to the resolution of the trace's clock; zero if the trace states a time that cannot be
	Processor   int       // that logged it
	ProcessID   int64     // of the process that the event belongs to
	ThreadID    int64     // of the thread that the event belongs to
	ProcessName string
	ProviderID  string // a GUID
	Provider    string // its name
	Name        string // such as CSwitch, with a task GC/Start, or a symbol; its id if nothing names it
	ID          int    // event id, class type, hook id or message number
	Level       string // by name
	Task        string // by name
	Opcode      string // by name
	Message     string // with the values in place, if Options.Messages renders it
	Payload     []byte // the raw payload, if Scan.Payload keeps it

	fields string // JSON
}

// Field is a decoded field of an event.
type Field struct {
	Name string
	// Value is nil, a bool, a string, an int64, a uint64 (if an int64 is too small), a float64,
	// a []Field for a structure, or an []any for a list of these. Bytes are hexadecimal text.
	Value any
}

// Fields returns the decoded fields in the order in which they are logged, or nil if nothing
// describes the event.
func (e *Event) Fields() []Field {
	if e.fields == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(e.fields))
	d.UseNumber()
	value, err := decodeValue(d)
	if err != nil {
		panic(fmt.Sprintf("etl2parquet: fields of an event: %v: %s", err, e.fields)) // the library made them
	}
	fields, _ := value.([]Field)
	return fields
}

// Field returns the value of the decoded field with a name, and whether the event has it.
func (e *Event) Field(name string) (any, bool) {
	for _, f := range e.Fields() {
		if f.Name == name {
			return f.Value, true
		}
	}
	return nil, false
}

// decodeValue decodes the next JSON value. A map would lose the order of fields.
func decodeValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Number:
		return number(t.String())
	case json.Delim:
		if t == '[' {
			list := []any{}
			for d.More() {
				v, err := decodeValue(d)
				if err != nil {
					return nil, err
				}
				list = append(list, v)
			}
			_, err := d.Token()
			return list, err
		}
		fields := []Field{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := decodeValue(d)
			if err != nil {
				return nil, err
			}
			fields = append(fields, Field{name.(string), v})
		}
		_, err := d.Token()
		return fields, err
	}
	return token, nil
}

func number(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(text, 64)
}

// eventColumns are the columns of the table of all events that an Event has, in the order in which
// eventReader.event takes them.
var eventColumns = []string{
	"event_ref", "time_ns", "processor", "process_id", "thread_id", "process_name", "provider_id", "provider_name", "event_name", "event_id",
	"level_name", "task_name", "opcode_name", "message", "payload", "fields",
}

// Events reads the events that a scan selects, in time order. Table, Columns and Split of the scan
// must be empty: Events reads the table of all events. Reading stops when the loop ends. An error is
// the last pair, without an event. An event stays valid after the loop.
func (t *Trace) Events(ctx context.Context, s Scan) iter.Seq2[*Event, error] {
	return eventsOf(ctx, t, s, t.Name())
}

// Events reads the events that a scan selects in all traces, in time order; events with the same
// time are in the order of the traces. See [Trace.Events].
func (t *Traces) Events(ctx context.Context, s Scan) iter.Seq2[*Event, error] {
	return eventsOf(ctx, t, s, "")
}

// checkForEvents checks a scan for events or stacks.
func (s *Scan) checkForEvents() error {
	if s.Table != "" || s.Columns != nil || s.Split != "" {
		return errors.New("a scan for events or stacks has no table, columns or split; select with providers and events")
	}
	return nil
}

// scanner is a [Trace] or [Traces].
type scanner interface {
	Scan(ctx context.Context, s Scan) (array.RecordReader, error)
}

// eventsOf returns the events of a scan. If trace is "", the first column has the name of the trace.
func eventsOf(ctx context.Context, t scanner, s Scan, trace string) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		if err := s.checkForEvents(); err != nil {
			yield(nil, err)
			return
		}
		s.Columns = eventColumns
		ended := false
		err := eachRow(ctx, t, s, func(c []arrow.Array, row int) bool {
			name := trace
			if trace == "" {
				name, c = textAt(c[0], row), c[1:]
			}
			ended = !yield(eventAt(c, row, name), nil)
			return !ended
		})
		if err != nil && !ended {
			yield(nil, err)
		}
	}
}

// eachRow calls do for each row of a scan until it returns false.
func eachRow(ctx context.Context, t scanner, s Scan, do func(columns []arrow.Array, row int) bool) error {
	reader, err := t.Scan(ctx, s)
	if err != nil {
		return err
	}
	defer reader.Release()
	for reader.Next() {
		batch := reader.RecordBatch()
		columns := batch.Columns()
		for i := range int(batch.NumRows()) {
			if !do(columns, i) {
				return nil
			}
		}
	}
	return reader.Err()
}

// eventAt returns the event in a row of eventColumns.
func eventAt(c []arrow.Array, row int, trace string) *Event {
	return &Event{
		Trace: trace, Ref: numberAt(c[0], row), Time: timeAt(c[1], row), Processor: int(numberAt(c[2], row)),
		ProcessID: numberAt(c[3], row), ThreadID: numberAt(c[4], row), ProcessName: textAt(c[5], row),
		ProviderID: textAt(c[6], row), Provider: textAt(c[7], row), Name: textAt(c[8], row), ID: int(numberAt(c[9], row)),
		Level: textAt(c[10], row), Task: textAt(c[11], row), Opcode: textAt(c[12], row), Message: textAt(c[13], row),
		Payload: bytesAt(c[14], row), fields: textAt(c[15], row),
	}
}

// textAt returns a text that does not share memory with its batch; "" for NULL.
func textAt(a arrow.Array, row int) string {
	if a.IsNull(row) {
		return ""
	}
	return strings.Clone(a.(*array.String).Value(row))
}

// numberAt returns an integer; -1 for NULL.
func numberAt(a arrow.Array, row int) int64 {
	if a.IsNull(row) {
		return -1
	}
	switch a := a.(type) {
	case *array.Int32:
		return int64(a.Value(row))
	case *array.Int64:
		return a.Value(row)
	}
	return int64(a.(*array.Uint64).Value(row))
}

// timeAt returns a time in ns; the zero time for NULL.
func timeAt(a arrow.Array, row int) time.Time {
	if a.IsNull(row) {
		return time.Time{}
	}
	return time.Unix(0, numberAt(a, row)).UTC()
}

// bytesAt returns bytes that do not share memory with their batch; nil for NULL.
func bytesAt(a arrow.Array, row int) []byte {
	if a.IsNull(row) {
		return nil
	}
	return bytes.Clone(a.(*array.Binary).Value(row))
}
