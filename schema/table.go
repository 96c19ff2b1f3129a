package schema

import "strings"

// Type is the type of an output column: one of those that every engine reads
// without options (DESIGN.md, section 4).
type Type uint8

// The column types, with the Parquet types they are written as.
const (
	Boolean   Type = iota + 1 // BOOLEAN
	Int32                     // INT32
	Int64                     // INT64
	Uint64                    // INT64 annotated UINT_64
	Double                    // DOUBLE
	String                    // BYTE_ARRAY annotated STRING
	Binary                    // BYTE_ARRAY
	Timestamp                 // INT64 annotated TIMESTAMP(MICROS, UTC)
)

var typeNames = [...]string{
	Boolean: "BOOLEAN", Int32: "INT32", Int64: "INT64", Uint64: "UINT64",
	Double: "DOUBLE", String: "STRING", Binary: "BINARY", Timestamp: "TIMESTAMP",
}

func (t Type) String() string { return typeNames[t] }

// Encoding says what the values of a column are like, which decides how they
// are best written.
type Encoding uint8

// The kinds of column, by their values.
const (
	Repeating Encoding = iota // few distinct values: a dictionary
	Rising                    // each near the one before: differences
	Varied                    // neither
)

// Column is a column of an output table.
type Column struct {
	Name     string
	Type     Type
	List     bool // a LIST of Type
	Nullable bool // of the list, if List: elements are never null
	Encoding Encoding
	Doc      string // one sentence or more; what it is, its unit, when it is null
}

// TypeName returns the type as "describe" prints it.
func (c *Column) TypeName() string {
	if c.List {
		return "LIST<" + c.Type.String() + ">"
	}
	return c.Type.String()
}

// Table is an output table.
type Table struct {
	Name    string
	Doc     string
	Columns []Column
	SortBy  []string // the columns its rows are sorted by
}

// eventsFolder begins the names of the tables of payloads.
const eventsFolder = "events/"

// IsPayload reports whether the table holds the payloads of a kind of event.
func (t *Table) IsPayload() bool { return strings.HasPrefix(t.Name, eventsFolder) }

// ViewName returns the name of the table's view in SQL: its own or, for the
// payloads of an event, as in thread_cswitch.
func (t *Table) ViewName() string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(t.Name, eventsFolder), "/", "_"))
}

// Column returns the index of a column by name, or -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

func table(name, doc string, sortBy []string, columns ...[]Column) *Table {
	t := &Table{Name: name, Doc: doc, SortBy: sortBy}
	for _, c := range columns {
		t.Columns = append(t.Columns, c...)
	}
	return t
}
