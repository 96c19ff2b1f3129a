package views

import (
	"context"
	"encoding/json"
	"hash/maphash"
	"slices"

	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableShapes are the kinds of file that tables of events have.
type tableShapes map[shapeKey]*tableShape

// shapeKey distinguishes files that a view must read differently.
type shapeKey struct {
	table    string
	event    schema.Identity
	columns  string // as JSON
	unsigned string // see [dataset.RecordFile], as JSON
}

// tableShape is a group of files with one shapeKey.
type tableShape struct {
	parts int // number of parts with the table and event; a part with several shapes counts for one of them
	rows  int64
	files []string // set only when needed: a dataset may have very many files
	made  []string // see [dataset.RecordFile]; of one of the files
}

func (s tableShapes) at(key shapeKey) *tableShape {
	if s[key] == nil {
		s[key] = new(tableShape)
	}
	return s[key]
}

// recordedShapes are the shapes of tables, by the commit records.
type recordedShapes struct {
	shapes  tableShapes
	partial map[string]bool                                // all tables for which some part has only selected columns
	signed  bool                                           // the files have unsigned 64-bit columns as signed ones
	omitted map[schema.Identity]map[string]map[string]bool // the types of columns that parts left out, by event and name
	clocks  map[string]traceClock                          // of each trace whose record has it
	texts   textSum                                        // of the records
}

// traceClock is what the columns of time of a trace are computed with.
type traceClock struct {
	start int64             // in ns since 1970-01-01 UTC
	steps *index.ClockSteps // nil if there are none
}

// textSum distinguishes collections of texts, whatever their order.
type textSum struct{ count, sum uint64 }

var textSeed = maphash.MakeSeed()

func (s *textSum) add(text []byte) {
	s.count++
	s.sum += maphash.Bytes(textSeed, text)
}

func newRecordedShapes() *recordedShapes {
	return &recordedShapes{shapes: make(tableShapes), partial: make(map[string]bool), omitted: make(map[schema.Identity]map[string]map[string]bool), clocks: make(map[string]traceClock)}
}

// read adds the shapes of some tables, from the records of a dataset. has says whether the files of a
// table are read from this dataset.
func (s *recordedShapes) read(ctx context.Context, d *dataset.Dataset, has func(table string) bool, tables map[string]bool, withFiles bool) error {
	return d.EachRecord(ctx, func(text []byte) {
		s.texts.add(text)
		var record shapesRecord
		if json.Unmarshal(text, &record) == nil { // a damaged record's trace is converted again
			record.Files = slices.DeleteFunc(record.Files, func(f shapedFile) bool { return !has(f.Table) })
			s.add(&record, tables, withFiles)
		}
	})
}

// shapesRecord is the part of a commit record about the shapes of tables.
type shapesRecord struct {
	Options struct {
		Columns  []string
		Needs    []struct{ Columns []string }
		Unsigned string
	}
	Traces []struct {
		Trace   string
		StartNS *int64 `json:"start_ns"`
		Clock   *index.ClockSteps
	}
	Files []shapedFile
}

type shapedFile struct {
	Table, File       string
	Rows              int64
	Columns, Unsigned json.RawMessage
	Omitted           map[string]string
	Made              []string
	Event             schema.Identity
}

// leavesOut reports whether files may lack columns because of the selection.
func (r *shapesRecord) leavesOut() bool {
	return len(r.Options.Columns) > 0 || slices.ContainsFunc(r.Options.Needs, func(n struct{ Columns []string }) bool { return len(n.Columns) > 0 })
}

// add adds the files of a part.
func (s *recordedShapes) add(r *shapesRecord, tables map[string]bool, withFiles bool) {
	counted := make(map[shapeKey]bool) // without columns
	s.signed = s.signed || r.Options.Unsigned == parquet.UnsignedInt64
	for _, t := range r.Traces {
		if t.StartNS != nil {
			s.clocks[t.Trace] = traceClock{*t.StartNS, t.Clock}
		}
	}
	for _, f := range r.Files {
		if r.leavesOut() {
			s.partial[f.Table] = true
		}
		if !tables[f.Table] {
			continue
		}
		shape := s.shapes.at(shapeKey{f.Table, f.Event, string(f.Columns), string(f.Unsigned)})
		if part := (shapeKey{table: f.Table, event: f.Event}); !counted[part] {
			counted[part] = true
			shape.parts++
		}
		shape.rows += f.Rows
		shape.made = f.Made
		s.addOmitted(&f)
		if withFiles {
			shape.files = append(shape.files, f.File)
		}
	}
}

func (s *recordedShapes) addOmitted(f *shapedFile) {
	if len(f.Omitted) == 0 {
		return
	}
	event := f.Event
	if event == (schema.Identity{}) { // as in withEvents
		event = eventOfTable(f.Table)
	}
	if s.omitted[event] == nil {
		s.omitted[event] = make(map[string]map[string]bool)
	}
	addTypes(s.omitted[event], f.Omitted)
}

// withEvents returns the shapes with an event for each, even for tables that have files but
// no record.
func (s tableShapes) withEvents(tables map[string]bool) tableShapes {
	all := make(tableShapes)
	recorded := make(map[string]bool)
	for key, shape := range s {
		recorded[key.table] = true
		if key.event == (schema.Identity{}) { // the record was edited
			key.event = eventOfTable(key.table)
		}
		to := all.at(key)
		to.parts += shape.parts
		to.rows += shape.rows
		to.made = append(to.made, shape.made...)
		to.files = append(to.files, shape.files...)
	}
	for table := range tables {
		if !recorded[table] {
			all.at(shapeKey{table: table, event: eventOfTable(table)})
		}
	}
	return all
}

// eventOfTable returns a substitute for the event of a table that no record names. Tables whose
// views have one name share it.
func eventOfTable(table string) schema.Identity {
	return schema.Identity{Kind: "table", Name: schema.ViewName(table)}
}

// columnNames returns the names of the columns that any file of an event has in addition to the
// columns that all events share.
func (s tableShapes) columnNames(event schema.Identity) map[string]bool {
	names := make(map[string]bool)
	for key := range s {
		if key.event == event {
			for name := range parseColumns(key.columns) {
				names[name] = true
			}
		}
	}
	return names
}

// payloadTypes returns the types of the columns, by name, before some became signed.
func (key *shapeKey) payloadTypes() map[string]string {
	types := parseColumns(key.columns)
	for name, kind := range parseColumns(key.unsigned) {
		if types[name] != "" {
			types[name] = kind
		}
	}
	return types
}

// parseColumns parses the columns of a record. It ignores columns that it cannot parse.
func parseColumns(text string) map[string]string {
	var columns map[string]string
	if text == "" || json.Unmarshal([]byte(text), &columns) != nil {
		return nil
	}
	return columns
}
