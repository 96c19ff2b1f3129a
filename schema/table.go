package schema

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Type is the type of an output column: one of those that every engine reads
// without options (DESIGN.md, section 4).
type Type uint8

// The column types, with the Parquet types they are written as.
const (
	Boolean   Type = iota + 1 // BOOLEAN
	Int32                     // INT32
	Int64                     // INT64
	Uint64                    // INT64 annotated UINT_64
	Float                     // FLOAT
	Double                    // DOUBLE
	String                    // BYTE_ARRAY annotated STRING
	Binary                    // BYTE_ARRAY
	Timestamp                 // INT64 annotated TIMESTAMP(MICROS, UTC)
	Struct                    // a group of the columns that are its members
)

var typeNames = [...]string{
	Boolean: "BOOLEAN", Int32: "INT32", Int64: "INT64", Uint64: "UINT64",
	Float: "FLOAT", Double: "DOUBLE", String: "STRING", Binary: "BINARY", Timestamp: "TIMESTAMP", Struct: "STRUCT",
}

func (t Type) String() string { return typeNames[t] }

// Encoding describes the values of a column, which decides how they are best written.
type Encoding uint8

// The kinds of column, by their values.
const (
	Repeating Encoding = iota // few distinct values: a dictionary
	Rising                    // each near the one before: differences
	Varied                    // neither
	Alike                     // neither, in lists that often have long parts in common
)

// MaxDepth is the number of Structs that may be nested in a column: more than any event has, and
// few enough for every reader.
const MaxDepth = 32

// Column is a column of an output table, or a member of one.
type Column struct {
	Name     string
	Type     Type
	List     bool // a LIST of Type
	Nullable bool // of the list, if List: elements are never null
	Encoding Encoding
	Unsigned bool // of integers: no source has a sign, so that none is negative

	LocatesCode bool // it says where the code address in another column lies
	Computed    bool // from other columns: files of a dataset lack it, and its views compute it

	Unit   Unit     // or meaning of its values; "" if no source states it
	Fields []Column // the members of a Struct, which has at least one
	Doc    string   // at least a sentence: its meaning, its unit, when it is null
}

// TypeName returns the type as "describe" prints it: INT32, LIST<STRING>,
// STRUCT<a INT32, b LIST<STRING>>.
func (c *Column) TypeName() string { return c.typeName("") }

// SignedTypeName is TypeName with a + after integers that are never negative: INT32+.
func (c *Column) SignedTypeName() string { return c.typeName(unsignedMark) }

const unsignedMark = "+"

// typeName returns the type, with a mark after integers without a sign.
func (c *Column) typeName(mark string) string {
	name := c.Type.String()
	if c.Unsigned && (c.Type == Int32 || c.Type == Int64) {
		name += mark
	}
	if c.Type == Struct {
		members := make([]string, len(c.Fields))
		for i := range c.Fields {
			members[i] = c.Fields[i].Name + " " + c.Fields[i].typeName(mark)
		}
		name += "<" + strings.Join(members, ", ") + ">"
	}
	if c.List {
		return "LIST<" + name + ">"
	}
	return name
}

// ParseType returns a column of the type that TypeName or SignedTypeName writes.
func ParseType(name string) (c Column, ok bool) {
	c, rest, ok := cutType(name, 0)
	return c, ok && rest == ""
}

// cutType reads the type at the beginning of a text, inside depth others.
func cutType(text string, depth int) (c Column, rest string, ok bool) {
	if element, isList := strings.CutPrefix(text, "LIST<"); isList {
		if c, rest, ok = cutType(element, depth); !ok || c.List {
			return c, rest, false
		}
		c.List = true
		rest, ok = strings.CutPrefix(rest, ">")
		return c, rest, ok
	}
	end := strings.IndexAny(text, "<>,")
	if end < 0 {
		end = len(text)
	}
	plain, unsigned := strings.CutSuffix(text[:end], unsignedMark)
	t := slices.Index(typeNames[:], plain)
	switch {
	case !unsigned:
	case Type(t) == Int32 || Type(t) == Int64:
		c.Unsigned = true
	case Type(t) != Boolean: // earlier versions wrote the mark after some booleans, too
		return c, text, false
	}
	if c.Type, rest = Type(max(t, 0)), text[end:]; t <= 0 {
		return c, rest, false
	}
	if c.Type != Struct {
		return c, rest, true
	}
	if depth == MaxDepth {
		return c, rest, false
	}
	for separator := "<"; ; separator = ", " {
		if rest, ok = strings.CutPrefix(rest, separator); !ok {
			rest, ok = strings.CutPrefix(rest, ">")
			return c, rest, ok && len(c.Fields) > 0
		}
		name, kind, _ := strings.Cut(rest, " ")
		member, after, ok := cutType(kind, depth+1)
		if !ok || name == "" {
			return c, rest, false
		}
		member.Name = name
		c.Fields, rest = append(c.Fields, member), after
	}
}

// SameType reports whether the columns hold the same values: their types are the same and, for
// structs, so are the members by name, type and order.
func (c *Column) SameType(other *Column) bool {
	return c.Type == other.Type && c.List == other.List && slices.EqualFunc(c.Fields, other.Fields, func(a, b Column) bool {
		return a.Name == b.Name && a.Nullable == b.Nullable && a.SameType(&b)
	})
}

// Table is an output table.
type Table struct {
	Name    string
	Doc     string
	Columns []Column
	SortBy  []string // the columns its rows are sorted by
	Event   Identity // of a table of an event that the kernel's tables lack; zero for others

	headerIDs bool // of a table of payloads: see HasHeaderIDs
	namesFile bool // see NamesFile
	messages  bool // see HasMessages
	omitted   []Column
}

// Omitted returns the columns that Project has left out, of this table and of those that it was widened
// by. The caller must not change them.
func (t *Table) Omitted() []Column { return t.omitted }

// EventsFolder begins the names of the tables of payloads.
const EventsFolder = "events/"

// HasHeaderIDs reports whether the table has the columns header_process_id and header_thread_id of
// the header. Fields of payloads may have the same names.
func (t *Table) HasHeaderIDs() bool {
	return t.headerIDs || !t.IsPayload() && t.Column(headerIDColumns[0].Name) >= 0
}

// HasDescriptor reports whether the table is of an event with an EVENT_HEADER, and can have the
// columns [EventColumns]. Fields of other payloads may have the same names.
func (t *Table) HasDescriptor() bool {
	return t.Event.Kind == ProviderEvent || t.Event.Kind == TraceLoggingEvent
}

// NamesFile reports whether the table has the column file_name of the file that the events are
// about. Fields of payloads may have the same name.
func (t *Table) NamesFile() bool { return t.namesFile }

// HasMessages reports whether the column message of a table of payloads has the messages of the
// events, rather than a field of that name.
func (t *Table) HasMessages() bool { return t.messages }

// MadeColumns returns the names of the columns of a table of payloads that come neither from the
// header nor from the bytes of the payload: the message, the path of a file, and the names of code.
func (t *Table) MadeColumns() []string {
	var names []string
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.LocatesCode || c.Name == MessageColumn && t.messages || c.Name == FileNameColumn && t.namesFile {
			names = append(names, c.Name)
		}
	}
	return names
}

// PayloadColumns returns the columns of a table of payloads that are filled from the bytes of the
// payload. The column fields has their values.
func (t *Table) PayloadColumns() []Column {
	others := commonColumns[:len(commonColumns)-1]
	if t.headerIDs {
		others = slices.Concat(others, headerIDColumns)
	}
	if t.HasDescriptor() {
		others = slices.Concat(others, eventColumns)
	}
	made := t.MadeColumns()
	var list []Column
	for _, c := range t.Columns {
		if !slices.Contains(made, c.Name) && !slices.ContainsFunc(others, func(other Column) bool { return other.Name == c.Name }) {
			list = append(list, c)
		}
	}
	return list
}

// PayloadTable returns a table of an event for [Table.FieldKey], by what records of datasets have: the
// columns that payloads fill, and the names of [Table.MadeColumns].
func PayloadTable(event Identity, columns []Column, made []string) *Table {
	return &Table{Event: event, Columns: columns, namesFile: slices.Contains(made, FileNameColumn), messages: slices.Contains(made, MessageColumn)}
}

// isTaken reports whether a column that is not part of the payload has the name.
func (t *Table) isTaken(name string) bool {
	switch name {
	case RestColumn, partitionColumn:
		return true
	case FileNameColumn:
		return t.namesFile
	case MessageColumn:
		return t.messages
	}
	hasName := func(c Column) bool { return c.Name == name }
	return slices.ContainsFunc(commonColumns, hasName) || t.HasDescriptor() && slices.ContainsFunc(eventColumns, hasName)
}

// FieldKey returns the key in the JSON of the column fields of a column that payloads fill: the name of the
// field, without the prefix that the column has because the name is taken. The prefix stays where another
// column has the key, and where one field has the name without the prefix and another the name with it.
// Alone, a field whose own name has the prefix loses it, too: columns do not tell the two apart.
func (t *Table) FieldKey(column string) string {
	key, isPrefixed := strings.CutPrefix(column, payloadPrefix)
	if !isPrefixed {
		return column
	}
	for _, suffix := range []string{"", textSuffix, nsSuffix} {
		field, found := strings.CutSuffix(key, suffix)
		if !found || field == RestColumn || !t.isTaken(field) {
			continue
		}
		if of := payloadPrefix + field; t.Column(of) < 0 || t.Column(of+"_2") >= 0 || suffix != "" && t.Column(key) >= 0 {
			return column
		}
		return key
	}
	return column
}

// IsPayload reports whether the table holds the payloads of a kind of event.
func (t *Table) IsPayload() bool { return strings.HasPrefix(t.Name, EventsFolder) }

// ViewName returns the name of the table's view in SQL: the table's name or, for the payloads of an
// event, a name such as thread_cswitch.
func (t *Table) ViewName() string { return ViewName(t.Name) }

// ViewName returns the name of the view of a table.
func ViewName(table string) string {
	table = strings.TrimPrefix(table, EventsFolder)
	name := make([]byte, len(table))
	for i := range len(table) { // nearly all names are ASCII, and views name hundreds of tables
		if table[i] >= utf8.RuneSelf {
			return strings.Map(inView, table)
		}
		name[i] = byte(inView(rune(table[i])))
	}
	return string(name)
}

// inView returns what replaces a character of a table's name in the name of its view.
func inView(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(asciiInView[r])
	}
	if unicode.IsLetter(r) || unicode.IsDigit(r) {
		return unicode.ToLower(r)
	}
	return '_'
}

// asciiInView is inView of the ASCII characters.
const asciiInView = "________________________________________________0123456789_______" +
	"abcdefghijklmnopqrstuvwxyz______abcdefghijklmnopqrstuvwxyz_____"

// Column returns the index of a column by name, or -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// table returns a table with all of the columns. Every start of the program makes the tables, so a
// single list is not copied.
func table(name, doc string, sortBy []string, columns ...[]Column) *Table {
	if len(columns) == 1 {
		return &Table{Name: name, Doc: doc, SortBy: sortBy, Columns: columns[0]}
	}
	return &Table{Name: name, Doc: doc, SortBy: sortBy, Columns: slices.Concat(columns...)}
}
