package schema

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const kernelTablesGolden = "testdata/kernel_tables.golden"

// TestKernelTablesUnchanged compares every kernel table with a golden. Events share lists of
// fields, so a change of one can change others by accident.
//
// The first line has the common columns, except the payload, with which each table begins. Each
// other line has a table with its own columns, as name and type, and after | a digest of what a
// line cannot show: the docs and encodings of the columns, and the literals. A line whose digest
// alone has changed has the same columns as before.
func TestKernelTablesUnchanged(t *testing.T) {
	list := func(columns []Column) string {
		texts := make([]string, len(columns))
		for i := range columns {
			texts[i] = columns[i].Name + " " + columns[i].TypeName()
		}
		return strings.Join(texts, ", ")
	}
	var got bytes.Buffer
	common := CommonColumns()
	common = common[:len(common)-1] // the payload is only in the header tables
	fmt.Fprintf(&got, "common: %s\n", list(common))
	for _, table := range KernelCatalog().Tables() {
		digest := sha256.New()
		for _, e := range table.Literals() {
			fmt.Fprintf(digest, "%s %s %q %q %s %v %d %#x %t %d %d %t %q %+v %q\n", e.Class, e.Name, e.Doc, e.Ref, e.Certainty,
				e.GUID, e.Type, e.Hook, e.HasHook, e.Since, e.Before, e.Natural, e.EnabledBy, e.Owner, e.Files)
			for i := range e.Fields {
				fmt.Fprintf(digest, "  %+v\n", e.Fields[i])
			}
		}
		columns := table.Table.Columns
		if len(columns) < len(common) || list(columns[:len(common)]) != list(common) {
			t.Fatalf("%s does not begin with the common columns", table.Table.Name)
		}
		columns = columns[len(common):]
		for i := range columns {
			c := &columns[i]
			fmt.Fprintf(digest, "%s %s %t %d %q\n", c.Name, c.TypeName(), c.Nullable, c.Encoding, c.Doc)
		}
		fmt.Fprintf(&got, "%s: %s | %x\n", table.Table.Name, list(columns), digest.Sum(nil)[:8])
	}
	testenv.Golden(t, kernelTablesGolden, got.String())
}

// TestParseKernel checks the events of a text that has each form of line and each attribute.
func TestParseKernel(t *testing.T) {
	classes, err := parseKernel(`# A comment.
ref page: a page
ref struct: a header

class Thread certainty=documented natural enabled=FLAG ref=page

list ids
  process_id u32 original=PID since=2 before=4: Process.
  thread_id wide_u32: Thread.

event CSwitch type=0x24
  doc: A switch: of threads.
  +ids
event Set-Name of type=72 since=2 before=3 certainty=uncertain struct=NAME ref=page process=process_id keep_thread files=name,path
  ref: seen
  +ids
  name text16 optional: Name.
event Start type=0x0a table=Start_0540 hook=0x030a thread=thread_id struct
  flags u16 parts=low&0xf,high>>4&0x3: Flags.
  +ids

class WinSat
event Metrics type=35 certainty=verified enabled=FLAG natural ref=page
  size u32 unit=CPU_cycles values=names: Size.
  routine pointer code: Routine.
  bytes bytes length=size: Bytes.
  chars chars16 length=34: Characters.
  pairs struct count=size: Pairs.
    key u8: Key.
    value u16 unit=bytes: Value.
  rest u8 count=rest: Rest.
`)
	if err != nil {
		t.Fatal(err)
	}
	ids := []Field{{Name: "process_id", Original: "PID", Kind: U32, Since: 2, Before: 4, Doc: "Process."}, {Name: "thread_id", Kind: WideU32, Doc: "Thread."}}
	name := Field{Name: "name", Kind: Text16, Optional: true, Doc: "Name."}
	flags := Field{Name: "flags", Kind: U16, Parts: []Part{{"low", 0, 0xf}, {"high", 4, 0x3}}, Doc: "Flags."}
	thread, winSat := classGUID("Thread"), classGUID("WinSat")
	want := [][]Event{{
		{Class: "Thread", Name: "CSwitch", Table: "CSwitch", GUID: thread, Type: 0x24, Hook: 0x0524, HasHook: true, Ref: "a page", Certainty: Documented,
			EnabledBy: "FLAG", Natural: true, Doc: "A switch: of threads.", Fields: ids},
		{Class: "Thread", Name: "Set-Name of", Table: "Set_Name_of", GUID: thread, Type: 0x48, Hook: 0x0548, HasHook: true, Ref: "a header NAME; a page; seen", Certainty: Uncertain,
			Since: 2, Before: 3, EnabledBy: "FLAG", Natural: true, Owner: Owner{Process: "process_id", KeepThread: true}, Files: []string{"name", "path"}, Fields: append(slices.Clip(ids), name)},
		{Class: "Thread", Name: "Start", Table: "Start_0540", GUID: thread, Type: 0x0a, Hook: HookImageLoad, HasHook: true, Ref: "a header ", Certainty: Documented,
			EnabledBy: "FLAG", Natural: true, Owner: Owner{Thread: "thread_id"}, Fields: append([]Field{flags}, ids...)},
	}, {
		{Class: "WinSat", Name: "Metrics", Table: "Metrics", GUID: winSat, Type: 35, Ref: "a page", Certainty: Verified, EnabledBy: "FLAG", Natural: true, Fields: []Field{
			{Name: "size", Kind: U32, Unit: InCycles, Values: "names", Doc: "Size."},
			{Name: "routine", Kind: Pointer, Code: true, Doc: "Routine."},
			{Name: "bytes", Kind: Bytes, LengthField: "size", Doc: "Bytes."},
			{Name: "chars", Kind: Chars16, Length: 34, Doc: "Characters."},
			{Name: "pairs", CountField: "size", Struct: []Field{{Name: "key", Kind: U8, Doc: "Key."}, {Name: "value", Kind: U16, Unit: InBytes, Doc: "Value."}}, Doc: "Pairs."},
			{Name: "rest", Kind: U8, Count: Rest, Doc: "Rest."},
		}},
	}}
	for i, c := range classes {
		if diff := cmp.Diff(want[i], c.complete()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.class.Name, diff)
		}
	}
}

// TestParseKernelRefuses adds a line to a text, which the error must name.
func TestParseKernelRefuses(t *testing.T) {
	const (
		head  = "ref page: a page\nlist ids\n  id u32: Id.\n"
		class = head + "class Thread\n"
		event = class + "event Start type=1\n  doc: A start.\n"
	)
	for _, test := range []struct{ text, line, err string }{
		{"", "table Thread", `"table", want class`},
		{"", "\tclass Thread", `"\tclass", want class`},
		{"", "class Threads", `no class "Threads"`},
		{"", "class Thread type=1", `"type" is unknown`},
		{"", "event Start type=1", "in a class"},
		{"", "ref page", "want a new name and a text"},
		{"", "  ref: A page.", "is of no event"},
		{head, "ref page: another page", "want a new name and a text"},
		{head, "list ids", "want a new name"},
		{head, "list", "want a new name"},
		{head, "  doc: Ids.", "want a name, a kind"},
		{class, "event Start", "want a name and a type"},
		{class, "event Start type=256", `"type=256" has no such value`},
		{class, "event Start type=x", `"type=x" has no such value`},
		{class, "event Start type=1 since=1 since=2", `"since" is unknown here, or there twice`},
		{class, "event Start type=1 hook=0x10000", "no such value"},
		{class, "event Start type=1 certainty=sure", "no such value"},
		{class, "event Start type=1 natural=yes", "no such value"},
		{class, "event Start type=1 enabled", "no such value"},
		{class, "event Start type=1 files=", "no such value"},
		{class, "event Start type=1 ref=pages", "no such value"},
		{class, "event Start type=1 struct=START", "no such value"},
		{class, "  id u32: Id.", "is of no event or list"},
		{event, "   id u32: Id.", "has no indentation of 0, 2 or 4"},
		{event, "  doc: Another.", "want a name, a kind"},
		{event, "  +id", `no list "id"`},
		{event, "  id u32", "a colon and a text"},
		{event, "  id: Id.", "want a name, a kind"},
		{event, "  id u31: Id.", "want a name, a kind"},
		{event, "  id u32 count=0: Id.", "no such value"},
		{event, "  id u32 count=: Id.", "no such value"},
		{event, "  id u32 length=7x: Id.", "no such value"},
		{event, "  id u32 unit=byte: Id.", "no such value"},
		{event, "  id u32 parts=low: Id.", "no such value"},
		{event, "  id u32 parts=low>>x&1: Id.", "no such value"},
		{event, "  id u32 code=yes: Id.", "no such value"},
		{event, "  id u32 natural: Id.", `"natural" is unknown`},
		{event, "    id u32: Id.", "is of no structure"},
		{event + "  pairs struct: Pairs.\n  +ids\n", "    id u32: Id.", "is of no structure"},
		{event + "  pairs struct: Pairs.\n", "    id struct: Id.", "is a structure in a structure"},
	} {
		text := test.text + test.line
		want := fmt.Sprintf("kernel.txt:%d: ", strings.Count(text, "\n")+1)
		if _, err := parseKernel(text); err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: %v, want %s", test.line, err, test.err)
		}
	}
}

// TestKernelTextIsUsed checks that events have each list and each source.
func TestKernelTextIsUsed(t *testing.T) {
	for _, m := range regexp.MustCompile(`(?m)^(list|ref) ([^:\n]+)`).FindAllStringSubmatch(kernelText, -1) {
		uses := map[string]string{"list": `(?m)^  \+` + m[2] + `$`, "ref": `(?m)^(class|event) .* (ref=` + m[2] + `|` + m[2] + `=.*)$`}
		if !regexp.MustCompile(uses[m[1]]).MatchString(kernelText) {
			t.Errorf("nothing has %s", m[0])
		}
	}
}

// TestEventsSayOnlyTheirOwn checks that events do not repeat values of their class, and that
// the class has the values that all its events share.
func TestEventsSayOnlyTheirOwn(t *testing.T) {
	classes, err := parseKernel(kernelText)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		name := c.class.Name
		for i := range c.events {
			e := &c.events[i]
			if e.Hook != 0 && uint8(e.Hook>>8) == c.class.Group || e.Table == defaultTable(e.Name) {
				t.Errorf("%s/%s sets a value that follows from its class", name, e.Name)
			}
			if e.Ref != "" && e.Ref == c.all.Ref || e.Certainty != "" && e.Certainty == c.all.Certainty || e.EnabledBy != "" && c.all.EnabledBy != "" || e.Natural && c.all.Natural {
				t.Errorf("%s/%s repeats a value of its class", name, e.Name)
			}
		}
		all := func(same func(a, b *Event) bool) bool {
			return len(c.events) > 1 && !slices.ContainsFunc(c.events, func(e Event) bool { return !same(&c.events[0], &e) })
		}
		if all(func(a, b *Event) bool { return a.Ref != "" && a.Ref == b.Ref }) ||
			all(func(a, b *Event) bool { return a.Certainty != "" && a.Certainty == b.Certainty }) ||
			all(func(a, b *Event) bool { return a.EnabledBy != "" && a.EnabledBy == b.EnabledBy }) ||
			all(func(a, b *Event) bool { return a.Natural && b.Natural }) {
			t.Errorf("%s: all events share a ref, certainty, enabled or natural: move it to the class", name)
		}
	}
}

// TestFieldListsAreShared checks that events with equal lists of fields share a list.
func TestFieldListsAreShared(t *testing.T) {
	first := make(map[string]*Event)
	for _, e := range slices.Concat(Kernel()...) {
		if len(e.Fields) < 2 {
			continue
		}
		text := fmt.Sprintf("%+v", e.Fields)
		other := first[text]
		if other == nil {
			first[text] = &e
		} else if &other.Fields[0] != &e.Fields[0] {
			t.Errorf("%s/%s and %s/%s have copies of the same list of fields", other.Class, other.Name, e.Class, e.Name)
		}
	}
}
