package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet"
)

const lineColumns = "time_ns, process_name, process_id, thread_id, level_name, provider_name, event_name, message, fields"

// session is the provider of the records of a session about itself, which are no lines of a log.
const session = "EventTrace"

// log returns the first events as lines of a log, or nothing if the trace has samples, which tell more.
func (g *aggregate) log() (list []tableDoc, err error) {
	t := lineTable("log", "The first events, as lines of a log.", "SELECT "+lineColumns+"\nFROM events\nWHERE provider_name IS DISTINCT FROM '"+session+"'\nORDER BY time_ns")
	for _, k := range g.events.byKind {
		if k.provider != session {
			t.Total += k.events
		}
	}
	if g.isSampled || t.Total == 0 {
		return nil, nil
	}
	err = g.source.eachLine(g, &t, etl2parquet.Scan{}, func(_ int64, provider string) bool { return provider != session })
	return []tableDoc{t}, err
}

// errors returns the first events that are errors, if there are any.
func (g *aggregate) errors() (list []tableDoc, err error) {
	var names []string
	t := lineTable("errors", "The first events with level error or critical.", "SELECT "+lineColumns+"\nFROM events\nWHERE level BETWEEN 1 AND 2\nORDER BY time_ns")
	for _, k := range g.events.byKind {
		if k.errors > 0 && k.name != "" {
			names = append(names, k.name)
			t.Total += k.errors
		}
	}
	if names == nil {
		return nil, nil
	}
	var scan etl2parquet.Scan
	scan.Events = names
	err = g.source.eachLine(g, &t, scan, func(level int64, _ string) bool { return level == 1 || level == 2 })
	if err == nil && len(t.Rows) > 0 {
		list = append(list, t)
	}
	return list, err
}

func lineTable(name, doc, sql string) tableDoc {
	t := tableDoc{Name: name, Doc: doc, SQL: sql, Rows: [][]any{}}
	for _, c := range [][2]string{{"time_ns", "time"}, {"process", "text"}, {"thread_id", "id"}, {"level", "text"}, {"provider", "text"}, {"event", "text"}, {"text", "text"}} {
		t.Columns = append(t.Columns, columnDoc{c[0], c[1]})
	}
	return t
}

// eachLine adds the first events of a scan that have a level to a table.
func (s *source) eachLine(g *aggregate, t *tableDoc, scan etl2parquet.Scan, isOf func(level int64, provider string) bool) error {
	scan.Table = "events"
	scan.Columns = []string{"clock_ns", "process_name", "process_id", "thread_id", "level_name", "provider_name", "event_name", "message", "fields", "level"}
	r, err := s.rows(scan)
	if err != nil || r == nil {
		return err
	}
	defer r.Release()
	for r.Next() {
		if !isOf(r.or(9, 0), r.text(5)) {
			continue
		}
		if len(t.Rows) == mostRows {
			return nil
		}
		id, known := r.number(2)
		var thread any
		if n, ok := r.number(3); ok {
			thread = n
		}
		var ns any // NULL if the event has no time
		if r.Has(r.places[0]) {
			ns = r.or(0, 0) - g.axis.start
		}
		t.Rows = append(t.Rows, []any{
			ns, clip(s.process(r.trace(), r.text(1), id, known)), thread, clip(r.text(4)),
			clip(r.text(5)), clip(r.text(6)), clip(lineText(r.text(7), r.text(8))),
		})
	}
	return r.err()
}

// lineText returns the text of an event: its message, or the text of its only field, or its fields by name.
func lineText(message, fields string) string {
	if message != "" {
		return message
	}
	d := json.NewDecoder(strings.NewReader(fields))
	d.UseNumber()
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return fields
	}
	var names, texts []string
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return fields
		}
		text := string(value)
		if bytes.HasPrefix(value, []byte{'"'}) {
			if err := json.Unmarshal(value, &text); err != nil {
				return fields
			}
		}
		names, texts = append(names, fmt.Sprint(name)), append(texts, text)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	var b strings.Builder
	for i := range texts {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(names[i] + ": " + texts[i])
	}
	return b.String()
}
