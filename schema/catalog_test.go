package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// knownEvent is a record of kernel-events.json, which has the layouts as collected
// from the sources.
type knownEvent struct {
	HookID  *string      `json:"hookid"`
	Name    string       `json:"name"`
	GUID    string       `json:"guid"`
	Opcode  uint8        `json:"opcode"`
	Version *uint8       `json:"version"` // nil: any
	Layout  string       `json:"layout"`
	Fields  []knownField `json:"fields"`
}

type knownField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// knownEvents reads kernel-events.json, or skips the test.
func knownEvents(t testing.TB) []knownEvent {
	t.Helper()
	text := testenv.ReadFile(t, testenv.Shared(t, "format/kernel-events.json"))
	var file struct {
		Events []knownEvent `json:"events"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Events) != 787 {
		t.Fatalf("%d layouts, want 787", len(file.Events))
	}
	return file.Events
}

// key names the hook, or class and opcode, that identifies the event.
func (k *knownEvent) key() string {
	if k.HookID != nil {
		return *k.HookID
	}
	return k.GUID + " " + strconv.Itoa(int(k.Opcode))
}

func (k *knownEvent) lookup(t testing.TB, version uint8) (Literal, bool) {
	t.Helper()
	if k.HookID != nil {
		hook, err := strconv.ParseUint(*k.HookID, 0, 16)
		if err != nil {
			t.Fatal(err)
		}
		return KernelCatalog().Hook(uint16(hook), version)
	}
	return KernelCatalog().Type(MustGUID(k.GUID), k.Opcode, version)
}

// originals returns the names of the field and of the fields of its structures.
func (f *knownField) originals() []string {
	names := []string{f.Name}
	if list, ok := strings.CutPrefix(f.Type, "struct{"); ok {
		for _, field := range strings.Split(strings.TrimSuffix(list, "}"), ";") {
			_, name, _ := strings.Cut(field, " ")
			names = append(names, name)
		}
	}
	return names
}

func (f *Field) originals() []string {
	names := []string{f.OriginalName()}
	for i := range f.Struct {
		names = append(names, f.Struct[i].OriginalName())
	}
	return names
}

// TestKernelEventsAreComplete finds every collected layout in the tables, with the names of its
// fields in order. Every version must have its own layout or, if it has none, the
// layout of the greatest version below it.
func TestKernelEventsAreComplete(t *testing.T) {
	versions := make(map[string][]*knownEvent)
	events := knownEvents(t)
	for i := range events {
		k := &events[i]
		versions[k.key()] = append(versions[k.key()], k)
	}
	for key, list := range versions {
		t.Run(key, func(t *testing.T) {
			slices.SortFunc(list, func(a, b *knownEvent) int { return int(a.first()) - int(b.first()) })
			for _, version := range []uint8{0, 1, 2, 3, 4, 5, 6, 7, 127, 254, 255} {
				var want *knownEvent
				for _, k := range list {
					if k.first() <= version {
						want = k
					}
				}
				if want == nil {
					continue // see TestVersionsBelowTheKnown
				}
				got, ok := want.lookup(t, version)
				if !ok {
					t.Fatalf("%s version %d: not found", want.Name, version)
				}
				want.compare(t, got.Event, version)
				if t.Failed() {
					return
				}
			}
		})
	}
}

func (k *knownEvent) first() uint8 {
	if k.Version == nil {
		return 0
	}
	return *k.Version
}

// added lists fields that the collected layout of an event lacks, but that another
// source or real payloads have.
var added = map[string]string{
	"PerfInfo/SampleProf": "reserved", "PerfInfo/DebuggerEnabled": "reserved", "Thread/AutoBoost Entry Exhaustion": "padding",
}

// refined lists events whose fields were collected as bytes, but are known now.
var refined = map[string]bool{
	"SysConfig/NetInterface": true, "SysConfig/Unknown37": true,
	"WinSat/WinSPR": true, "WinSat/Metrics": true, "WinSat/SystemConfig": true,
}

// compare compares an event and the names of its fields with the collected layout. Types are in
// the golden of TestKernelTablesUnchanged.
func (k *knownEvent) compare(t *testing.T, e *Event, version uint8) {
	t.Helper()
	if got := e.Class + "/" + e.Name; got != k.Name {
		t.Errorf("version %d: %s, want %s", version, got, k.Name)
	}
	natural := k.Layout == "natural" || k.Name == "SysConfig/NetInterface"
	if e.GUID.String() != k.GUID || e.Type != k.Opcode || e.HasHook != (k.HookID != nil) || e.Natural != natural {
		t.Errorf("%s version %d: class %v, type %d, hook %v, natural %v; want %v", k.Name, version, e.GUID, e.Type, e.HasHook, e.Natural, k)
	}
	if refined[k.Name] {
		return
	}
	fields := slices.DeleteFunc(slices.Clone(e.Fields), func(f Field) bool { return !f.In(version) || f.Name == added[k.Name] })
	if len(fields) != len(k.Fields) {
		t.Errorf("%s version %d: %d fields, want %d", k.Name, version, len(fields), len(k.Fields))
		return
	}
	for i := range fields {
		got, want := fields[i].originals(), k.Fields[i].originals()
		if want = want[:min(len(got), len(want))]; !slices.Equal(got, want) { // an older version has fewer
			t.Errorf("%s version %d: field %d has the name %q, want %q", k.Name, version, i, got, want)
		}
	}
}

// TestVersionsBelowTheKnown checks that a version below all known ones has the layout
// of a literal that begins at 0, or none.
func TestVersionsBelowTheKnown(t *testing.T) {
	for _, table := range KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			for v := range 256 {
				l, ok := KernelCatalog().Type(e.GUID, e.Type, uint8(v))
				if e.HasHook {
					l, ok = KernelCatalog().Hook(e.Hook, uint8(v))
				}
				if ok && !l.Event.In(uint8(v)) || ok && e.In(uint8(v)) && l.Event != e || !ok && e.In(uint8(v)) {
					t.Fatalf("%s/%s version %d: found %v, but not the literal that begins at 0", e.Class, e.Name, v, ok)
				}
			}
		}
	}
}

// TestClassicFormOfKernelEvents finds events of hooks by class and type, because consumers see them
// in this form, and relogged traces store it.
func TestClassicFormOfKernelEvents(t *testing.T) {
	c := KernelCatalog()
	for _, table := range c.Tables() {
		for _, e := range table.Literals() {
			if !e.HasHook {
				continue
			}
			byHook, ok := c.Hook(e.Hook, e.Since)
			byType, okType := c.Type(e.GUID, e.Type, e.Since)
			if !ok || !okType || byHook.Event != byType.Event || byHook.Table != byType.Table {
				t.Errorf("%s/%s: hook %#04x found %v, type %d found %v, of %s/%s", e.Class, e.Name, e.Hook, ok, e.Type, okType, byType.Event.Class, byType.Event.Name)
			}
		}
	}
}

// TestNewCatalogRejects checks that invalid catalogs are rejected.
func TestNewCatalogRejects(t *testing.T) {
	field := func(name string, kind Kind) Field { return Field{Name: name, Kind: kind} }
	since := func(f Field, since, before uint8) Field { f.Since, f.Before = since, before; return f }
	event := func(table string, hook uint16, fields ...Field) Event {
		return Event{Class: "Test", Name: table, Table: table, GUID: GUID{1}, Type: uint8(hook), Hook: hook, HasHook: hook != 0, Fields: fields}
	}
	versions := func(e Event, since, before uint8) Event { e.Since, e.Before = since, before; return e }
	classic := func(e Event, id uint8) Event { e.HasHook, e.Type = false, id; return e }
	for _, test := range []struct {
		name   string
		events []Event
		ok     bool
	}{
		{"nothing", nil, true},
		{"one", []Event{event("A", 1, field("x", U32))}, true},
		{"no fields", []Event{event("A", 1)}, true},
		{"two hooks", []Event{event("A", 1), event("B", 2)}, true},
		{"two versions", []Event{versions(event("A", 1), 0, 2), versions(event("A", 1), 2, 0)}, true},
		{"two versions in two tables", []Event{versions(event("A", 1), 0, 2), versions(event("B", 1), 2, 0)}, true},
		{"the same event twice", []Event{event("A", 1), event("A", 1)}, false},
		{"overlapping versions", []Event{versions(event("A", 1), 0, 3), versions(event("A", 1), 2, 0)}, false},
		{"overlapping versions, later first", []Event{versions(event("A", 1), 2, 0), versions(event("A", 1), 0, 3)}, false},
		{"a hook in two tables", []Event{event("A", 1), event("B", 1)}, false},
		{"a hook in two tables, some versions", []Event{versions(event("A", 1), 0, 3), versions(event("B", 1), 2, 0)}, false},
		{"a type in two tables", []Event{classic(event("A", 1), 7), classic(event("B", 1), 7)}, false},
		{"a type with a hook and without", []Event{event("A", 7), classic(event("B", 1), 7)}, false},
		{"a type without a hook and with one", []Event{classic(event("B", 1), 7), event("A", 7)}, false},
		{"two hooks in a table", []Event{versions(event("A", 1), 0, 2), versions(event("A", 2), 2, 0)}, false},
		{"two types in a table", []Event{classic(versions(event("A", 1), 0, 2), 7), classic(versions(event("A", 1), 2, 0), 8)}, false},
		{"tables that differ in case", []Event{event("A", 1), event("a", 2)}, false},
		{"a field twice", []Event{event("A", 1, field("x", U32), field("x", U32))}, false},
		{"a field twice, in other versions", []Event{event("A", 1, since(field("x", U32), 0, 2), field("y", U8), since(field("x", U32), 2, 0))}, true},
		{"a field twice, of kinds with different columns", []Event{event("A", 1, field("x", U32), field("x", Text16))}, false},
		{"payload_rest", []Event{event("A", 1, field("payload_rest", Bytes))}, true},
		{"payload_rest of another type", []Event{event("A", 1, field("payload_rest", U32))}, true},
		{"a common column, and a field renamed to it", []Event{event("A", 1, field("thread_id", U32), field("payload_thread_id", U32))}, false},
		{"ns of ticks", []Event{event("A", 1, field("x", Ticks), field("x_ns", I64))}, false},
		{"text of values", []Event{event("A", 1, Field{Name: "x", Kind: U8, Values: "thread_state"}, field("x_text", Text16))}, false},
		{"text of parts", []Event{event("A", 1, Field{Name: "x", Kind: U8, Parts: []Part{{"thread_state", 0, 1}}}, field("thread_state_text", Text16))}, false},
		{"two arrays of structures", []Event{event("A", 1, Field{Name: "x", Count: Rest, Struct: []Field{field("y", U32)}},
			Field{Name: "x", Count: Rest, Struct: []Field{field("y", U32)}})}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := NewCatalog(test.events)
			if (err == nil) != test.ok {
				t.Fatalf("error %v, want none: %v", err, test.ok)
			}
			if err == nil {
				checkTables(t, c)
			} else if c != nil || !strings.HasPrefix(err.Error(), "Test/") {
				t.Errorf("error %q, catalog %p", err, c)
			}
			// The grouping of events does not matter.
			groups := make([][]Event, len(test.events))
			for i, e := range test.events {
				groups[i] = []Event{e}
			}
			if _, again := NewCatalog(groups...); fmt.Sprint(again) != fmt.Sprint(err) {
				t.Errorf("in separate groups: %v, in one group: %v", again, err)
			}
		})
	}
}

var columnName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// TestKernelTables checks the columns of every table.
func TestKernelTables(t *testing.T) {
	c := KernelCatalog()
	if len(c.Tables()) < 600 {
		t.Fatalf("%d tables", len(c.Tables()))
	}
	checkTables(t, c)
	views := make(map[string]string)
	for _, table := range c.Tables() {
		view := strings.ToLower(table.Class + "_" + table.Literals()[0].Table)
		if other, taken := views[view]; taken {
			t.Errorf("%s and %s would have the same view", table.Table.Name, other)
		}
		views[view] = table.Table.Name
		for _, e := range table.Literals() {
			checkDocumentation(t, e)
		}
	}
}

func checkTables(t *testing.T, c *Catalog) {
	t.Helper()
	for n, table := range c.Tables() {
		name, columns := table.Table.Name, table.Table.Columns
		if table.Number != n || !strings.HasPrefix(name, "events/"+table.Class+"/") {
			t.Errorf("%s: number %d, class %s; want %d", name, table.Number, table.Class, n)
		}
		if !slices.Equal(table.Table.SortBy, byTime) {
			t.Errorf("%s: sorted by %v", name, table.Table.SortBy)
		}
		common := slices.DeleteFunc(slices.Clone(commonColumns), func(c Column) bool { return c.Name == "payload" })
		if len(columns) <= len(common) || !sameColumns(columns[:len(common)], common) {
			t.Fatalf("%s: does not begin with the common columns, without payload", name)
		}
		seen := make(map[string]bool)
		for i := range columns {
			column := &columns[i]
			if seen[column.Name] || !columnName.MatchString(column.Name) || column.Type == 0 {
				t.Errorf("%s: column %q: duplicate, malformed or without a type", name, column.Name)
			}
			seen[column.Name] = true
			if i >= len(common) && (!column.Nullable || column.Name == "payload") {
				t.Errorf("%s: column %s: %v", name, column.Name, column)
			}
		}
		if last := columns[len(columns)-1]; last.Name != RestColumn || last.Type != Binary || last.List {
			t.Errorf("%s: ends with %v", name, last)
		}
		used := make([]bool, len(columns))
		if ids := columns[len(common):]; table.Literals()[0].Owner.HeaderIDs() {
			if !sameColumns(ids[:len(headerIDColumns)], headerIDColumns) || !table.Table.HasHeaderIDs() {
				t.Errorf("%s: the ids of the header do not follow the common columns", name)
			}
			used[len(common)], used[len(common)+1] = true, true
		}
		if i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == FileNameColumn }); len(table.Literals()[0].Files) > 0 {
			if !table.Table.NamesFile() || i < 0 || !sameColumns(columns[i:i+1], []Column{fileNameColumn}) {
				t.Errorf("%s: no column for the file", name)
			}
			used[i] = true
		}
		for i, e := range table.Literals() {
			checkOwner(t, e, &table.Literals()[0].Owner)
			checkFiles(t, e, table.Literals()[0].Files)
			checkLiteral(t, table, e, table.columns[i], used)
		}
		for i := len(common); i < len(columns)-1; i++ {
			if !used[i] {
				t.Errorf("%s: column %s has no field", name, columns[i].Name)
			}
		}
	}
}

// checkOwner checks that an event's fields identify its owner, in the same way in all
// versions.
func checkOwner(t *testing.T, e *Event, of *Owner) {
	t.Helper()
	if e.Owner != *of {
		t.Errorf("%s/%s: versions have different owners", e.Class, e.Name)
	}
	if e.Owner.KeepThread && (e.Owner.Process == "" || e.Owner.Thread != "") {
		t.Errorf("%s/%s: keeps a thread needlessly", e.Class, e.Name)
	}
	for _, name := range []string{e.Owner.Process, e.Owner.Thread} {
		i := slices.IndexFunc(e.Fields, func(f Field) bool { return f.Name == name })
		if old := e.Before > 0; name != "" && (i < 0 && !old || i >= 0 && e.Fields[i].Kind != U32 && e.Fields[i].Kind != WideU32) {
			t.Errorf("%s/%s: field %s does not identify the owner", e.Class, e.Name, name)
		}
	}
}

// checkFiles checks that an event's fields identify its files, in the same way in all
// versions.
func checkFiles(t *testing.T, e *Event, of []string) {
	t.Helper()
	if !slices.Equal(e.Files, of) {
		t.Errorf("%s/%s: versions have different files", e.Class, e.Name)
	}
	for _, name := range e.Files {
		if !slices.ContainsFunc(e.Fields, func(f Field) bool { return f.Name == name && (f.Kind == Pointer || f.Kind == Text16) }) {
			t.Errorf("%s/%s: field %s does not identify a file", e.Class, e.Name, name)
		}
	}
}

// checkLiteral checks that each version fills each column once, with values of
// its type, and marks the columns used.
func checkLiteral(t *testing.T, table *EventTable, e *Event, places []FieldColumns, used []bool) {
	t.Helper()
	name := e.Class + "/" + e.Name
	if len(places) != len(e.Fields) {
		t.Fatalf("%s: columns of %d fields, want %d", name, len(places), len(e.Fields))
	}
	for v := range 256 {
		if !e.In(uint8(v)) {
			continue
		}
		filled := make(map[int]string)
		fill := func(f *Field, column int, columnType Type, list bool) {
			if column < 0 || column >= len(table.Table.Columns) {
				t.Fatalf("%s.%s: column %d", name, f.Name, column)
			}
			if other, taken := filled[column]; taken {
				t.Errorf("%s.%s version %d: fills the column of %s", name, f.Name, v, other)
			}
			filled[column], used[column] = f.Name, true
			if c := table.Table.Columns[column]; c.Type != columnType || c.List != list {
				t.Errorf("%s.%s: %v, column %s is %s", name, f.Name, f.Kind, c.Name, c.TypeName())
			}
		}
		for i := range e.Fields {
			f, place := &e.Fields[i], places[i]
			if !f.In(uint8(v)) {
				continue
			}
			column := &table.Table.Columns[place.Value]
			switch own := place.Own; {
			case own != nil:
				fill(f, place.Value, column.Type, column.List)
				wide := own.Clone()
				if wide.Widen(column); column.Holds(own) || !wide.SameType(column) {
					t.Errorf("%s.%s: column %s is %s, its own is %s", name, f.Name, column.Name, column.TypeName(), own.TypeName())
				}
			case f.Struct == nil:
				fill(f, place.Value, f.Kind.ColumnType(), f.IsArray())
			default:
				fill(f, place.Value, Struct, true)
				checkMembers(t, f, column.Fields, place.Members)
			}
			if (place.NS >= 0) != (f.Kind == Ticks || f.Kind == FileTime) || (place.Text >= 0) != (f.Values != "") || len(place.Parts) != len(f.Parts) {
				t.Errorf("%s.%s: %+v", name, f.Name, place)
			}
			if place.NS >= 0 {
				fill(f, place.NS, Int64, false)
			}
			if place.Text >= 0 {
				fill(f, place.Text, String, false)
			}
			for _, column := range place.Parts {
				fill(f, column, String, false)
			}
			if place.Code.Any() != f.Code || f.Code && (f.Kind != Pointer || f.IsArray()) {
				t.Errorf("%s.%s: code of a %v: %+v", name, f.Name, f.Kind, place.Code)
			}
			if f.Code {
				fill(f, place.Code.Module, String, false)
				fill(f, place.Code.Function, String, false)
				fill(f, place.Code.Symbol, String, false)
				fill(f, place.Code.Offset, Int64, false)
			}
		}
	}
}

func checkDocumentation(t *testing.T, e *Event) {
	t.Helper()
	name := e.Class + "/" + e.Name
	if e.Ref == "" || e.Certainty != Verified && e.Certainty != Documented && e.Certainty != Uncertain {
		t.Errorf("%s: source %q, %q", name, e.Ref, e.Certainty)
	}
	if e.HasHook && e.Type != uint8(e.Hook) {
		t.Errorf("%s: type %d of hook %#04x", name, e.Type, e.Hook)
	}
	if class, ok := KernelClassOf(e.Hook); e.HasHook && (!ok || class.GUID != e.GUID || class.Name != e.Class) {
		t.Errorf("%s: hook %#04x is of another class", name, e.Hook)
	}
}

// TestFieldsCanBeLocated checks the rules that decode and convert rely on and that
// types cannot express.
func TestFieldsCanBeLocated(t *testing.T) {
	numbers := []Kind{U8, U16, U32, U64, I8, I16, I32, I64, Pointer, Size, WideU32}
	for _, table := range KernelCatalog().Tables() {
		for _, e := range table.Literals() {
			if e.Before != 0 && e.Since >= e.Before {
				t.Errorf("%s/%s: of no version", e.Class, e.Name)
			}
			for _, v := range []uint8{0, 1, 2, 3, 4, 5, 6, 255} {
				if e.In(v) {
					checkFields(t, e, v, numbers)
				}
			}
		}
	}
}

func checkFields(t *testing.T, e *Event, version uint8, numbers []Kind) {
	t.Helper()
	name := fmt.Sprintf("%s/%s version %d", e.Class, e.Name, version)
	earlier := make(map[string]*Field)
	ending := false // no required field may follow
	for i := range e.Fields {
		f := &e.Fields[i]
		if f.Before != 0 && f.Since >= f.Before {
			t.Errorf("%s: %s is of no version", name, f.Name)
		}
		if !f.In(version) {
			continue
		}
		if !columnName.MatchString(f.Name) || f.Kind >= kindEnd || (f.Kind == 0) != (f.Struct != nil) {
			t.Errorf("%s: field %q of kind %d", name, f.Name, f.Kind)
		}
		if ending && !f.Optional {
			t.Errorf("%s: %s comes after a field that is optional or takes all bytes", name, f.Name)
		}
		ending = ending || f.Optional || f.Count == Rest || f.Length == Rest
		for _, by := range []string{f.CountField, f.LengthField} {
			counter := earlier[by]
			if by != "" && (counter == nil || counter.IsArray() || counter.Optional || !slices.Contains(numbers, counter.Kind)) {
				t.Errorf("%s: %s is counted by %s, which is not an earlier number", name, f.Name, by)
			}
		}
		if f.CountField != "" && f.Count != 0 || f.Count < Rest {
			t.Errorf("%s: %s has two counts", name, f.Name)
		}
		if _, fixed := f.Kind.Width(8); !fixed && f.Struct == nil && (f.Count == Rest || f.IsArray() && f.Kind == WBEMSID) {
			t.Errorf("%s: %s has any number of %v", name, f.Name, f.Kind)
		}
		if hasLength := f.Length != 0 || f.LengthField != "" || f.LengthPrefix != NoPrefix; f.Kind.HasLength() != hasLength {
			t.Errorf("%s: %s: has a length: %v", name, f.Name, hasLength)
		}
		if f.Kind == LZNT1Text16 && (i == 0 || e.Fields[i-1].Kind != U32 || f.IsArray()) {
			t.Errorf("%s: %s is not one text after its decompressed length", name, f.Name)
		}
		if f.IsArray() && (f.Kind == Ticks || f.Values != "" || len(f.Parts) > 0) {
			t.Errorf("%s: %s: columns derived from an array would stay empty", name, f.Name)
		}
		if f.Values != "" || len(f.Parts) > 0 {
			if !slices.Contains(numbers, f.Kind) {
				t.Errorf("%s: %s: has value names, but is not a number", name, f.Name)
			}
		}
		if _, ok := LookupValues(f.Values); !ok && f.Values != "" {
			t.Errorf("%s: %s: no values %s", name, f.Name, f.Values)
		}
		for _, part := range f.Parts {
			if _, ok := LookupValues(part.Values); !ok || part.Mask == 0 {
				t.Errorf("%s: %s: part %+v", name, f.Name, part)
			}
		}
		if f.Struct != nil {
			checkStruct(t, name, e, f)
		}
		earlier[f.Name] = f
	}
}

// checkMembers checks that a struct has a member for each of its fields.
func checkMembers(t *testing.T, f *Field, list []Column, places []FieldColumns) {
	t.Helper()
	if len(places) != len(f.Struct) {
		t.Fatalf("%s: %d places, want %d", f.Name, len(places), len(f.Struct))
	}
	for i := range places {
		m, inner := &list[places[i].Value], &f.Struct[i]
		if m.Name != inner.Name || m.Type != inner.Kind.ColumnType() || m.List || !strings.HasPrefix(m.Doc, inner.Doc) {
			t.Errorf("%s: member %d is %+v, want the member of %+v", f.Name, i, m, inner)
		}
	}
}

// checkStruct checks that the fields of a structure follow each other without padding,
// with both pointer sizes, because Locate does not skip padding in structures.
func checkStruct(t *testing.T, name string, e *Event, f *Field) {
	t.Helper()
	if !f.IsArray() {
		t.Errorf("%s: %s is one structure", name, f.Name)
	}
	for _, pointerSize := range []int{4, 8} {
		at := 0
		for i := range f.Struct {
			inner := &f.Struct[i]
			width, fixed := inner.Kind.Width(pointerSize)
			if !fixed || e.Natural && at%width != 0 || inner.Struct != nil || inner.Count != 0 || inner.CountField != "" || inner.Optional ||
				inner.Since != 0 || inner.Before != 0 || inner.Values != "" || len(inner.Parts) > 0 || inner.Kind == Ticks {
				t.Errorf("%s: %s.%s is more than a number at an offset of its size", name, f.Name, inner.Name)
				continue
			}
			at += width
		}
	}
}

// TestColumnNames checks the columns of fields with clashing names.
func TestColumnNames(t *testing.T) {
	event := func(since, before uint8, fields ...Field) Event {
		return Event{Class: "Test", Name: "A", Table: "A", GUID: GUID{1}, Hook: 1, HasHook: true, Type: 1, Since: since, Before: before, Fields: fields}
	}
	c, err := NewCatalog([]Event{
		event(0, 2, Field{Name: "process_id", Kind: U32}, Field{Name: "timestamp", Kind: Ticks}, Field{Name: "payload", Kind: Bytes, Length: 4},
			Field{Name: "size", Kind: U16}, Field{Name: "list", Kind: U32}, Field{Name: "thread", Kind: U32, CountField: "size"},
			Field{Name: "state", Kind: U8, Values: "thread_state"}, Field{Name: "old", Kind: U16, Before: 1}, Field{Name: "old", Kind: I32, Since: 1}),
		event(2, 0, Field{Name: "process_id", Kind: Pointer}, Field{Name: "size", Kind: U64}, Field{Name: "list", Kind: U32, CountField: "size"},
			Field{Name: "thread", CountField: "size", Struct: []Field{{Name: "id", Kind: U32}, {Name: "name", Kind: U16}}},
			Field{Name: "state", Kind: U32, Values: "thread_state"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	checkTables(t, c)
	var got []string
	for _, column := range c.Tables()[0].Table.Columns[len(commonColumns)-1:] {
		got = append(got, column.Name+" "+column.TypeName())
	}
	want := []string{
		"payload_process_id UINT64", "payload_timestamp TIMESTAMP", "payload_timestamp_ns INT64", "payload_payload BINARY",
		"size UINT64", "list LIST<INT64>", "thread LIST<STRING>", "state INT64", "state_text STRING", "old INT32", "payload_rest BINARY",
	}
	if !slices.Equal(got, want) {
		t.Errorf("columns\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// TestCatalogIsImmutable checks that tables share no memory, so that changing the
// columns of one does not change another.
func TestCatalogIsImmutable(t *testing.T) {
	a, b := KernelCatalog().Tables()[0].Table, KernelCatalog().Tables()[1].Table
	if &a.Columns[0] == &b.Columns[0] || &a.Columns[0] == &commonColumns[0] {
		t.Error("tables share columns")
	}
	if first := KernelCatalog(); first != KernelCatalog() {
		t.Error("the catalog is made twice")
	}
}
