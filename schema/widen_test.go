package schema

import (
	"slices"
	"testing"
)

// parsed returns the column of a type.
func parsed(t *testing.T, text string) Column {
	t.Helper()
	c, ok := ParseType(text)
	if !ok {
		t.Fatalf("no type: %s", text)
	}
	c.Name = "c"
	return c
}

func TestWiden(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"INT32", "INT32", "INT32"},
		{"INT32", "INT64", "INT64"},
		{"BOOLEAN", "INT32", "INT32"},
		{"BOOLEAN", "UINT64", "UINT64"},
		{"INT32+", "UINT64", "UINT64"},
		{"INT64+", "UINT64", "UINT64"},
		{"INT32", "UINT64", "STRING"},
		{"INT64", "UINT64", "STRING"},
		{"FLOAT", "DOUBLE", "DOUBLE"},
		{"FLOAT", "INT32", "DOUBLE"},
		{"INT32", "DOUBLE", "DOUBLE"},
		{"BOOLEAN", "FLOAT", "DOUBLE"},
		{"INT64+", "DOUBLE", "STRING"},
		{"UINT64", "FLOAT", "STRING"},
		{"TIMESTAMP", "STRING", "STRING"},
		{"TIMESTAMP", "INT64", "STRING"},
		{"BINARY", "STRING", "STRING"},
		{"BINARY", "INT32", "STRING"},
		{"INT32", "LIST<INT32>", "LIST<INT32>"},
		{"STRING", "LIST<INT64>", "LIST<STRING>"},
		{"STRUCT<a INT32>", "STRUCT<a INT64, b STRING>", "STRUCT<a INT64, b STRING>"},
		{"LIST<STRUCT<a INT32>>", "STRUCT<b LIST<INT32>>", "LIST<STRUCT<a INT32, b LIST<INT32>>>"},
		{"STRUCT<s STRUCT<a INT32>>", "STRUCT<s STRUCT<b TIMESTAMP>>", "STRUCT<s STRUCT<a INT32, b TIMESTAMP>>"},
		{"STRUCT<b INT32, a INT32>", "STRUCT<b INT32, a INT64>", "STRUCT<b INT32, a INT64>"},
		{"STRUCT<b INT32, a INT32>", "STRUCT<a INT32, b INT32>", "STRUCT<a INT32, b INT32>"},
		{"STRUCT<c INT32, b INT32>", "STRUCT<a STRING, c INT32>", "STRUCT<a STRING, b INT32, c INT32>"},
		{"STRUCT<a INT32>", "INT32", "STRING"},
		{"LIST<STRUCT<a INT32>>", "STRING", "LIST<STRING>"},
	} {
		a, b := parsed(t, test.a), parsed(t, test.b)
		c := a.Clone()
		c.Widen(&b)
		if got := c.TypeName(); got != test.want {
			t.Errorf("%s and %s: %s, want %s", test.a, test.b, got, test.want)
		}
		d := b.Clone()
		if d.Widen(&a); d.TypeName() != c.TypeName() {
			t.Errorf("%s and %s: %s", test.b, test.a, d.TypeName())
		}
		if olda, oldb := parsed(t, test.a), parsed(t, test.b); a.TypeName() != olda.TypeName() || b.TypeName() != oldb.TypeName() {
			t.Errorf("%s and %s: changed", test.a, test.b)
		}
	}
}

// TestWidenInAnyOrder checks, for all triples of types, that the order of the forms of an event does
// not matter.
func TestWidenInAnyOrder(t *testing.T) {
	texts := []string{"BOOLEAN", "INT32", "INT32+", "INT64", "INT64+", "UINT64", "FLOAT", "DOUBLE", "STRING", "BINARY", "TIMESTAMP", "LIST<INT32>", "STRUCT<b INT32, a INT32>", "STRUCT<a INT32>", "STRUCT<c LIST<INT32>>"}
	join := func(texts ...string) string {
		c := parsed(t, texts[0])
		for _, text := range texts[1:] {
			other := parsed(t, text)
			c.Widen(&other)
		}
		return c.SignedTypeName()
	}
	for _, a := range texts {
		for _, b := range texts {
			for _, c := range texts {
				want := join(a, b, c)
				for _, other := range []string{join(a, c, b), join(b, a, c), join(b, c, a), join(c, a, b), join(c, b, a)} {
					if other != want {
						t.Fatalf("%s, %s, %s: %s or %s", a, b, c, want, other)
					}
				}
			}
		}
	}
}

func TestHolds(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"INT32", "INT32", true}, {"INT64", "INT32", false}, {"INT32", "INT32+", true}, {"INT32+", "INT32", false}, {"LIST<INT32>", "INT32", false},
		{"STRUCT<a INT32, b STRING>", "STRUCT<b STRING>", true}, {"STRUCT<b STRING>", "STRUCT<a INT32, b STRING>", false},
		{"STRUCT<a INT32>", "STRUCT<a INT64>", false}, {"LIST<STRUCT<a STRUCT<x FLOAT, y FLOAT>>>", "LIST<STRUCT<a STRUCT<y FLOAT>>>", true},
	} {
		a, b := parsed(t, test.a), parsed(t, test.b)
		setNullable(a.Fields)
		if got := a.Holds(&b); got != test.want {
			t.Errorf("%s holds %s: %t", test.a, test.b, got)
		}
	}
	strict, member := parsed(t, "STRUCT<a INT32, b INT32>"), parsed(t, "STRUCT<a INT32>")
	if strict.Holds(&member) {
		t.Error("a member that is never NULL is missing")
	}
	text, varied := parsed(t, "STRING"), parsed(t, "STRING")
	varied.Encoding = Varied
	if text.Holds(&varied) || varied.Holds(&text) {
		t.Error("texts by code hold texts with bytes of their own")
	}
}

func setNullable(columns []Column) {
	for i := range columns {
		columns[i].Nullable = true
		setNullable(columns[i].Fields)
	}
}

// TestWidenTables checks the order of the columns, and which may be NULL.
func TestWidenTables(t *testing.T) {
	of := func(names ...string) *Table {
		table := &Table{Name: "events/P/A"}
		for _, name := range names {
			table.Columns = append(table.Columns, Column{Name: name, Type: Int32})
		}
		return table
	}
	a, b := of("x", "y", "rest"), of("w", "y", "z", "rest")
	b.Columns[1].Type = Int64
	wide := a.Widen(b)
	var got []string
	for _, c := range wide.Columns {
		text := c.Name + " " + c.TypeName()
		if c.Nullable {
			text += " or NULL"
		}
		got = append(got, text)
	}
	if want := []string{"w INT32 or NULL", "x INT32 or NULL", "y INT64", "z INT32 or NULL", "rest INT32"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if a.Columns[1].Type != Int32 || a.Columns[0].Nullable {
		t.Error("the table was changed")
	}
	if wide.Widen(a) != wide || wide.Widen(wide) != wide {
		t.Error("a table that has all columns is made again")
	}
}
