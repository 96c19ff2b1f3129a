package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/base/texts"
	"github.com/etl2parquet/etl2parquet/schema"
)

// foundColumns are the columns of the events that find shows. The last two are searched.
var foundColumns = []string{"seconds", "process_name", "process_id", "provider_name", "event_name", "event_ref", schema.MessageColumn, schema.FieldsColumn}

// search reads all events of traces, and returns those whose message or fields have a text, in any case:
// their number, and the first ones as rows.
func search(ctx context.Context, traces *etl2parquet.Traces, text string, limit int) (all int64, found *rows, err error) {
	reader, err := traces.Scan(ctx, etl2parquet.Scan{Columns: foundColumns})
	if err != nil {
		return 0, nil, err
	}
	defer reader.Release()
	found = new(rows)
	plain, escaped := newNeedle(text), newNeedle(string(texts.AppendJSONEscaped(nil, []byte(text), true)))
	for reader.Next() {
		batch := reader.RecordBatch()
		message, isMessage := textColumn(batch, schema.MessageColumn)
		fields, isFields := textColumn(batch, schema.FieldsColumn)
		for i := range int(batch.NumRows()) {
			if !(isMessage && plain.in(message.Value(i)) || isFields && escaped.in(fields.Value(i))) {
				continue
			}
			if all++; all > int64(limit) || found.isFull {
				continue
			}
			if err := found.addRecord(batch, i, len(traces.All()) > 1); err != nil {
				return 0, nil, err
			}
		}
	}
	return all, found, reader.Err()
}

// textColumn returns a column of texts.
func textColumn(batch arrow.RecordBatch, name string) (*array.String, bool) {
	places := batch.Schema().FieldIndices(name)
	if len(places) == 0 {
		return nil, false
	}
	column, ok := batch.Column(places[0]).(*array.String)
	return column, ok
}

// addRecord adds a row of a batch. The column trace is left out unless there are several traces.
func (r *rows) addRecord(batch arrow.RecordBatch, row int, withTrace bool) error {
	var names, values [][]byte
	for i, column := range batch.Columns() {
		name := batch.ColumnName(i)
		if name == schema.TraceColumn.Name && !withTrace {
			continue
		}
		value, err := json.Marshal(column.GetOneForMarshal(row))
		if err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		if text, ok := column.(*array.String); ok && name == schema.FieldsColumn && text.IsValid(row) {
			value = []byte(text.Value(row)) // it is JSON itself
		}
		names, values = append(names, texts.AppendJSON(nil, []byte(name))), append(values, value)
	}
	r.addRow(names, values)
	return nil
}

// needle is a text to find in any case.
type needle struct {
	lower string
	ascii bool
}

func newNeedle(text string) needle {
	lower := strings.ToLower(text)
	return needle{lower, !slices.ContainsFunc([]byte(lower), func(c byte) bool { return c >= 0x80 })}
}

// in reports whether a text has the needle. Texts of ASCII, almost all, are not copied.
func (n *needle) in(text string) bool {
	if !n.ascii {
		return strings.Contains(strings.ToLower(text), n.lower)
	}
	first := n.lower[0]
	for i := 0; i+len(n.lower) <= len(text); i++ {
		if lower(text[i]) == first && n.at(text[i:]) {
			return true
		}
	}
	return false
}

func (n *needle) at(text string) bool {
	for i := range len(n.lower) {
		if lower(text[i]) != n.lower[i] {
			return false
		}
	}
	return true
}

// lower returns the lower case of a letter of ASCII.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
