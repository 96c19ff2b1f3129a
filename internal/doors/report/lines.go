package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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
	err = g.addLines(&t, func(row *lineRow) bool { return row.Provider != session })
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
	err = g.addLines(&t, func(row *lineRow) bool { return row.Level == 1 || row.Level == 2 }, names...)
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

// lineRow is a row of the table of all events.
type lineRow struct {
	processRow
	Time      *int64 `column:"clock_ns"`
	ThreadID  *int64 `column:"thread_id"`
	LevelName string `column:"level_name"`
	Provider  string `column:"provider_name"`
	Event     string `column:"event_name"`
	Message   string `column:"message"`
	Fields    string `column:"fields"`
	Level     int64  `column:"level"`
}

// addLines adds the first of the named events, or of all, that are wanted to a table.
func (g *aggregate) addLines(t *tableDoc, isWanted func(row *lineRow) bool, events ...string) error {
	rows, err := open[lineRow](g.source, "events", events...)
	if err != nil {
		return err
	}
	defer rows.Release()
	for rows.Next() {
		row := &rows.Row
		if !isWanted(row) {
			continue
		}
		if len(t.Rows) == mostRows {
			return nil
		}
		var ns, thread any // NULL if unknown
		if row.Time != nil {
			ns = *row.Time - g.axis.start
		}
		if row.ThreadID != nil {
			thread = *row.ThreadID
		}
		t.Rows = append(t.Rows, []any{
			ns, clip(g.source.process(&row.processRow)), thread, clip(row.LevelName),
			clip(row.Provider), clip(row.Event), clip(lineText(row.Message, row.Fields)),
		})
	}
	return g.source.keepFailures(rows.Err())
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
