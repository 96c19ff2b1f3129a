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

// shapeKey tells files apart whose rows a view cannot read alike.
type shapeKey struct {
	table   string
	event   schema.Identity
	columns string // as JSON
}

// tableShape is what files have in common.
type tableShape struct {
	parts int      // with the table and event; a part with several shapes counts for one of them
	files []string // named on demand: a dataset may have very many
}

func (s tableShapes) at(key shapeKey) *tableShape {
	if s[key] == nil {
		s[key] = new(tableShape)
	}
	return s[key]
}

// recordedShapes is what the records say of the shapes of tables.
type recordedShapes struct {
	shapes  tableShapes
	partial map[string]bool // the tables, these and others, of which a part has selected columns only
}

func newRecordedShapes() *recordedShapes {
	return &recordedShapes{make(tableShapes), make(map[string]bool)}
}

// readShapes reads from the records of a dataset what the files of some tables are like.
func readShapes(ctx context.Context, d *dataset.Dataset, tables map[string]bool, withFiles bool) (*recordedShapes, error) {
	found := newRecordedShapes()
	err := d.EachRecord(ctx, func(text []byte) {
		var record shapesRecord
		if json.Unmarshal(text, &record) == nil { // else the trace is converted again
			found.add(&record, tables, withFiles)
		}
	})
	found.shapes = found.shapes.withEvents(tables)
	return found, err
}

// shapesRecord is what a record says of the shapes of tables.
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

// withEvents returns the shapes with an event for each, also for tables that have files but
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

// eventOfTable stands for the event of a table of which no record says it. Tables whose
// views have one name share it.
func eventOfTable(table string) schema.Identity {
	return schema.Identity{Kind: "table", Name: schema.ViewName(table)}
}

// columnNames returns the names of the columns that some file of an event has, beside those that
// all events share.
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

// splitNames returns the names that columns have in the view of an event, if they
// have others there: of columns of one name whose types no column can hold, the
// simplest keeps the name, and the others get their type behind it.
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

// parseColumns reads the columns of a record; those that cannot be read are as
// if they were not there.
func parseColumns(text string) map[string]string {
	var columns map[string]string
	if text == "" || json.Unmarshal([]byte(text), &columns) != nil {
		return nil
	}
	return columns
}

// typeClasses puts types together of which one column can have the values, the
// simplest first.
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

// typeFamily is types of which DuckDB makes one: numbers and texts, times,
// bytes, structures, and lists of these.
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

// readSplit reads the files of an event one by one, by the names that columns have in its
// view, those of the same names together.
func readSplit(ctx context.Context, d *dataset.Dataset, v *eventView, split map[typedName]string) (string, error) {
	wanted := make(map[string]bool)
	for _, t := range v.tables {
		wanted[t] = true
	}
	s, err := readShapes(ctx, d, wanted, true)
	if err != nil {
		return "", err
	}
	files := make(map[string][]string) // by what is selected
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

// selectSplit selects columns by the names that they have in the view.
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
