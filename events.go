package etl2parquet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/schema"
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

// eventRow is a row of the table of all events.
type eventRow struct {
	Trace       string `column:"trace"` // "" if the rows are of one trace
	Ref         int64  `column:"event_ref" null:"-1"`
	Time        *int64 `column:"time_ns"`
	Processor   int64  `column:"processor" null:"-1"`
	ProcessID   int64  `column:"process_id" null:"-1"`
	ThreadID    int64  `column:"thread_id" null:"-1"`
	ProcessName string `column:"process_name"`
	ProviderID  string `column:"provider_id"`
	Provider    string `column:"provider_name"`
	Name        string `column:"event_name"`
	ID          int64  `column:"event_id" null:"-1"`
	Level       string `column:"level_name"`
	Task        string `column:"task_name"`
	Opcode      string `column:"opcode_name"`
	Message     string `column:"message"`
	Payload     []byte `column:"payload"`
	Fields      string `column:"fields"`
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

// eventsOf returns the events of a scan. If trace is "", each row has the name of its trace.
func eventsOf(ctx context.Context, t scanner, s Scan, trace string) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		err := s.checkForEvents()
		if err == nil {
			err = eachRow(ctx, t, s, schema.EventsTable(), func(r *eventRow) bool {
				return yield(&Event{
					Trace: cmp.Or(trace, strings.Clone(r.Trace)), Ref: r.Ref, Time: timeOf(r.Time), Processor: int(r.Processor),
					ProcessID: r.ProcessID, ThreadID: r.ThreadID, ProcessName: strings.Clone(r.ProcessName),
					ProviderID: strings.Clone(r.ProviderID), Provider: strings.Clone(r.Provider), Name: strings.Clone(r.Name), ID: int(r.ID),
					Level: strings.Clone(r.Level), Task: strings.Clone(r.Task), Opcode: strings.Clone(r.Opcode), Message: strings.Clone(r.Message),
					Payload: bytes.Clone(r.Payload), fields: strings.Clone(r.Fields),
				}, nil)
			})
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// eachRow reads a table as values of a T, and calls do for each until it returns false.
func eachRow[T any](ctx context.Context, t scanner, s Scan, table *schema.Table, do func(*T) bool) error {
	reader := recordbatch.NewReader[T]()
	err := reader.Open(table, func(columns []string) (array.RecordReader, error) {
		s.Table, s.Columns = table.Name, columns
		return t.Scan(ctx, s)
	})
	if err != nil {
		return err
	}
	defer reader.Release()
	for reader.Next() {
		if !do(&reader.Row) {
			return nil
		}
	}
	return reader.Err()
}

// timeOf returns a time in ns; the zero time for NULL.
func timeOf(ns *int64) time.Time {
	if ns == nil {
		return time.Time{}
	}
	return time.Unix(0, *ns).UTC()
}
