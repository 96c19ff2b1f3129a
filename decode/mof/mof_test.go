package mof_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const guid = "50000000-0000-0000-0000-000000000001"

// inClass returns a class with one event that has the properties.
func inClass(properties string) string {
	return `[Guid("{` + guid + `}"), EventType(1)] class C { ` + properties + ` };`
}

func parse(t testing.TB, text string) *mof.File {
	t.Helper()
	f, err := mof.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestGrammar checks that every way of writing an event gives the same event.
func TestGrammar(t *testing.T) {
	want := dump(mof.Parse([]byte(`[Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("Event")] class C { [WmiDataId(1), Description("a b")] uint32 A; };`)))
	for _, test := range []struct{ name, text string }{
		{"no spaces", `[Guid("` + guid + `"),EventVersion(2),EventType(1),EventTypeName("Event")]class C{[WmiDataId(1),Description("a b")]uint32 A;};`},
		{"letters", `[GUID("` + strings.ToUpper(guid) + `"), eventversion(2), eventTYPE(1), EventTYPEName("Event")] CLASS C { [wmidataid(1), DESCRIPTION("a b")] Uint32 A; };`},
		{"lists", `[Guid{"{` + guid + `}"}, EventVersion{2}, EventType{1}, EventTypeName{"Event"}] class C { [WmiDataId{1}, Description{"a b"}] uint32 A; };`},
		{"flavors", `[Dynamic : ToInstance ToSubclass DisableOverride, Guid("` + guid + `") : restricted, EventVersion(2), EventType(1), EventTypeName("Event") : Amended] class C { [WmiDataId(1) : x, Description("a b") : Amended] uint32 A; };`},
		{"texts in pieces", `[Guid("50000000-0000-0000-" "0000-" /* more */ "000000000001"), EventVersion(2), EventType(1), EventTypeName("Ev" "ent")] class C { [WmiDataId(1), Description("a"
			" b")] uint32 A; };`},
		{"escapes", `[Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("\x45\X0076ent")] class C { [WmiDataId(1), Description("a\tb")] uint32 A; };`},
		{"numbers", `[Guid("` + guid + `"), EventVersion(+2), EventType(0x1), EventTypeName("Event")] class C { [WmiDataId(1B), Description("a b")] uint32 A; };`},
		{"numbers as texts", `[Guid("` + guid + `"), EventVersion("2"), EventType{"0x01"}, EventTypeName("Event")] class C { [WmiDataId("1"), Description("a b")] uint32 A; };`},
		{"other qualifiers", `[Guid("` + guid + `"), EventVersion(2), Other(true, null, 1.5, "x"), EventType(1), EventTypeName("Event"), Guid("twice")] class C { [key, read, WmiDataId(1), Description("a b"), write(FALSE)] uint32 A; };`},
		{"default", `[Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("Event")] class C { [WmiDataId(1), Description("a b")] uint32 A = {1, 2}; uint32 Method([in] uint32 a); };`},
		{"comments", "// class X { [\n/* class Y { */ #pragma class Z {\n[Guid(\"" + guid + "\"), EventVersion(2), // \"\nEventType(1), EventTypeName(\"Event\")] class C { [WmiDataId(1), Description(\"a b\")] uint32 A; };"},
		{"comment without an end", `[Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("Event")] class C { [WmiDataId(1), Description("a b")] uint32 A; }; /* and`},
		{"alias", `[Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("Event")] class C as $Alias { [WmiDataId(1), Description("a b")] uint32 A; };`},
		{"no semicolon", `[Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("Event")] class C { [WmiDataId(1), Description("a b")] uint32 A; }`},
		{"declared before", `class C; [Guid("` + guid + `"), EventVersion(2), EventType(1), EventTypeName("Event")] class C2 : EventTrace { [WmiDataId(1), Description("a b")] uint32 A; };`},
		{"line ends", "[Guid(\"" + guid + "\"),\r\nEventVersion(2),\rEventType(1),\n\tEventTypeName(\"Event\")]\fclass C\v{ [WmiDataId(1), Description(\"a\r\nb\")] uint32 A; };\x00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Replace(dump(mof.Parse([]byte(test.text))), `of "C2"`, `of "C"`, 1)
			got, _, _ = strings.Cut(got, "error line 4: found \"\\x00\"") // of "line ends"
			if got != want {
				t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
			}
		})
	}
}

func utf16Bytes(text string, order binary.AppendByteOrder) []byte {
	var data []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		data = order.AppendUint16(data, unit)
	}
	return data
}

// TestEncodings checks that a text parses alike in UTF-8 and UTF-16.
func TestEncodings(t *testing.T) {
	text := inClass(`[WmiDataId(1), Description("Größe 😀")] uint32 Größe;`)
	want := dump(mof.Parse([]byte(text)))
	if !strings.Contains(want, "größe") || !strings.Contains(want, "😀") {
		t.Fatal(want)
	}
	for name, data := range map[string][]byte{
		"UTF-8 with a mark":    []byte("\ufeff" + text),
		"UTF-16 little-endian": utf16Bytes(text, binary.LittleEndian),
		"UTF-16 big-endian":    utf16Bytes(text, binary.BigEndian),
		"UTF-16 cut":           append(utf16Bytes(text, binary.LittleEndian), ' '),
	} {
		if got := dump(mof.Parse(data)); got != want {
			t.Errorf("%s: -want +got:\n%s", name, cmp.Diff(want, got))
		}
		if ids, err := mof.ClassGUIDs(data); err != nil || len(ids) != 1 || ids[0].String() != guid {
			t.Errorf("%s: classes %v, %v", name, ids, err)
		}
	}
}

func TestNoEvents(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       error
	}{
		{"empty", "", mof.ErrNoEvents},
		{"spaces", " \n ", mof.ErrNoEvents},
		{"no class", "<instrumentationManifest/>", mof.ErrNoEvents},
		{"no types", `[Guid("{` + guid + `}")] class C { [WmiDataId(1)] uint32 A; };`, mof.ErrNoEvents},
		{"large", strings.Repeat(" ", definition.MaxSize+1), decode.ErrUnsupported},
	} {
		if f, err := mof.Parse([]byte(test.text)); f != nil || !errors.Is(err, test.want) {
			t.Errorf("%s: %v, %v", test.name, f, err)
		}
	}
}

func TestClassGUIDs(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "[]"},
		{inClass(""), "[" + guid + "]"},
		{`Guid("{` + guid + `}") guid {"` + guid + `"} Guid("x") Guid Guid(`, "[" + guid + "]"},
		{`// Guid("{` + guid + `}")`, "[]"},
		{`Extension("Guid(` + guid + `)")`, "[]"},
		{`Guid("{` + guid + `}") GUID("60000000-0000-" "0000-0000-000000000001"`, "[" + guid + " 60000000-0000-0000-0000-000000000001]"},
	} {
		if ids, err := mof.ClassGUIDs([]byte(test.text)); err != nil || fmt.Sprint(ids) != test.want {
			t.Errorf("%s: %v, %v, want %s", test.text, ids, err, test.want)
		}
	}
}

// TestHostile checks that extreme input costs little and is reported.
func TestHostile(t *testing.T) {
	testenv.Sequential(t)
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i, i)
		}
		return b.String()
	}
	base := inClass("")
	for _, test := range []struct {
		name, text string
		events     int
		errors     int // including those that are only counted
	}{
		{"properties", inClass("") + `[EventType(2)] class D : C { ` + numbered(1025, "[WmiDataId(%d)] uint8 a%d;") + ` };`, 1, 1},
		{"classes", base + numbered(1<<16, "class X%d : X%d {};"), 1, 1},
		{"types", base + `[EventType{` + strings.Repeat("0,", 1<<18) + `0}] class D : C {};`, 2, 1 << 18},
		{"values", base + `[EventType{` + strings.Repeat("1,", 1<<20) + `1}] class D : C {};`, 1, 1},
		{"brackets", base + strings.Repeat("[", 1<<20), 1, 1},
		{"braces", base + "instance of C " + strings.Repeat("{", 1<<20), 1, 1},
		{"broken classes", base + strings.Repeat("class class ", 1<<18), 1, 1<<19 - 1},
		{"broken lists", base + strings.Repeat("[EventType(] class ", 1<<18), 1, 2 << 18},
		{"quotes", base + strings.Repeat(`"`, 1<<20+1), 1, 1},
		{"comments", base + strings.Repeat("/* ", 1<<20), 1, 0},
		{"long names", base + `[EventType(2), EventTypeName("` + strings.Repeat("n", 1<<20) + `")] class ` + strings.Repeat("c", 1<<20) + ` : C { uint32 ` + strings.Repeat("p", 1<<20) + `; };`, 2, 0},
		{"large array", inClass(`uint64 A[2147483647]; uint8 B[2147483647]; string C[2147483647];`), 1, 0},
		{"larger array", inClass(`uint64 A[2147483648];`), 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			f := parse(t, test.text)
			t.Logf("%d bytes in %v", len(test.text), time.Since(start))
			if len(f.Events) != test.events || len(f.Errors)+f.MoreErrors != test.errors {
				t.Errorf("%d events and %d errors, want %d and %d; the first: %v", len(f.Events), len(f.Errors)+f.MoreErrors, test.events, test.errors, f.Errors[:min(3, len(f.Errors))])
			}
			for _, e := range f.Events {
				if len(e.Name) > 4096+1 || len(e.Class) > 4096 || len(e.Fields) > 1024 {
					t.Errorf("names of %d and %d bytes, %d fields", len(e.Name), len(e.Class), len(e.Fields))
				}
				locate(t, &e, make([]byte, 100))
			}
		})
	}
}

// TestHostileInheritance checks that many classes that inherit all properties of another
// class stay within the limit of a file.
func TestHostileInheritance(t *testing.T) {
	var b strings.Builder
	b.WriteString(`[Guid("{` + guid + `}")] class C { `)
	for i := range 1000 {
		fmt.Fprintf(&b, "[WmiDataId(%d)] uint8 a%d;", i+1, i)
	}
	b.WriteString("};")
	for i := range 60_000 {
		fmt.Fprintf(&b, "[EventType(%d), EventVersion(%d)] class D%d : C {};", i%256, i/256, i)
	}
	f := parse(t, b.String())
	fields := 0
	for _, e := range f.Events {
		fields += len(e.Fields)
	}
	if fields > 1<<19 || len(f.Events) == 0 || f.MoreErrors == 0 {
		t.Errorf("%d fields in %d events, %d more errors", fields, len(f.Events), f.MoreErrors)
	}
}
