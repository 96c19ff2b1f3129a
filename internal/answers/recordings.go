package answers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/absence"
	"github.com/etl2parquet/etl2parquet/schema"
)

// kindRow is a row of the tables traces and event_types of the dataset.
type kindRow struct {
	Trace        string   `json:"trace"`
	Flags        []string `json:"enable_flags_text"`
	EndFlags     []string `json:"end_enable_flags_text"`
	EventsLost   int64    `json:"events_lost"`
	BuffersLost  int64    `json:"buffers_lost"`
	HeaderTable  string   `json:"header_table"`
	Provider     string   `json:"provider_id"`
	ID           int      `json:"event_id"`
	PayloadTable string   `json:"payload_table"`
	Events       int64    `json:"events"`
}

const recordingsSQL = `SELECT t.trace, t.enable_flags_text, t.end_enable_flags_text, t.events_lost, t.buffers_lost,
  k.header_table, k.provider_id, k.event_id, k.payload_table, sum(k.events)::BIGINT AS events
FROM traces AS t LEFT JOIN event_types AS k ON k.trace = t.trace GROUP BY ALL`

// Recordings returns what the traces of a dataset say about their recording, by name. It uses the
// temporary folder and the threads of the options.
func (d *DuckDB) Recordings(ctx context.Context, source *Source, o *Options) ([]absence.Trace, error) {
	source.set = d.views
	return (&session{Source: source, o: o}).recordings(ctx, d, nil, nil)
}

// recordings returns what the traces of the dataset say about their recording, by name, and adds the rows
// of tables, given by any name, to rows.
func (s *session) recordings(ctx context.Context, d *DuckDB, tables []string, rows map[string]int64) ([]absence.Trace, error) {
	var list []absence.Trace
	questions := []asked{{recordingsSQL, func(r io.Reader) (err error) {
		list, err = readRecordings(r)
		return err
	}}}
	var count []string
	for _, name := range tables {
		count = append(count, fmt.Sprintf("SELECT %s AS name, count(*) AS rows FROM %s", sqlText(name), sqlName(name)))
	}
	if count != nil {
		questions = append(questions, asked{strings.Join(count, " UNION ALL "), func(r io.Reader) error { return readCounts(r, rows) }})
	}
	err := s.ask(ctx, d, append([]string{schema.Traces.Name, schema.EventTypes.Name}, tables...), questions...)
	return list, err
}

// asked is a question of this package about the tables, and what reads its rows as JSON lines.
type asked struct {
	sql  string
	read func(io.Reader) error
}

// ask asks questions in a process of their own, in which the views of tables are defined.
func (s *session) ask(ctx context.Context, d *DuckDB, tables []string, questions ...asked) error {
	sql, err := s.known().ScriptOfPieces(ctx, s.pieces, s.known().Needed(tables))
	if err != nil {
		return err
	}
	path := func(i int) string { return filepath.Join(s.o.Temp, fmt.Sprintf("asked_%d", i)) }
	for i, q := range questions {
		sql += fmt.Sprintf("COPY (%s) TO %s (FORMAT json);\n", q.sql, sqlText(path(i)))
	}
	if message, err := d.run(ctx, s.head(d)+sql, io.Discard); err != nil {
		return s.errorOf(message, err)
	}
	for i, q := range questions {
		if err := readFile(path(i), q.read); err != nil {
			return err
		}
	}
	return nil
}

// sharedFields returns how to read the events that a name means if their payloads are in the column fields, because the
// trace has too many kinds of event for a table of each, or "".
func (s *session) sharedFields(ctx context.Context, d *DuckDB, name string) (hint string, err error) {
	sql := "SELECT provider_name AS provider, event_name AS name, event_id AS id FROM " + schema.EventTypes.Name +
		" WHERE payload_table IS NULL AND provider_name IS NOT NULL AND event_name IS NOT NULL GROUP BY ALL ORDER BY ALL"
	err = s.ask(ctx, d, []string{schema.EventTypes.Name}, asked{sql, func(r io.Reader) error {
		for d := json.NewDecoder(r); hint == ""; {
			event := schema.EventNames{Hook: schema.NoID}
			if err := d.Decode(&event); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return fmt.Errorf("read the kinds of event: %w", err)
			}
			event.Table = schema.EventsFolder + schema.FolderName(event.Provider) + "/" + schema.FolderName(event.Name)
			if schema.ViewName(event.Table) == strings.ToLower(name) || event.Called(name) {
				hint = fmt.Sprintf("the trace has too many kinds of event for a table of each: FROM events WHERE provider_name = %s AND event_name = %s has these, with their payloads in the column fields", sqlText(event.Provider), sqlText(event.Name))
			}
		}
		return nil
	}})
	return hint, err
}

// readFile calls read with a file, and removes the file.
func readFile(path string, read func(io.Reader) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(read(f), f.Close(), os.Remove(path))
}

// readCounts reads the rows of tables as JSON lines.
func readCounts(r io.Reader, rows map[string]int64) error {
	for d := json.NewDecoder(r); ; {
		var table struct {
			Name string
			Rows int64
		}
		switch err := d.Decode(&table); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the numbers of rows: %w", err)
		}
		rows[table.Name] = table.Rows
	}
}

// readRecordings reads rows of recordingsSQL as JSON lines.
func readRecordings(r io.Reader) ([]absence.Trace, error) {
	traces := make(map[string]*absence.Trace)
	for d := json.NewDecoder(r); ; {
		var row kindRow
		switch err := d.Decode(&row); {
		case errors.Is(err, io.EOF):
			list := make([]absence.Trace, 0, len(traces))
			for _, name := range slices.Sorted(maps.Keys(traces)) {
				list = append(list, *traces[name])
			}
			return list, nil
		case err != nil:
			return nil, fmt.Errorf("read what the traces say about their recording: %w", err)
		}
		t := traces[row.Trace]
		if t == nil {
			t = &absence.Trace{Name: row.Trace, EventsLost: row.EventsLost, BuffersLost: row.BuffersLost}
			for _, names := range [][]string{row.Flags, row.EndFlags} {
				if names != nil {
					t.AddFlags(names)
				}
			}
			traces[row.Trace] = t
		}
		if row.HeaderTable == "" { // a trace without events
			continue
		}
		k := absence.Kind{ID: row.ID, IsHook: absence.HasHooks(row.HeaderTable), Header: row.HeaderTable, Events: row.Events}
		if row.PayloadTable != "" {
			k.Table = schema.ViewName(row.PayloadTable)
		}
		var err error
		if k.Provider, err = schema.ParseGUID(cmp.Or(row.Provider, schema.GUID{}.String())); err != nil {
			return nil, err
		}
		t.Kinds = append(t.Kinds, k)
	}
}
