package schema

import (
	"fmt"
	"strings"
)

// Catalog has the events whose payloads have a known layout, and their tables. It is immutable.
type Catalog struct {
	tables []*EventTable
	hooks  [256]*[256]tablesOfKey // by group and type
	types  map[classType]tablesOfKey
}

// tablesOfKey are the tables of a hook, or of a class and type: usually one, but versions
// can have their own tables.
type tablesOfKey []*EventTable

// classType identifies a classic event.
type classType struct {
	guid GUID
	id   uint8
}

// EventTable is the table of an event, with the literals of all its versions.
type EventTable struct {
	Table  *Table
	Class  string
	Name   string // of the event
	Number int    // of the table in the catalog

	literals  []*Event
	columns   [][]FieldColumns // per literal and field
	isWidened bool             // a field has a wider column than it needs
}

// Literals returns the layouts of the event's versions. The caller must not
// change them.
func (t *EventTable) Literals() []*Event { return t.literals }

// FieldColumns are the columns of a field, given by their index in the table; -1 if there is none.
type FieldColumns struct {
	Value int
	NS    int   // for Ticks and FileTime: the time in ns, which Value cuts to us
	Text  int   // for a field with Values: the name of the number
	Parts []int // for a field with Parts: the name of each part
	Code  CodeColumns
	// For a structure: the columns of its fields, given by their index in the column's Fields.
	Members []FieldColumns
	// Own is the column that the field would have alone, if the table's is wider. Members are then
	// its members.
	Own *Column
}

// CodeColumns are the columns that say where a code address lies, given by their index in the
// table; -1 if there are none.
type CodeColumns struct{ Module, Function, Symbol, Offset int }

// Any reports whether the table has any of them.
func (c *CodeColumns) Any() bool { return max(c.Module, c.Function, c.Symbol, c.Offset) >= 0 }

var noCode = CodeColumns{-1, -1, -1, -1}

// Literal is an event's layout with its table and columns.
type Literal struct {
	Event   *Event
	Table   *EventTable
	Columns []FieldColumns // per field
}

// RestColumn is the column of the bytes of a payload after its known fields.
const RestColumn = "payload_rest"

var restColumn = Column{Name: RestColumn, Type: Binary, Nullable: true, Encoding: Varied,
	Doc: "Bytes of the payload after its known fields, or from the first field that does not fit. NULL if there are none."}

const partitionColumn = "trace" // readers derive it from the path

// The names of columns of a field have these around the field's name.
const (
	payloadPrefix = "payload_" // if the name is taken
	textSuffix    = "_text"    // for the name of the number
	nsSuffix      = "_ns"      // for the time in ns
)

// NewCatalog makes a catalog of events. Clashing names and duplicate keys are errors.
func NewCatalog(groups ...[]Event) (*Catalog, error) {
	c := &Catalog{types: make(map[classType]tablesOfKey)}
	byName := make(map[string]*EventTable) // in lower case: some file systems ignore case
	for _, group := range groups {
		for i := range group {
			e := &group[i]
			path := EventsFolder + e.Class + "/" + e.Table
			t := byName[strings.ToLower(path)]
			if t == nil {
				t = &EventTable{Class: e.Class, Name: e.Name, Number: len(c.tables), Table: &Table{Name: path, Doc: e.Doc, SortBy: byTime}}
				byName[strings.ToLower(path)] = t
				c.tables = append(c.tables, t)
				c.register(e, t)
			}
			if err := c.clash(e, t); err != nil {
				return nil, e.wrong(err)
			}
			t.literals = append(t.literals, e)
		}
	}
	for _, t := range c.tables {
		if err := t.layOut(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (e *Event) wrong(err error) error { return fmt.Errorf("%s/%s: %w", e.Class, e.Name, err) }

// layOut makes the columns of the table, and finds those of the fields.
func (t *EventTable) layOut() error {
	first := t.literals[0]
	t.Table.Columns = append(make([]Column, 0, first.mostColumns()), commonColumns[:len(commonColumns)-1]...) // all but the payload
	if first.Owner.HeaderIDs() {
		t.Table.Columns = append(t.Table.Columns, headerIDColumns...)
		t.Table.headerIDs = true
	}
	if len(first.Files) > 0 {
		t.Table.Columns = append(t.Table.Columns, fileNameColumn)
		t.Table.namesFile = true
	}
	for _, e := range t.literals {
		if err := t.add(e); err != nil {
			return e.wrong(err)
		}
	}
	t.finish()
	return nil
}

func (c *Catalog) register(e *Event, t *EventTable) {
	key := classType{e.GUID, e.Type}
	c.types[key] = append(c.types[key], t)
	if e.HasHook {
		group := &c.hooks[e.Hook>>8]
		if *group == nil {
			*group = new([256]tablesOfKey)
		}
		(*group)[uint8(e.Hook)] = append((*group)[uint8(e.Hook)], t)
	}
}

// clash returns an error for a literal that does not fit its table, or that cannot be distinguished
// from another.
func (c *Catalog) clash(e *Event, t *EventTable) error {
	if path := EventsFolder + e.Class + "/" + e.Table; path != t.Table.Name {
		return fmt.Errorf("tables %s and %s", path, t.Table.Name)
	}
	if len(t.literals) > 0 {
		if first := t.literals[0]; first.GUID != e.GUID || first.Type != e.Type || first.HasHook != e.HasHook || first.Hook != e.Hook {
			return fmt.Errorf("%s is of another hook or type", t.Table.Name)
		}
		if len(e.Files) > 0 && len(t.literals[0].Files) == 0 {
			return fmt.Errorf("%s has no column for the file", t.Table.Name)
		}
	}
	for _, table := range c.types[classType{e.GUID, e.Type}] {
		for _, other := range table.literals {
			if version := max(e.Since, other.Since); e.In(version) && other.In(version) {
				return fmt.Errorf("two layouts for version %d", version)
			}
		}
	}
	return nil
}

// add makes the columns of a literal.
func (t *EventTable) add(e *Event) error {
	columns := make([]FieldColumns, len(e.Fields))
	for i := range e.Fields {
		f := &e.Fields[i]
		fc := FieldColumns{Value: t.place(t.column(f)), NS: -1, Text: -1, Code: noCode}
		for j := range f.Struct {
			fc.Members = append(fc.Members, FieldColumns{Value: j, NS: -1, Text: -1, Code: noCode})
		}
		if f.hasNS() {
			fc.NS = t.place(nsColumn(f, t.name(f.Name)))
		}
		if f.Values != "" {
			fc.Text = t.place(Column{Name: t.name(f.Name) + textSuffix, Type: String, Nullable: true,
				Doc: "What " + t.name(f.Name) + " means, by name. NULL where no name is known."})
		}
		if f.Code {
			fc.Code = t.codeColumns(t.name(f.Name))
		}
		for _, part := range f.Parts {
			fc.Parts = append(fc.Parts, t.place(Column{Name: part.Values + textSuffix, Type: String, Nullable: true,
				Doc: "What bits of " + t.name(f.Name) + " mean, by name. NULL where no name is known."}))
		}
		columns[i] = fc
	}
	t.columns = append(t.columns, columns)
	return t.filledTwice(e, columns)
}

// codeColumns makes the columns that say where a code address lies.
func (t *EventTable) codeColumns(address string) CodeColumns {
	column := func(suffix string, kind Type, encoding Encoding, doc string) int {
		return t.place(Column{Name: address + suffix, Type: kind, Nullable: true, Encoding: encoding, LocatesCode: true, Doc: doc})
	}
	return CodeColumns{
		Module:   column("_module", String, Repeating, "Name of the image that has "+address+". NULL where the trace does not say it."),
		Function: column("_function", String, Repeating, "Function that has "+address+", from the trace's own methods or from symbols. NULL if neither names it."),
		Symbol:   column("_symbol", String, Repeating, "Name of that function as the symbols have it, where that differs. NULL otherwise."),
		Offset:   column("_offset", Int64, Varied, "Distance from the first byte of that function or, where it is not known, of the image. NULL where neither is known."),
	}
}

// filledTwice returns an error if a payload would give a column two values.
func (t *EventTable) filledTwice(e *Event, columns []FieldColumns) error {
	if !sharesColumns(columns) { // almost always
		return nil
	}
	fields := make([][]*Field, len(t.Table.Columns))
	for i := range columns {
		f := &e.Fields[i]
		for column := range columns[i].all {
			for _, other := range fields[column] {
				if version := max(e.Since, f.Since, other.Since); e.In(version) && f.In(version) && other.In(version) {
					return fmt.Errorf("fields %s and %s of version %d have the column %s", other.Name, f.Name, version, t.Table.Columns[column].Name)
				}
			}
			fields[column] = append(fields[column], f)
		}
	}
	return nil
}

// sharesColumns reports whether two fields, of any versions, may have a column in common.
func sharesColumns(columns []FieldColumns) bool {
	var seen [8]uint64 // a bit per column; a table of kernel events has far fewer
	for i := range columns {
		for column := range columns[i].all {
			if column >= 64*len(seen) || seen[column/64]&(1<<(column%64)) != 0 {
				return true
			}
			seen[column/64] |= 1 << (column % 64)
		}
	}
	return false
}

// all calls yield with the columns of a field, except those of its members.
func (c *FieldColumns) all(yield func(column int) bool) {
	for _, column := range [...]int{c.Value, c.NS, c.Text, c.Code.Module, c.Code.Function, c.Code.Symbol, c.Code.Offset} {
		if column >= 0 && !yield(column) {
			return
		}
	}
	for _, column := range c.Parts {
		if column >= 0 && !yield(column) {
			return
		}
	}
}

// In reports whether the literal describes a version.
func (e *Event) In(version uint8) bool {
	return version >= e.Since && (e.Before == 0 || version < e.Before)
}

// name returns the name of a field's column: the field's name, unless a column that is not
// part of the payload has it.
func (t *EventTable) name(field string) string {
	if t.Table.isTaken(field) {
		return payloadPrefix + field
	}
	return field
}

// column returns the column for a field.
func (t *EventTable) column(f *Field) Column {
	if f.Struct == nil {
		c := valueColumn(f, f.IsArray())
		c.Name, c.List, c.Nullable = t.name(f.Name), f.IsArray(), true
		return c
	}
	c := Column{Name: t.name(f.Name), Type: Struct, List: f.IsArray(), Nullable: true, Doc: f.Doc}
	for i := range f.Struct {
		c.Fields = append(c.Fields, valueColumn(&f.Struct[i], c.List))
	}
	return c
}

// valueColumn returns a column that holds a value of a field in every row, or a list of
// values if inList is true.
func valueColumn(f *Field, inList bool) Column {
	doc := f.Doc
	if f.Unit != "" {
		doc += " Unit: " + string(f.Unit) + "."
	}
	return Column{Name: f.Name, Type: f.Kind.ColumnType(), Encoding: fieldEncoding(f, inList), Unit: f.ColumnUnit(), Unsigned: f.Kind.isUnsigned(), Doc: doc}
}

// place returns the index of a column, and adds it if it is missing. Fields of one name share the
// column, which is as wide as all versions need.
func (t *EventTable) place(c Column) int {
	i := t.Table.Column(c.Name)
	if i < 0 {
		t.Table.Columns = append(t.Table.Columns, c)
		return len(t.Table.Columns) - 1
	}
	old := &t.Table.Columns[i]
	if t.isWidened = t.isWidened || !old.SameType(&c); t.isWidened {
		*old = old.Clone()
	}
	old.Widen(&c)
	return i
}

// finish adds the last column, and says which fields have a wider column than they need.
func (t *EventTable) finish() {
	t.Table.Columns = append(t.Table.Columns, restColumn)
	if !t.isWidened {
		return
	}
	for n, e := range t.literals {
		for i := range e.Fields {
			own := t.column(&e.Fields[i])
			fc := &t.columns[n][i]
			fc.share(&t.Table.Columns[fc.Value], &own)
		}
	}
}

// share sets Own or the places of members: own is the column that the field would have alone, of
// which Members are so far.
func (c *FieldColumns) share(column, own *Column) {
	if !column.Holds(own) {
		c.Own = own
		return
	}
	c.moveMembers(column, own)
}

// moveMembers changes Members, which are those of own, to those of a column that holds it.
func (c *FieldColumns) moveMembers(column, own *Column) {
	find := Finder{Columns: column.Fields}
	for i := range c.Members {
		m := &c.Members[i]
		if m.Value < 0 {
			continue
		}
		from := &own.Fields[m.Value]
		m.Value = find.Find(from.Name)
		if m.NS >= 0 {
			m.NS = find.Find(own.Fields[m.NS].Name)
		}
		if m.Text >= 0 {
			m.Text = find.Find(own.Fields[m.Text].Name)
		}
		m.moveMembers(&column.Fields[m.Value], from)
	}
}

// nsColumn returns the column of a time in ns, beside the column of that name.
func nsColumn(f *Field, name string) Column {
	return Column{Name: name + nsSuffix, Type: Int64, List: f.IsArray(), Nullable: true, Encoding: Rising,
		Doc: "The time " + name + " in ns since 1970-01-01 UTC, exact. NULL if " + name + " is NULL, or a time before 1823-11-12 or after 2262-04-11, which does not fit."}
}

func fieldEncoding(f *Field, inList bool) Encoding {
	switch {
	case f.Kind == Bytes, f.Kind == LZNT1Text16, inList && f.Kind == Pointer:
		return Varied
	case f.hasNS():
		return Rising
	}
	return Repeating
}

// Tables returns the tables, by number. The caller must not change them.
func (c *Catalog) Tables() []*EventTable { return c.tables }

// Hook returns the layout of a kernel event: for its version or, if that is later than all
// known versions, for the last one.
func (c *Catalog) Hook(hook uint16, version uint8) (Literal, bool) {
	group := c.hooks[hook>>8]
	if group == nil {
		return Literal{}, false
	}
	return group[uint8(hook)].literal(version)
}

// Type returns the layout of a classic event.
func (c *Catalog) Type(class GUID, id, version uint8) (Literal, bool) {
	return c.types[classType{class, id}].literal(version)
}

func (tables tablesOfKey) literal(version uint8) (Literal, bool) {
	for _, t := range tables {
		for i, e := range t.literals {
			if e.In(version) {
				return Literal{e, t, t.columns[i]}, true
			}
		}
	}
	return Literal{}, false
}
