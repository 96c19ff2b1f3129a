package schema

import (
	"slices"
	"strings"
)

// Widen makes a column hold the values of another column of its name as well. It is the one rule
// for forms of an event that differ: within a trace, in a dataset, and over several traces.
//
//   - BOOLEAN, INT32 and INT64 become the wider of them; with UINT64 they become UINT64 if no form
//     has a sign, else text.
//   - FLOAT, with BOOLEAN or INT32 too, becomes DOUBLE; so do BOOLEAN and INT32 with DOUBLE.
//   - Structures get the members of both, in the order of their names if they differ. A member that a
//     form lacks is NULL.
//   - A value beside a list becomes a list of one.
//   - Everything else becomes text, as in CSV: times in RFC 3339, bytes in hexadecimal digits,
//     structures in JSON.
//
// The result does not depend on the order in which forms are added. c must own its Fields.
func (c *Column) Widen(other *Column) {
	c.List = c.List || other.List
	c.Nullable = c.Nullable || other.Nullable
	c.Encoding = min(c.Encoding, other.Encoding)
	if c.Unit != other.Unit {
		c.Unit = ""
	}
	if c.Type == Struct && other.Type == Struct {
		c.widenMembers(other.Fields)
		return
	}
	unsigned := c.isUnsigned() && other.isUnsigned()
	if c.Type != other.Type {
		c.Type, c.Fields = widerType(c, other), nil
		if c.Type == String {
			c.Encoding = Repeating
		}
	}
	c.Unsigned = unsigned && c.Type <= Uint64
}

// widenMembers adds the members of another structure.
func (c *Column) widenMembers(others []Column) {
	find := Finder{Columns: c.Fields}
	both := make([]bool, len(c.Fields))
	var added []Column
	for i := range others {
		if at := find.Find(others[i].Name); at >= 0 {
			both[at] = true
			c.Fields[at].Widen(&others[i])
			continue
		}
		own := others[i].Clone()
		own.Nullable = true
		added = append(added, own)
	}
	for i := range both {
		c.Fields[i].Nullable = c.Fields[i].Nullable || !both[i]
	}
	if len(added) == 0 && !slices.Contains(both, false) && find.places == nil {
		return // the same members in the same order
	}
	c.Fields = append(c.Fields, added...)
	slices.SortFunc(c.Fields, func(a, b Column) int { return strings.Compare(a.Name, b.Name) })
}

// widerType returns the type that holds the values of both columns, whose types differ.
func widerType(a, b *Column) Type {
	low, high := a, b
	if low.Type > high.Type {
		low, high = high, low
	}
	switch {
	case high.Type > Double:
	case low.Type == Float, high.Type >= Float && low.Type <= Int32:
		return Double
	case high.Type < Uint64, high.Type == Uint64 && low.isUnsigned():
		return high.Type
	}
	return String
}

// isUnsigned reports whether no value of an integer column is negative.
func (c *Column) isUnsigned() bool {
	return c.Unsigned || c.Type == Boolean || c.Type == Uint64
}

// Holds reports whether a column can take the values of another as they are: its type is the same
// and, for structures, it has all members.
func (c *Column) Holds(other *Column) bool {
	if c.Type != other.Type || c.List != other.List || c.OwnsBytes() != other.OwnsBytes() || other.Nullable && !c.Nullable || c.Unsigned && !other.isUnsigned() {
		return false
	}
	return holdAll(c.Fields, other.Fields)
}

// holdAll reports whether columns take the values of others as they are. What the others lack must
// be nullable.
func holdAll(columns, others []Column) bool {
	find := Finder{Columns: columns}
	held := make([]bool, len(columns))
	for i := range others {
		at := find.Find(others[i].Name)
		if at < 0 || !columns[at].Holds(&others[i]) {
			return false
		}
		held[at] = true
	}
	for i := range held {
		if !held[i] && !columns[i].Nullable {
			return false
		}
	}
	return true
}

// OwnsBytes reports whether each value of a column has bytes of its own in a batch.
func (c *Column) OwnsBytes() bool {
	return (c.Type == String || c.Type == Binary) && c.Encoding == Varied
}

// Finder finds columns by name, of which there may be thousands. Mostly they are looked up in order.
// The zero value finds none.
type Finder struct {
	Columns []Column
	next    int
	places  map[string]int // made when the order differs
}

// Find returns the index of a column, or -1.
func (f *Finder) Find(name string) int {
	if f.next < len(f.Columns) && f.Columns[f.next].Name == name {
		f.next++
		return f.next - 1
	}
	if f.places == nil {
		f.places = make(map[string]int, len(f.Columns))
		for i := range f.Columns {
			f.places[f.Columns[i].Name] = i
		}
	}
	at, ok := f.places[name]
	if !ok {
		return -1
	}
	f.next = at + 1
	return at
}

// Clone returns a copy that owns its Fields.
func (c *Column) Clone() Column {
	own := *c
	own.Fields = slices.Clone(c.Fields)
	for i := range own.Fields {
		own.Fields[i] = own.Fields[i].Clone()
	}
	return own
}

// Widen returns a table with the columns of both tables, each as wide as [Column.Widen] says. Columns
// that only one of them has are nullable. It returns t if that has such columns.
func (t *Table) Widen(other *Table) *Table {
	if t.SameColumns(other) {
		return t
	}
	wide := *t
	wide.headerIDs, wide.namesFile = t.headerIDs || other.headerIDs, t.namesFile || other.namesFile
	wide.messages = t.messages || other.messages
	columns := make([]Column, len(t.Columns))
	for i := range t.Columns {
		columns[i] = t.Columns[i].Clone()
	}
	find := Finder{Columns: columns}
	inOther := make([]bool, len(columns))
	after := make([][]Column, 1+len(columns)) // by place plus 1: the columns to insert after it
	last := 0
	for i := range other.Columns {
		c := &other.Columns[i]
		if at := find.Find(c.Name); at >= 0 {
			columns[at].Widen(c)
			inOther[at], last = true, at+1
			continue
		}
		own := c.Clone()
		own.Nullable = true
		after[last] = append(after[last], own)
	}
	wide.Columns = append(make([]Column, 0, len(columns)+len(other.Columns)), after[0]...)
	for i := range columns {
		columns[i].Nullable = columns[i].Nullable || !inOther[i]
		wide.Columns = append(append(wide.Columns, columns[i]), after[i+1]...)
	}
	wide.omitted = nil
	for _, c := range slices.Concat(t.omitted, other.omitted) {
		switch i := slices.IndexFunc(wide.omitted, func(o Column) bool { return o.Name == c.Name }); {
		case wide.Column(c.Name) >= 0:
		case i >= 0:
			wide.omitted[i] = wide.omitted[i].Clone()
			wide.omitted[i].Widen(&c)
		default:
			wide.omitted = append(wide.omitted, c)
		}
	}
	if slices.EqualFunc(wide.Columns, t.Columns, sameColumn) && slices.EqualFunc(wide.omitted, t.omitted, sameColumn) {
		return t
	}
	return &wide
}
