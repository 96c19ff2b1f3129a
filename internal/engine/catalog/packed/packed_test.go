package packed

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/decode/wpp"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// parse returns the providers of a manifest, with their messages.
func parse(t testing.TB, data []byte) (list []Provider) {
	t.Helper()
	m, err := manifest.Parse(data, schema.FromManifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Providers {
		own := Provider{GUID: p.GUID, Name: p.Name}
		for _, ev := range p.Events {
			s := *ev.Schema
			s.Message = decode.ParseMessage(ev.MessageText, ev.Insert)
			own.Events = append(own.Events, Event{Schema: &s})
		}
		list = append(list, own)
	}
	return list
}

// same fails the test at the first difference between want and the providers read from
// packed.
func same(t *testing.T, packed []byte, want []Provider) {
	t.Helper()
	c, err := Open(packed)
	if err != nil {
		t.Fatal(err)
	}
	index := c.ReadyIndex()
	ready, err := OpenReady(packed, index)
	if err != nil || !reflect.DeepEqual(ready.Entries(), c.Entries()) || !slices.Equal(ready.Builds, c.Builds) {
		t.Errorf("with a ready index: %v, %v", ready, err)
	}
	for _, bad := range [][]byte{nil, index[:3], index[:min(len(index), 4*len(want))], {1, 0, 0, 0}} {
		if _, err := OpenReady(packed, bad); !errors.Is(err, ErrDamaged) {
			t.Errorf("a ready index of %d bytes: %v", len(bad), err)
		}
	}
	if got := len(c.Entries()); got != len(want) {
		t.Errorf("%d providers, want %d", got, len(want))
	}
	for i := range want {
		p, err := c.Provider(want[i].GUID)
		if err != nil {
			t.Fatal(err)
		}
		if len(want[i].Events) == 0 {
			if e, ok := c.Entry(want[i].GUID); !ok || e.Name != want[i].Name || p != nil {
				t.Errorf("%s: %+v, %v, %v", want[i].Name, e, ok, p)
			}
			continue
		}
		if p.Name != want[i].Name || !slices.Equal(p.OtherNames, want[i].OtherNames) || len(p.Events) != len(want[i].Events) {
			t.Fatalf("%s, %q, %d events, want %s, %q, %d", p.Name, p.OtherNames, len(p.Events), want[i].Name, want[i].OtherNames, len(want[i].Events))
		}
		for j := range p.Events {
			if got, want := p.Events[j], want[i].Events[j]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s %d version %d:\n%+v\n%+v", p.Name, got.ID, got.Version, *got.Schema, *want.Schema)
				return
			}
		}
	}
}

// TestManifests packs the providers of manifests and reads them back.
func TestManifests(t *testing.T) {
	files := map[string][]byte{"small": []byte(smallManifest)}
	for _, path := range testenv.SharedFiles(t, "manifests/*.man") {
		data := testenv.ReadFile(t, path)
		files[filepath.Base(path)] = data
	}
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			providers := parse(t, data)
			packed, err := Pack(providers, nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, packed, providers)
			again, err := Pack(providers, nil)
			if err != nil || !bytes.Equal(again, packed) {
				t.Errorf("packed again: %d bytes, %v, want the same %d", len(again), err, len(packed))
			}
		})
	}
}

// TestForms packs forms of builds, classes without a version and messages, and reads them
// back.
func TestForms(t *testing.T) {
	provider, class, messages := schema.GUID{1}, schema.GUID{2}, schema.GUID{3}
	field := schema.Field{Name: "a", Original: "A", Kind: schema.U32, InType: "win:UInt32", OutType: "xs:unsignedInt", Doc: "A, win:UInt32."}
	counted := schema.Field{Name: "b", Original: "B", Kind: schema.Chars8, LengthField: "a", CountField: "a", Doc: "own"}
	group := schema.Field{Name: "s", Original: "S", InType: schema.StructType, Doc: "S, struct.", Count: 3, Struct: []schema.Field{counted}}
	event := func(id uint16, fields []schema.Field, builds ...int) Event {
		return Event{Builds: builds, Schema: &schema.Schema{Source: schema.FromCatalog, ID: id, Keyword: 1<<63 | 5, Keywords: []string{"x", "y"},
			Event: schema.Event{GUID: provider, Class: "P", Certainty: schema.Documented, Fields: fields}}}
	}
	classic := Event{AnyVersion: true, Schema: &schema.Schema{Source: schema.FromManifest, ID: 7, Opcode: 7, Classic: true,
		Event: schema.Event{GUID: class, Class: "C", Name: "Seven", Doc: "A class.", Certainty: schema.Uncertain, Natural: true}}}
	message := Event{Schema: &schema.Schema{Source: schema.FromTMF, ID: 10, Function: "f", SourceFile: "f.c", SourceLine: 3, Level: 2,
		Event:   schema.Event{GUID: messages, Class: "M", Certainty: schema.Documented, Fields: []schema.Field{field}},
		Message: schema.Message{{Text: "a = ", Field: 0, Format: "08X"}, {Text: ".", Field: -1}}}}
	want := []Provider{
		{GUID: provider, Name: "P", OtherNames: []string{"Q"}, Events: []Event{event(1, []schema.Field{field, group}, 22000, 26100), event(1, []schema.Field{field}, 19041)}},
		{GUID: class, Name: "C", Events: []Event{classic}},
		{GUID: messages, Name: "M", Events: []Event{message}},
		{GUID: schema.GUID{4}, Name: "only a name"},
	}
	packed, err := Pack(want, []int{19041, 22000, 26100})
	if err != nil {
		t.Fatal(err)
	}
	same(t, packed, want)
	if _, err := Pack(want, []int{19041}); err == nil || !strings.Contains(err.Error(), "22000") {
		t.Errorf("forms of builds that the file does not list: %v", err)
	}
	if _, err := Pack(append(want, want[0]), []int{19041, 22000, 26100}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("a provider twice: %v", err)
	}
}

// TestFiles packs the content of MOF and TMF files and reads it back.
func TestFiles(t *testing.T) {
	var want []Provider
	at := make(map[schema.GUID]int)
	add := func(ev Event) {
		i, ok := at[ev.GUID]
		if !ok {
			i, at[ev.GUID] = len(want), len(want)
			want = append(want, Provider{GUID: ev.GUID, Name: ev.Class})
		}
		want[i].Events = append(want[i].Events, ev)
	}
	classes, err := mof.Parse([]byte(smallMOF))
	if err != nil || len(classes.Events) == 0 {
		t.Fatal(err, classes)
	}
	for _, ev := range classes.Events {
		add(Event{Schema: ev.Schema, AnyVersion: ev.AnyVersion})
	}
	for _, path := range testenv.SharedFiles(t, "tmf/*.tmf") {
		data := testenv.ReadFile(t, path)
		f, err := wpp.ParseTMF(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range f.Messages {
			add(Event{Schema: &m.Schema})
		}
	}
	packed, err := Pack(want, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, packed, want)
}

const smallMOF = `
[Dynamic, Guid("{90cbdc39-4a3e-11d1-84f4-0000f80464e4}"), DisplayName("Sample"), EventVersion(2)]
class Sample : EventTrace {};
[Dynamic, EventType{1, 2}, EventTypeName{"Start", "End"}]
class Sample_Type : Sample
{
    [WmiDataId(1), pointer, read] uint32 Address;
    [WmiDataId(2), ValueMap{"1", "2"}, Values{"One", "Two"}, read] uint32 Kind;
    [WmiDataId(3), StringTermination("NullTerminated"), format("w"), read] string Name;
};`

const smallManifest = `<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="Sample" guid="{11111111-2222-3333-4444-555555555555}" symbol="S"><keywords><keyword name="Reading" mask="0x10"/></keywords>
<tasks><task name="Read" value="3"/></tasks><maps><valueMap name="Kinds"><map value="1" message="One"/><map value="7" message="Seven"/></valueMap></maps>
<templates><template tid="t"><data name="Kind" inType="win:UInt32" map="Kinds"/><data name="Count" inType="win:UInt16"/>
<struct name="Item" count="Count"><data name="Size" inType="win:UInt16"/><data name="Bytes" inType="win:Binary" length="Size"/></struct></template></templates>
<events><event value="1" task="Read" opcode="win:Start" level="win:Error" keywords="Reading" template="t" message="Kind %1 of %2"/><event value="2" version="1" symbol="Two"/></events>
</provider></events></instrumentation></instrumentationManifest>`

// TestDamage changes each byte of a file, and cuts the file at every length. The file must be
// rejected with an error that names the catalogue, or still keep the rules.
func TestDamage(t *testing.T) {
	good := small(t)
	for i := range good {
		for _, bad := range [][]byte{good[:i], replaced(good, i)} {
			c, err := Open(bad)
			if err == nil {
				for _, e := range c.Entries() {
					if _, err = c.Provider(e.GUID); err != nil {
						break
					}
				}
			}
			if err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatalf("byte %d: %v", i, err)
			}
		}
	}
}

func replaced(data []byte, at int) []byte {
	bad := slices.Clone(data)
	bad[at] ^= 0x5a
	return bad
}

// small returns a file with a few events of all kinds.
func small(t testing.TB) []byte {
	t.Helper()
	packed, err := Pack(parse(t, []byte(smallManifest)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}
