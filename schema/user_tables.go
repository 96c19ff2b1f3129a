package schema

import (
	"cmp"
	"slices"
	"strings"
)

// columnRoom limits columns, including the members of structures.
type columnRoom struct {
	table int // of a table
	left  int // of all tables that are still to be made
}

// userRoom is the room of tables for events that schemas describe. Engines that read a table hold all
// its columns in memory.
var userRoom = columnRoom{table: 8192, left: 1 << 17}

// MessageColumn is the column of the rendered message, in tables of events
// that have one.
const MessageColumn = "message"

// Described is a schema that describes events of a trace.
type Described struct {
	*Schema
	Events    int64 // number of events that it describes
	Ambiguous bool  // the description gives another event that name too
	Rendered  bool  // the events have their message as a text
	// Known is true for a form of an event of the trace that the catalogue knows: the table has its
	// columns, whether or not an event has this form.
	Known bool
}

// UserTables makes the tables for events that schemas describe, numbered from first, and a literal
// for each schema.
//
// A table is for an event, not for a description of it: schemas of one [Identity] share a table,
// which has the columns of all of them, each as wide as its forms need; see [Column.Widen]. The
// table has the name in the schema of the lowest version. If a description gives several events one
// name, each of their tables has its id as suffix, such as Task_Info_17, whichever of them are in
// the trace. Other tables with the same name, from two providers or descriptions, get suffixes in
// the same way; see [DistinctNames].
//
// There are at most limit tables, those of known events and then those with the most events, and the number of columns is bounded.
// A schema beyond these limits has a literal without a table.
func UserTables(schemas []Described, first, limit int) ([]*EventTable, []Literal) {
	return userTables(schemas, first, limit, userRoom)
}

func userTables(schemas []Described, first, limit int, room columnRoom) ([]*EventTable, []Literal) {
	byEvent := make(map[Identity]*userTable)
	var all []*userTable
	literals := make([]Literal, len(schemas))
	for i := range schemas {
		s := &schemas[i]
		literals[i].Event = &s.Event
		event := s.Identity()
		t := byEvent[event]
		if t == nil {
			t = newUserTable(event)
			byEvent[event] = t
			all = append(all, t)
		}
		t.add(s, &literals[i])
	}
	nameTables(all)
	chosen := slices.Clone(all)
	slices.SortStableFunc(chosen, func(a, b *userTable) int {
		if a.isKnown != b.isKnown { // views read tables of known events
			return map[bool]int{true: -1, false: 1}[a.isKnown]
		}
		return cmp.Compare(b.events, a.events)
	})
	for _, t := range chosen[min(limit, len(chosen)):] {
		t.dropped = true
	}
	var tables []*EventTable
	for _, t := range all {
		if t.dropped {
			continue
		}
		t.Number = first + len(tables)
		tables = append(tables, t.EventTable)
		t.makeColumns(&room)
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
	forms      []userForm
	named      *Described // that has the table's name
	size       int        // number of columns, including the members of structures
	events     int64
	hasMessage bool
	isKnown    bool // the catalogue knows the event
	dropped    bool
}

// userForm is a form of the event.
type userForm struct {
	*Described
	literal *Literal
	own     []Column // that its fields would have alone
}

func newUserTable(event Identity) *userTable {
	t := &EventTable{Table: &Table{SortBy: byTime, Event: event}}
	t.Table.Columns = slices.Clone(commonColumns[:len(commonColumns)-1]) // all but the payload
	if t.Table.HasDescriptor() {
		t.Table.Columns = append(t.Table.Columns, eventColumns...)
	}
	return &userTable{EventTable: t, size: len(t.Table.Columns)}
}

// add adds a schema of the event. Columns are made later.
func (t *userTable) add(s *Described, l *Literal) {
	t.forms = append(t.forms, userForm{Described: s, literal: l})
	t.events += s.Events
	t.hasMessage = t.hasMessage || s.Rendered
	s.Files = filesOf(&s.Event)
	t.Table.namesFile = t.Table.namesFile || s.Files != nil
	t.isKnown = t.isKnown || s.Known
	if s.Known || t.named != nil && s.compareNames(t.named) >= 0 {
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

// makeColumns makes the columns, and the literals of the forms. The forms go in an order that does
// not depend on the trace, the catalogue's first.
func (t *userTable) makeColumns(room *columnRoom) {
	slices.SortStableFunc(t.forms, func(a, b userForm) int { return a.compare(&b) })
	placer := newPlacer(&t.Table.Columns)
	for i := range t.forms {
		for k := range t.forms[i].Fields {
			placer.reserve(t.name(t.forms[i].Fields[k].Name))
		}
	}
	for i := range t.forms {
		t.place(&t.forms[i], placer, room)
	}
	t.addLast()
	for i := range t.forms {
		f := &t.forms[i]
		for k := range f.literal.Columns {
			fc := &f.literal.Columns[k]
			if fc.Value >= 0 {
				fc.share(&t.Table.Columns[fc.Value], &f.own[k])
			}
			if fc.NS >= 0 {
				t.Table.Columns[fc.NS].List = t.Table.Columns[fc.Value].List
			}
		}
	}
}

// ColumnsAlone returns the columns that the fields of an event fill in the table that it would have if it
// had only this form, and that table, without its last columns. It may have any number of columns.
func ColumnsAlone(s *Schema) ([]FieldColumns, *Table) {
	t := newUserTable(s.Identity())
	t.Table.namesFile = filesOf(&s.Event) != nil
	placer, used := newPlacer(&t.Table.Columns), make(map[string]int)
	places := make([]FieldColumns, len(s.Fields))
	for i := range s.Fields {
		placer.reserve(t.name(s.Fields[i].Name))
	}
	for i := range s.Fields {
		_, places[i] = placer.field(&s.Fields[i], t.name(s.Fields[i].Name), used)
	}
	return places, t.Table
}

// compare orders the forms of an event: those with most fields first, whose columns are then in the
// order of the payload.
func (f *userForm) compare(other *userForm) int {
	if f.Known != other.Known {
		if f.Known {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(len(other.Fields), len(f.Fields)), f.compareNames(other.Described), slices.CompareFunc(f.Fields, other.Fields, func(a, b Field) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), cmp.Compare(len(b.Struct), len(a.Struct)))
	}))
}

// place adds the columns of a form, if there is room for them.
func (t *userTable) place(f *userForm, placer *placer, room *columnRoom) {
	most := 2 * countFields(f.Fields) // a number can have a second column for its name, and a time one for its ns
	if t.size+most > room.table || most > room.left {
		return
	}
	l := f.literal
	l.Table, l.Columns, f.own = t.EventTable, make([]FieldColumns, len(f.Fields)), make([]Column, len(f.Fields))
	used := make(map[string]int)
	for i := range f.Fields {
		field := &f.Fields[i]
		name := t.name(field.Name)
		if name == MessageColumn && t.hasMessage {
			name = payloadPrefix + name
		}
		if field.IsOpaque() && t.states(field.Name) { // it is never read, and must not widen what other forms state
			f.own[i], l.Columns[i] = ownColumn(field, name)
			continue
		}
		f.own[i], l.Columns[i] = placer.field(field, name, used)
	}
	t.size += placer.added
	room.left -= placer.added
	placer.added = 0
}

// states reports whether a form has a field whose members are stated, if it has any.
func (t *userTable) states(name string) bool {
	return slices.ContainsFunc(t.forms, func(f userForm) bool {
		return slices.ContainsFunc(f.Fields, func(f Field) bool { return f.Name == name && !f.IsOpaque() })
	})
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
	byName  map[string]int // -1 for a name that is reserved
	byTime  map[int]int    // the columns in ns of columns of times
	added   int            // number of columns, including the members of structures
}

func newPlacer(columns *[]Column) *placer {
	p := &placer{columns: columns, byName: make(map[string]int), byTime: make(map[int]int)}
	for i := range *columns {
		p.byName[(*columns)[i].Name] = i
	}
	return p
}

// reserve reserves the name of a field: no other column gets it.
func (p *placer) reserve(name string) {
	if _, ok := p.byName[name]; !ok {
		p.byName[name] = -1
	}
}

// field adds the columns of a field. It returns the column that the field would have alone, and
// where its values go: nowhere for a structure without fields. used counts the columns that the same
// event already fills, by name.
func (p *placer) field(f *Field, name string, used map[string]int) (Column, FieldColumns) {
	own, fc := ownColumn(f, name)
	if own.Type == Struct && len(own.Fields) == 0 { // Parquet has no structures without members
		return own, fc
	}
	fc.Value = p.place(&own, used)
	if f.hasNS() {
		fc.NS = p.placeNS(f, fc.Value)
	}
	if f.ValueNames() != nil && !f.IsArray() && f.Struct == nil {
		fc.Text = p.place(&Column{Name: own.Name + textSuffix, Type: String, Nullable: true,
			Doc: "What " + name + " means, by name. NULL where no name is known."}, used)
	}
	return own, fc
}

// ownColumn returns the column that a field would have alone, with the places of its members.
func ownColumn(f *Field, name string) (Column, FieldColumns) {
	fc := FieldColumns{Value: -1, NS: -1, Text: -1, Code: noCode}
	c := valueColumn(f, f.IsArray())
	c.Name, c.List, c.Nullable = name, f.IsArray(), true
	if f.Struct == nil {
		return c, fc
	}
	c.Type, c.Encoding, c.Unsigned = Struct, Repeating, false
	members, used := newPlacer(&c.Fields), make(map[string]int)
	for i := range f.Struct {
		members.reserve(f.Struct[i].Name)
	}
	for i := range f.Struct {
		_, m := members.field(&f.Struct[i], f.Struct[i].Name, used)
		fc.Members = append(fc.Members, m)
	}
	return c, fc
}

// place returns the index of a column, which it adds, or makes as wide as c needs. c gets the
// name that the column has: the second of two fields of an event with one name has another one.
func (p *placer) place(c *Column, used map[string]int) int {
	plain := c.Name
	for used[plain]++; ; used[plain]++ {
		if n := used[plain]; n > 1 {
			c.Name = plain + "_" + itoa(n)
		}
		if c.Name == plain || used[c.Name] == 0 {
			break
		}
	}
	if c.Name != plain {
		used[c.Name]++
	}
	i, ok := p.byName[c.Name]
	if !ok || i < 0 {
		return p.add(c.Clone())
	}
	old := &(*p.columns)[i]
	before := countColumns(old.Fields)
	old.Widen(c)
	p.added += countColumns(old.Fields) - before
	return i
}

// add adds a column, and returns its index.
func (p *placer) add(c Column) int {
	i := len(*p.columns)
	*p.columns = append(*p.columns, c)
	p.byName[c.Name] = i
	p.added += 1 + countColumns(c.Fields)
	return i
}

// placeNS returns the index of the column in ns beside the column of a time, and adds it if it is
// missing. A name that is taken gets the suffix again: all names that place makes end in a number.
func (p *placer) placeNS(f *Field, value int) int {
	if i, ok := p.byTime[value]; ok {
		return i
	}
	c := nsColumn(f, (*p.columns)[value].Name)
	for _, taken := p.byName[c.Name]; taken; _, taken = p.byName[c.Name] {
		c.Name += nsSuffix
	}
	p.byTime[value] = p.add(c)
	return p.byTime[value]
}

// addLast adds the last columns.
func (t *userTable) addLast() {
	if t.Table.namesFile {
		t.Table.Columns = append(t.Table.Columns, fileNameColumn)
	}
	if t.Table.messages = t.hasMessage; t.hasMessage {
		t.Table.Columns = append(t.Table.Columns, Column{Name: MessageColumn, Type: String, Nullable: true, Encoding: Varied,
			Doc: "The event's message, with the values in place. NULL where the schema has none, or the fields say the same (option messages)."})
	}
	t.Table.Columns = append(t.Table.Columns, restColumn)
}
