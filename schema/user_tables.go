package schema

import (
	"cmp"
	"slices"
	"strings"
)

// Limits on columns, including the members of structures. Engines that read a table hold
// all its columns in memory.
const (
	maxTableColumns = 8192
	maxUserColumns  = 1 << 17 // in all tables for events that schemas describe
)

// MessageColumn is the column of the rendered message, in tables of events
// that have one.
const MessageColumn = "message"

// Described is a schema that describes events of a trace.
type Described struct {
	*Schema
	Events    int64 // number of events that it describes
	Ambiguous bool  // the description gives another event that name too
	Rendered  bool  // the events have their message as a text
}

// UserTables makes the tables for events that schemas describe, numbered from first, and a literal
// for each schema.
//
// A table is for an event, not for a description of it: schemas of one [Identity] share a table,
// which has the columns of all of them; columns of one name and different types get the type as
// suffix. The table has the name in the schema of the lowest version. If a description gives
// several events one name, each of their tables has its id as suffix, such as Task_Info_17,
// whichever of them are in the trace. Other tables with the same name, from two providers or
// descriptions, get suffixes in the same way; see [DistinctNames].
//
// There are at most limit tables, those with the most events, and the number of columns is bounded.
// A schema beyond these limits has a literal without a table.
func UserTables(schemas []Described, first, limit int) ([]*EventTable, []Literal) {
	byEvent := make(map[Identity]*userTable)
	var all []*userTable
	of := make([]*userTable, len(schemas))
	for i, s := range schemas {
		event := s.Identity()
		t := byEvent[event]
		if t == nil {
			t = newUserTable(event)
			byEvent[event] = t
			all = append(all, t)
		}
		of[i] = t
		t.add(&s)
	}
	nameTables(all)
	chosen := slices.Clone(all)
	slices.SortStableFunc(chosen, func(a, b *userTable) int { return cmp.Compare(b.events, a.events) })
	for _, t := range chosen[min(limit, len(chosen)):] {
		t.dropped = true
	}
	var tables []*EventTable
	for _, t := range all {
		if !t.dropped {
			t.Number = first + len(tables)
			tables = append(tables, t.EventTable)
		}
	}
	literals := make([]Literal, len(schemas))
	left := maxUserColumns
	for i, s := range schemas {
		literals[i] = of[i].literal(&s.Event, &left)
	}
	for _, t := range all {
		t.finish()
	}
	return tables, literals
}

// nameTables names the tables.
func nameTables(all []*userTable) {
	events := make([]NamedEvent, len(all))
	for i, t := range all {
		events[i] = NamedEvent{t.Table.Event, userFolder(t.Class) + "/" + FolderName(t.Name), t.named.Ambiguous}
	}
	for i, name := range DistinctNames(events, nil) {
		all[i].Table.Name = EventsFolder + name
	}
}

// userFolder returns the folder of a provider's tables, which is never the folder of a kernel
// class.
func userFolder(provider string) string {
	name := FolderName(provider)
	for _, t := range KernelCatalog().Tables() {
		if strings.EqualFold(t.Class, name) {
			return name + "-provider"
		}
	}
	return name
}

// userTable is a table that is being made.
type userTable struct {
	*EventTable
	placer     *placer
	named      *Described // that has the table's name
	size       int        // number of columns, including the members of structures
	events     int64
	hasMessage bool
	dropped    bool
}

func newUserTable(event Identity) *userTable {
	t := &EventTable{Table: &Table{SortBy: byTime, Event: event}}
	t.Table.Columns = slices.Clone(commonColumns[:len(commonColumns)-1]) // all but the payload
	if t.Table.HasDescriptor() {
		t.Table.Columns = append(t.Table.Columns, eventColumns...)
	}
	return &userTable{EventTable: t, placer: newPlacer(&t.Table.Columns), size: len(t.Table.Columns)}
}

// add adds a schema of the event. Columns are made later.
func (t *userTable) add(s *Described) {
	t.events += s.Events
	t.hasMessage = t.hasMessage || s.Rendered
	s.Files = filesOf(&s.Event)
	t.Table.namesFile = t.Table.namesFile || s.Files != nil
	if t.named != nil && s.compareNames(t.named) >= 0 {
		return
	}
	t.named, t.Class, t.Name = s, s.Class, s.DisplayName()
	if t.Table.Doc = s.Doc; t.Table.Doc == "" {
		t.Table.Doc = "Payloads of " + t.Name + " of " + t.Class + "."
	}
}

// compareNames orders the schemas of an event by precedence for its name. It does not depend on the
// order of events in a trace.
func (s *Described) compareNames(other *Described) int {
	return cmp.Or(cmp.Compare(s.Version, other.Version), cmp.Compare(s.Class, other.Class), cmp.Compare(s.DisplayName(), other.DisplayName()), cmp.Compare(s.Doc, other.Doc))
}

// literal adds the columns of an event if there is room for them; left is the room in all tables.
func (t *userTable) literal(e *Event, left *int) Literal {
	most := 2 * countFields(e.Fields) // a number can have a second column for its name
	if t.dropped || t.size+most > maxTableColumns || most > *left {
		return Literal{Event: e}
	}
	l := Literal{Event: e, Table: t.EventTable, Columns: make([]FieldColumns, len(e.Fields))}
	before := len(t.Table.Columns)
	used := make(map[int]bool)
	for i := range e.Fields {
		f := &e.Fields[i]
		name := t.name(f.Name)
		if name == MessageColumn && t.hasMessage {
			name = "payload_" + name
		}
		l.Columns[i] = t.placer.field(f, name, used)
	}
	added := countColumns(t.Table.Columns[before:])
	t.size += added
	*left -= added
	return l
}

func countFields(fields []Field) int {
	n := len(fields)
	for i := range fields {
		n += countFields(fields[i].Struct)
	}
	return n
}

func countColumns(columns []Column) int {
	n := len(columns)
	for i := range columns {
		n += countColumns(columns[i].Fields)
	}
	return n
}

// placer assigns fields to the columns of a table or structure, of which there may be thousands.
type placer struct {
	columns *[]Column
	byName  map[string]int
}

func newPlacer(columns *[]Column) *placer {
	p := &placer{columns, make(map[string]int)}
	for i := range *columns {
		p.byName[(*columns)[i].Name] = i
	}
	return p
}

// field adds the columns of a field and returns them: none for a structure without fields.
// used are the columns that the same event already fills.
func (p *placer) field(f *Field, name string, used map[int]bool) FieldColumns {
	fc := FieldColumns{Value: -1, NS: -1, Text: -1, Code: noCode}
	c := Column{Name: name, Type: f.Kind.ColumnType(), List: f.IsArray(), Nullable: true, Encoding: fieldEncoding(f, f.IsArray()), Unit: f.ColumnUnit(), Doc: f.Doc}
	if f.Struct != nil {
		c.Type, c.Encoding = Struct, Repeating
		members, inner := newPlacer(&c.Fields), make(map[int]bool)
		for i := range f.Struct {
			fc.Members = append(fc.Members, members.field(&f.Struct[i], f.Struct[i].Name, inner))
		}
		if len(c.Fields) == 0 { // Parquet has no structures without members
			return fc
		}
	}
	if f.Unit != "" {
		c.Doc += " Unit: " + string(f.Unit) + "."
	}
	fc.Value = p.place(c, used)
	if f.ValueNames() != nil && !f.IsArray() && f.Struct == nil {
		fc.Text = p.place(Column{Name: (*p.columns)[fc.Value].Name + "_text", Type: String, Nullable: true,
			Doc: "What " + name + " means, by name. NULL where no name is known."}, used)
	}
	return fc
}

// place returns the index of a column. It adds the column unless there is an equal, unused one.
func (p *placer) place(c Column, used map[int]bool) int {
	plain := c.Name
	for n := 1; ; n++ {
		i, ok := p.byName[c.Name]
		if !ok {
			i = len(*p.columns)
			*p.columns = append(*p.columns, c)
			p.byName[c.Name] = i
		}
		if old := &(*p.columns)[i]; !ok || old.SameType(&c) && !used[i] {
			used[i] = true
			old.mergeUnits(&c)
			return i
		}
		c.Name = plain + "_" + c.TypeSuffix()
		if n > 1 {
			c.Name += "_" + itoa(n)
		}
	}
}

// finish adds the last columns.
func (t *userTable) finish() {
	if t.Table.namesFile {
		t.Table.Columns = append(t.Table.Columns, fileNameColumn)
	}
	if t.hasMessage {
		t.Table.Columns = append(t.Table.Columns, Column{Name: MessageColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The event's message, with the values in place. NULL where the schema has none, or the fields say the same (option messages)."})
	}
	t.Table.Columns = append(t.Table.Columns, Column{Name: RestColumn, Type: Binary, Nullable: true, Encoding: Varied,
		Doc: "Bytes of the payload after its known fields, or from the first field that does not fit. NULL if there are none."})
}
