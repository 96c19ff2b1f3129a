package schema

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// userTablesText writes the tables and literals that UserTables returned.
func userTablesText(tables []*EventTable, literals []Literal) string {
	var b strings.Builder
	for _, t := range tables {
		b.WriteString(itoa(t.Number) + " " + t.Table.Name + ":")
		for i := range t.Table.Columns[len(commonColumns)-1+len(eventColumns):] {
			c := &t.Table.Columns[len(commonColumns)-1+len(eventColumns)+i]
			b.WriteString(" " + c.Name + " " + c.TypeName() + ";")
		}
		b.WriteString("\n")
	}
	for _, l := range literals {
		b.WriteString(l.Event.Name + ":")
		if l.Table == nil {
			b.WriteString(" no table")
		}
		for i, fc := range l.Columns {
			b.WriteString(" " + l.Event.Fields[i].Name)
			if fc.Value < 0 {
				b.WriteString("=none")
			} else {
				b.WriteString("=" + l.Table.Table.Columns[fc.Value].Name)
			}
			if fc.Own != nil {
				b.WriteString("<-" + fc.Own.TypeName())
			}
			b.WriteString(placesText(&fc))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// placesText writes where the name of a number and the members of a structure go.
func placesText(fc *FieldColumns) (text string) {
	if fc.Text >= 0 {
		text = "+text"
	}
	for i := range fc.Members {
		m := &fc.Members[i]
		text += " " + itoa(m.Value) + placesText(m)
	}
	if len(fc.Members) > 0 {
		text = "[" + strings.TrimPrefix(text, " ") + "]"
	}
	return text
}

func TestUserTables(t *testing.T) {
	on := &Values{Name: "on", Names: numbered("off", "on")}
	event := func(events int64, class, name string, fields ...Field) Described {
		s := &Schema{Event: Event{Class: class, Name: name, Fields: fields}}
		if name != "" {
			s.ID = uint16(unicode.ToUpper(rune(name[0]))) // events of one name are one event
		}
		return Described{Schema: s, Events: events}
	}
	ofKernelFile := func(d Described) Described {
		d.GUID = MustGUID("edd08927-9cc4-4e65-b970-c2560fb5c289")
		return d
	}
	known := func(d Described) Described { d.Known = true; return d }
	message := func(d Described) Described { d.Rendered = true; return d }
	for _, test := range []struct {
		name    string
		limit   int
		schemas []Described
		want    []string
	}{
		{"versions share a table", 9, []Described{
			event(1, "P", "A", Field{Name: "x", Kind: U32}, Field{Name: "y", Kind: Text16}),
			event(1, "P", "A", Field{Name: "x", Kind: U64}, Field{Name: "z", Kind: U8, Map: on}),
			event(1, "p", "a", Field{Name: "x", Kind: U32}, Field{Name: "x", Kind: U32}),
		}, []string{
			"700 events/P/A: x UINT64; y STRING; z INT32; z_text STRING; x_2 INT64; payload_rest BINARY;",
			"A: x=x<-INT64 y=y",
			"A: x=x z=z+text",
			"a: x=x<-INT64 x=x_2",
		}},
		{"names already in use", 9, []Described{
			message(event(1, "Process", "Start", Field{Name: "process_id", Kind: U32}, Field{Name: "message", Kind: Text8}, Field{Name: "payload_rest", Kind: U8})),
			event(1, "Q", "B", Field{Name: "message", Kind: Text8}),
			event(1, "Q", "C", Field{Name: "x", Kind: U8, Map: on}, Field{Name: "x_text", Kind: Text8}),
		}, []string{
			"700 events/Process-provider/Start: payload_process_id INT64; payload_message STRING; payload_payload_rest INT32; message STRING; payload_rest BINARY;",
			"701 events/Q/B: message STRING; payload_rest BINARY;",
			"702 events/Q/C: x INT32; x_text STRING; x_text_2 STRING; payload_rest BINARY;",
			"Start: process_id=payload_process_id message=payload_message payload_rest=payload_payload_rest",
			"B: message=message",
			"C: x=x+text x_text=x_text_2",
		}},
		{"files", 9, []Described{
			ofKernelFile(event(1, "F", "Create", Field{Name: "file_name", Kind: Text16})),
			ofKernelFile(event(1, "F", "Create", Field{Name: "file_object", Kind: Pointer})),
			ofKernelFile(event(1, "F", "Read", Field{Name: "file_object", Kind: Pointer})),
			ofKernelFile(event(1, "F", "List", Field{Name: "file_name", Kind: Text16, Count: 2})),
			event(1, "G", "Create", Field{Name: "file_name", Kind: Text16}),
		}, []string{
			"700 events/F/Create: payload_file_name STRING; file_object UINT64; file_name STRING; payload_rest BINARY;",
			"701 events/F/Read: file_object UINT64; payload_rest BINARY;",
			"702 events/F/List: file_name LIST<STRING>; payload_rest BINARY;",
			"703 events/G/Create: file_name STRING; payload_rest BINARY;",
			"Create: file_name=payload_file_name", "Create: file_object=file_object", "Read: file_object=file_object", "List: file_name=file_name", "Create: file_name=file_name",
		}},
		{"structures", 9, []Described{
			event(1, "P", "A", Field{Name: "s", CountPrefix: true, Struct: []Field{{Name: "a", Kind: U8, Map: on}, {Name: "t", Struct: []Field{{Name: "b", Kind: F32, Count: 2}}}}}),
			event(1, "P", "A", Field{Name: "s", Struct: []Field{{Name: "a", Kind: U8}}}),
		}, []string{
			"700 events/P/A: s LIST<STRUCT<a INT32, a_text STRING, t STRUCT<b LIST<FLOAT>>>>; payload_rest BINARY;",
			"A: s=s[0+text 2[0]]",
			"A: s=s<-STRUCT<a INT32>[0]",
		}},
		{"structures with other members", 9, []Described{
			event(1, "P", "A", Field{Name: "s", Struct: []Field{{Name: "a", Kind: U8}, {Name: "b", Kind: U8}}}),
			event(1, "P", "A", Field{Name: "s", Struct: []Field{{Name: "b", Kind: U8}, {Name: "c", Kind: U8, Map: on}, {Name: "b", Kind: Text8}}}),
		}, []string{
			"700 events/P/A: s STRUCT<a INT32, b INT32, b_2 STRING, c INT32, c_text STRING>; payload_rest BINARY;",
			"A: s=s[0 1]",
			"A: s=s[1 3+text 2]",
		}},
		{"an order that does not depend on the trace", 9, []Described{
			event(1, "P", "A", Field{Name: "y", Kind: U8}, Field{Name: "s", Struct: []Field{{Name: "b", Kind: U8}}}),
			known(event(0, "P", "A", Field{Name: "x", Kind: F32}, Field{Name: "y", Kind: U32})),
			event(1, "P", "A", Field{Name: "x", Kind: U8}, Field{Name: "s", Struct: []Field{{Name: "a", Kind: U8}}}),
		}, []string{
			"700 events/P/A: x DOUBLE; y INT64; s STRUCT<a INT32, b INT32>; payload_rest BINARY;",
			"A: y=y<-INT32 s=s[1]",
			"A: x=x<-FLOAT y=y",
			"A: x=x<-INT32 s=s[0]",
		}},
		{"structures without fields", 9, []Described{
			event(1, "P", "A", Field{Name: "s", Struct: []Field{}}, Field{Name: "t", Count: 2, Struct: []Field{{Name: "u", Struct: []Field{}}}}, Field{Name: "x", Kind: U8}),
		}, []string{"700 events/P/A: x INT32; payload_rest BINARY;", "A: s=none t=none[-1] x=x"}},
		{"too many tables", 1, []Described{
			event(1, "P", "A", Field{Name: "x", Kind: U32}), event(3, "P", "B", Field{Name: "x", Kind: U32}), event(1, "P", "A", Field{Name: "y", Kind: U32}),
		}, []string{
			"700 events/P/B: x INT64; payload_rest BINARY;", "A: no table", "B: x=x", "A: no table",
		}},
		{"too many tables, and a known event", 1, []Described{
			event(3, "P", "A", Field{Name: "x", Kind: U32}), event(1, "P", "B", Field{Name: "x", Kind: U32}), known(event(0, "P", "B", Field{Name: "x", Kind: U32})),
		}, []string{
			"700 events/P/B: x INT64; payload_rest BINARY;", "A: no table", "B: x=x", "B: x=x",
		}},
		{"names that are invalid paths", 9, []Described{event(1, "../../x", "con", Field{Name: "a", Kind: U8}), event(1, "", "", Field{Name: "a", Kind: U8})}, []string{
			"700 events/x_.._x/xcon: a INT32; payload_rest BINARY;", "701 events/x/0: a INT32; payload_rest BINARY;", "con: a=a", ": a=a",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := userTablesText(UserTables(test.schemas, 700, test.limit))
			if want := strings.Join(test.want, "\n") + "\n"; got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestSourceNames(t *testing.T) {
	if slices.Contains(sourceNames[1:], "") {
		t.Error("a source has no name")
	}
}

// TestFieldKey checks that the keys of fields have the names of the fields, and are distinct.
func TestFieldKey(t *testing.T) {
	on := &Values{Name: "on", Names: numbered("off", "on")}
	field := func(name string) Field { return Field{Name: name, Kind: U8} }
	named := func(name string) Field { return Field{Name: name, Kind: U8, Map: on} }
	time := func(name string) Field { return Field{Name: name, Kind: FileTime} }
	kernelFile := Event{GUID: MustGUID("edd08927-9cc4-4e65-b970-c2560fb5c289")}
	for _, test := range []struct {
		name   string
		d      Described
		fields []Field
		want   string // keys of the columns that the payload fills
	}{
		{"common columns", Described{}, []Field{field("process_id"), field("payload"), field("trace"), field("payload_size"), field("x")}, "process_id payload trace payload_size x"},
		{"a header", Described{}, []Field{field("level")}, "level"},
		{"no header", Described{Schema: &Schema{Classic: true}}, []Field{field("level"), field("payload_level")}, "level payload_level"},
		{"messages", Described{Rendered: true}, []Field{field("message")}, "message"},
		{"no messages", Described{}, []Field{field("message"), field("payload_message")}, "message payload_message"},
		{"a file", Described{Schema: &Schema{Event: kernelFile}}, []Field{{Name: "file_name", Kind: Text16}}, "file_name"},
		{"no file", Described{}, []Field{field("file_name"), field("payload_file_name")}, "file_name payload_file_name"},
		{"names and ns", Described{}, []Field{named("level"), time("timestamp")}, "level level_text timestamp timestamp_ns"},
		{"names and ns that fields have", Described{}, []Field{named("level"), field("level_text"), time("timestamp"), field("timestamp_ns")},
			"level payload_level_text level_text timestamp payload_timestamp_ns timestamp_ns"},
		{"the rest", Described{}, []Field{field("payload_rest")}, "payload_payload_rest"},
		{"the column of another field", Described{}, []Field{field("process_id"), field("payload_process_id")}, "payload_process_id payload_process_id_2"},
		{"a name that no column has", Described{}, []Field{field("payload_name"), field("payload_x_text")}, "payload_name payload_x_text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.d.Schema == nil {
				test.d.Schema = new(Schema)
			}
			test.d.Fields = test.fields
			tables, _ := UserTables([]Described{test.d}, 0, 1)
			table := tables[0].Table
			var got []string
			for _, c := range table.PayloadColumns() {
				got = append(got, table.FieldKey(c.Name))
			}
			if want := test.want + " " + RestColumn; strings.Join(got, " ") != want {
				t.Errorf("%s, want %s", got, want)
			}
			recorded := PayloadTable(table.Event, table.PayloadColumns(), table.MadeColumns())
			for i, c := range recorded.Columns {
				if key := recorded.FieldKey(c.Name); key != got[i] {
					t.Errorf("%s by the record, and %s by the table", key, got[i])
				}
			}
		})
	}
}

// TestUserColumns checks that many schemas of one table, with fields of different names
// or types, are limited in columns. Schemas beyond the limit get no table.
func TestUserColumns(t *testing.T) {
	testenv.Sequential(t)
	rooms := []columnRoom{{table: 256, left: 1 << 12}, userRoom}
	for _, room := range rooms[:testenv.Times(t, 1, 1, 2, 2)] {
		for _, test := range []struct {
			name            string
			schemas, fields int
			field           func(schema, n int) Field
			tables          int
		}{
			{"names", 300, room.table / 80, func(s, n int) Field { return Field{Name: "f" + itoa(s*1000+n), Kind: U8} }, 1},
			{"types", room.table + 800, 1, func(s, _ int) Field { return Field{Name: "f", Struct: []Field{{Name: "m" + itoa(s), Kind: U8}}} }, 1},
			{"an event", 1, 12 * room.table, func(_, n int) Field { return Field{Name: "f" + itoa(n), Kind: U8} }, 1},
			{"members", 1, 1, func(int, int) Field {
				f := Field{Name: "s", Struct: make([]Field, 6*room.table)}
				for i := range f.Struct {
					f.Struct[i] = Field{Name: "m" + itoa(i), Kind: U8}
				}
				return f
			}, 1},
			{"tables", 100, room.table * 3 / 8, func(_, n int) Field { return Field{Name: "f" + itoa(n), Kind: U8} }, 100},
		} {
			t.Run(itoa(room.table)+" columns: "+test.name, func(t *testing.T) {
				var list []Described
				for s := range test.schemas {
					e, id := Event{Class: "P", Name: "E" + itoa(s%test.tables)}, uint16(s%test.tables)
					for n := range test.fields {
						e.Fields = append(e.Fields, test.field(s, n))
					}
					list = append(list, Described{Schema: &Schema{Event: e, ID: id}, Events: 1})
				}
				tables, literals := userTables(list, 0, 4096, room)
				columns, without := 0, 0
				for _, table := range tables {
					n := countColumns(table.Table.Columns)
					if columns += n; n > room.table+2 {
						t.Errorf("%d columns", n)
					}
				}
				for _, l := range literals {
					if l.Table == nil {
						without++
					}
				}
				if columns > room.left+25*len(tables) || without == 0 {
					t.Errorf("%d columns of %d tables, %d schemas without a table", columns, len(tables), without)
				}
			})
		}
	}
}

// TestOpaqueFields checks that a form whose members no source states does not widen the column that others state,
// whatever the order of the forms, and has a column if no other form states it.
func TestOpaqueFields(t *testing.T) {
	stated, opaque := Field{Name: "f", Kind: U64, Count: 2}, Field{Name: "f", Kind: Bytes, Unstated: MembersUnstated}
	for _, test := range []struct {
		forms []Field
		want  string
	}{
		{[]Field{stated, opaque}, "LIST<UINT64>"},
		{[]Field{opaque, stated}, "LIST<UINT64>"},
		{[]Field{opaque}, "BINARY"},
	} {
		var list []Described
		for i, f := range test.forms {
			fields := []Field{{Name: "a", Kind: U8}, {Name: "b", Kind: U8}}[:2-i]
			list = append(list, Described{Schema: &Schema{Event: Event{Class: "P", Name: "E", Fields: append(fields, f)}, ID: 1, Version: uint8(i)}})
		}
		tables, _ := UserTables(list, 0, 1)
		table := tables[0].Table
		if got := table.Columns[table.Column("f")].TypeName(); got != test.want {
			t.Errorf("%v: %s, want %s", test.forms, got, test.want)
		}
	}
}

// TestTemplate checks that a template has the names of fields in place of their values.
func TestTemplate(t *testing.T) {
	fields := []Field{{Name: "process_id", Original: "ProcessID"}, {Name: "image_name"}}
	m := Message{{Text: "process ", Field: 0, Format: "08X"}, {Text: " {of} ", Field: 1}, {Text: "; ", Field: 99}, {Text: ".", Field: -1}}
	const want = "process {ProcessID} {of} {ImageName}; ."
	if got := m.Template(fields, len(want)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := m.Template(fields, len(want)-1) + Message(nil).Template(fields, 9); got != "" {
		t.Errorf("%q, want none", got)
	}
}

// TestSharedNames checks the names of channels and keywords that schemas may omit.
func TestSharedNames(t *testing.T) {
	if got := strings.Join(KeywordNames(1<<48|1<<55|1<<56|3), " "); got != "ResponseTime EventlogClassic" {
		t.Errorf("keywords %q", got)
	}
	if got := ChannelName(11) + ChannelName(0) + ChannelName(16); got != "TraceLogging" {
		t.Errorf("channels %q", got)
	}
}
