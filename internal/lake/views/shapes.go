package views

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/lake/dataset"
	"github.com/etl2parquet/etl2parquet/schema"
)

// tableShapes are the kinds of file that tables of events have.
type tableShapes map[shapeKey]*tableShape

// shapeKey distinguishes files that a view must read differently.
type shapeKey struct {
	table   string
	event   schema.Identity
	columns string // as JSON
}

// tableShape is a group of files with one shapeKey.
type tableShape struct {
	parts int      // number of parts with the table and event; a part with several shapes counts for one of them
	files []string // set only when needed: a dataset may have very many files
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
	partial map[string]bool // all tables for which some part has only selected columns
}

func newRecordedShapes() *recordedShapes {
	return &recordedShapes{make(tableShapes), make(map[string]bool)}
}

// readShapes reads the shapes of some tables from the records of a dataset.
func readShapes(ctx context.Context, d *dataset.Dataset, tables map[string]bool, withFiles bool) (*recordedShapes, error) {
	found := newRecordedShapes()
	err := d.EachRecord(ctx, func(text []byte) {
		var record shapesRecord
		if json.Unmarshal(text, &record) == nil { // a damaged record's trace is converted again
			found.add(&record, tables, withFiles)
		}
	})
	found.shapes = found.shapes.withEvents(tables)
	return found, err
}

// shapesRecord is the part of a commit record about the shapes of tables.
type shapesRecord struct {
	Options struct{ Columns []string }
	Files   []shapedFile
}

type shapedFile struct {
	Table, File string
	Columns     json.RawMessage
	Event       schema.Identity
}

// add adds the files of a part.
func (s *recordedShapes) add(r *shapesRecord, tables map[string]bool, withFiles bool) {
	counted := make(map[shapeKey]bool) // without columns
	for _, f := range r.Files {
		if len(r.Options.Columns) > 0 {
			s.partial[f.Table] = true
		}
		if !tables[f.Table] {
			continue
		}
		shape := s.shapes.at(shapeKey{f.Table, f.Event, string(f.Columns)})
		if part := (shapeKey{table: f.Table, event: f.Event}); !counted[part] {
			counted[part] = true
			shape.parts++
		}
		if withFiles {
			shape.files = append(shape.files, f.File)
		}
	}
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

// typedName is a column by its name and type.
type typedName struct{ name, kind string }

// splitNames returns the columns that have another name in the view of an event: if no
// single type holds the values of all columns of one name, the simplest type keeps the
// name, and the others get their type as a suffix.
func (s tableShapes) splitNames(event schema.Identity) map[typedName]string {
	kinds := make(map[string]map[string]bool) // by name
	taken := map[string]bool{"trace": true}
	for _, c := range schema.CommonColumns() {
		taken[c.Name] = true
	}
	for key := range s {
		if key.event != event {
			continue
		}
		for name, kind := range parseColumns(key.columns) {
			if kinds[name] == nil {
				kinds[name] = make(map[string]bool)
			}
			kinds[name][kind], taken[name] = true, true
		}
	}
	split := make(map[typedName]string)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		for n, class := range typeClasses(kinds[name]) {
			if n == 0 {
				continue
			}
			plain := name + "_" + class[0].TypeSuffix()
			unique := plain
			for i := 2; taken[unique]; i++ {
				unique = fmt.Sprintf("%s_%d", plain, i)
			}
			taken[unique] = true
			for _, c := range class {
				split[typedName{name, c.TypeName()}] = unique
			}
		}
	}
	return split
}

// parseColumns parses the columns of a record. It ignores columns that it cannot parse.
func parseColumns(text string) map[string]string {
	var columns map[string]string
	if text == "" || json.Unmarshal([]byte(text), &columns) != nil {
		return nil
	}
	return columns
}

// typeClasses groups types whose values one column can hold, the simplest first.
func typeClasses(kinds map[string]bool) (classes [][]schema.Column) {
	if len(kinds) < 2 {
		return nil
	}
	var columns []schema.Column
	for kind := range kinds {
		if c, ok := schema.ParseType(kind); ok {
			columns = append(columns, c)
		}
	}
	slices.SortFunc(columns, func(a, b schema.Column) int {
		return cmp.Or(cmp.Compare(familyOf(&a), familyOf(&b)), cmp.Compare(a.TypeName(), b.TypeName()))
	})
	for i := range columns {
		c := &columns[i]
		fits := func(class []schema.Column) bool {
			return !slices.ContainsFunc(class, func(other schema.Column) bool { return !combine(c, &other) })
		}
		if n := slices.IndexFunc(classes, fits); n >= 0 {
			classes[n] = append(classes[n], *c)
		} else {
			classes = append(classes, []schema.Column{*c})
		}
	}
	return classes
}

// typeFamily is a set of types that DuckDB can combine into one: numbers and texts,
// times, bytes, structures, and lists of these.
type typeFamily uint8

const (
	plainValues typeFamily = iota
	timeValues
	byteValues
	structValues
	listValues // and lists of each
)

func familyOf(c *schema.Column) typeFamily {
	family := plainValues
	switch c.Type {
	case schema.Timestamp:
		family = timeValues
	case schema.Binary:
		family = byteValues
	case schema.Struct:
		family = structValues
	}
	if c.List {
		family += listValues
	}
	return family
}

// combine reports whether DuckDB has a type for the values of both columns.
func combine(a, b *schema.Column) bool {
	if familyOf(a) != familyOf(b) {
		return false
	}
	for i := range a.Fields {
		for j := range b.Fields {
			if a.Fields[i].Name == b.Fields[j].Name && !combine(&a.Fields[i], &b.Fields[j]) {
				return false
			}
		}
	}
	return true
}

// readSplit returns SQL that reads the files of an event with the column names of its view.
// Files with the same selection are read together.
func readSplit(ctx context.Context, d *dataset.Dataset, v *eventView, split map[typedName]string) (string, error) {
	wanted := make(map[string]bool)
	for _, t := range v.tables {
		wanted[t] = true
	}
	s, err := readShapes(ctx, d, wanted, true)
	if err != nil {
		return "", err
	}
	files := make(map[string][]string) // by the selected columns
	for key, shape := range s.shapes {
		if key.event != v.event {
			continue
		}
		selected := selectSplit(parseColumns(key.columns), split)
		for _, file := range shape.files {
			files[selected] = append(files[selected], inRoot(globEscape.Replace(file)))
		}
	}
	if len(files) == 0 { // another run is about to replace the records
		return readTables(v.tables...), nil
	}
	var parts []string
	for _, selected := range slices.Sorted(maps.Keys(files)) {
		slices.Sort(files[selected])
		parts = append(parts, "SELECT "+selected+" FROM "+readParquet(slices.Compact(files[selected])))
	}
	return strings.Join(parts, unionByName) + ";\n", nil
}

// selectSplit returns the list of SELECT for columns, with their names in the view.
func selectSplit(columns map[string]string, split map[typedName]string) string {
	var old, renamed []string
	for _, name := range slices.Sorted(maps.Keys(columns)) {
		if other := split[typedName{name, columns[name]}]; other != "" {
			old = append(old, sqlQuoted(name))
			renamed = append(renamed, sqlQuoted(name)+" AS "+sqlQuoted(other))
		}
	}
	if old == nil {
		return "*"
	}
	return "* EXCLUDE (" + strings.Join(old, ", ") + "), " + strings.Join(renamed, ", ")
}
