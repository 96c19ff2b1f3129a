package manifest_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/definition"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// le is the byte order of Windows.
var le = binary.LittleEndian

const providerID = "{00000001-0000-0000-0000-00000000000a}"

// inProvider returns a manifest with content inside its only provider.
func inProvider(content string) string {
	return `<instrumentationManifest><provider name="P" guid="` + providerID + `">` + content + `</provider></instrumentationManifest>`
}

// withTemplate returns a manifest with one event, whose template has the items.
func withTemplate(items string) string {
	return inProvider(`<template tid="T">` + items + `</template><event value="1" template="T"/>`)
}

func utf16Bytes(text string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

func TestEncodings(t *testing.T) {
	text := inProvider(`<event value="1" symbol="Grüße 𝄞"/>`)
	const mark = "\ufeff"
	want := dump(manifest.Parse([]byte(text), schema.FromManifest))
	if !strings.Contains(want, "Grüße 𝄞") {
		t.Fatal(want)
	}
	lone := utf16Bytes("<!-- x -->", le)
	lone[10], lone[11] = 0x00, 0xd8 // a surrogate alone
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"UTF-8 with a mark", []byte(mark + text)},
		{"UTF-8 in a text declared UTF-16", []byte(`<?xml version="1.0" encoding="utf-16"?>` + text)},
		{"UTF-16", append(utf16Bytes(mark, le), utf16Bytes(text, le)...)},
		{"UTF-16 in network order", append(utf16Bytes(mark, binary.BigEndian), utf16Bytes(text, binary.BigEndian)...)},
		{"UTF-16 without a mark", utf16Bytes(text, le)},
		{"UTF-16 in network order without a mark", utf16Bytes(text, binary.BigEndian)},
		{"UTF-16 of odd length", append(utf16Bytes(text, le), ' ')},
		{"UTF-16 with half a pair", append(lone, utf16Bytes(text, le)...)},
		{"not UTF-8 in a comment", []byte("<!-- \xff\xfe\x80 -->" + text)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := dump(manifest.Parse(test.data, schema.FromManifest)); got != want {
				t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
			}
			ids, err := manifest.ProviderIDs(test.data)
			if err != nil || len(ids) != 1 || "{"+ids[0].String()+"}" != providerID {
				t.Errorf("providers %v, %v", ids, err)
			}
		})
	}
}

// billionLaughs is the document type that the attack is named after.
const billionLaughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>`

func TestHostile(t *testing.T) {
	deep := func(n int, open, end string) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	long := strings.Repeat("n", 64<<10)
	for _, test := range []struct {
		name, text string
		err        error  // of Parse
		wrong      string // in the only error that is listed; "" if there is none
		want       string // in the dump
	}{
		{"empty", "", manifest.ErrNoProvider, "", ""},
		{"no XML", "MZ\x90\x00", manifest.ErrNoProvider, "", ""},
		{"no provider", "<a><b/></a>", manifest.ErrNoProvider, "", ""},
		{"a billion laughs", billionLaughs + inProvider(`<event value="1" symbol="&lol2;"/>`), decode.ErrUnsupported, "", ""},
		{"a document type without end", `<!DOCTYPE ` + long, decode.ErrUnsupported, "", ""},
		{"an entity that is not XML's", inProvider(`<event value="1" symbol="&lol;"/>`), nil, "", `"&lol;"`},
		{"references to invalid characters", inProvider(`<event value="1" symbol="&#0;&#xD800;&#x110000;&#-1;&#;&;&"/>`), nil, "", "\ufffd\ufffd\ufffd&#-1;&#;&;&"},
		{"100,000 elements deep, known", inProvider(deep(100_000, "<resources>", "</resources>") + `<event value="1"/>`), nil, "nested more than 32 deep", "event 1 "},
		{"100,000 elements deep, not known", deep(100_000, "<x>", "</x>") + inProvider(`<event value="1"/>`), nil, "nested more than 32 deep", "event 1 "},
		{"100,000 starts", inProvider(`<event value="1"/>` + strings.Repeat("<resources><x>", 50_000)), nil, "nested more than 32 deep", "event 1 "},
		{"100,000 ends", strings.Repeat("</provider>", 100_000) + inProvider(`<event value="1"/>`), nil, "", "event 1 "},
		{"structures 100,000 deep", withTemplate(deep(100_000, `<struct name="s">`, "</struct>")), nil, "nested more than 32 deep", "event 1 "},
		{"structures 20 deep", withTemplate(strings.Repeat(`<struct name="s" count="2">`, 20) + `<data name="x" inType="win:UInt8"/>`), nil, "", "x u8"},
		{"unclosed start tags", inProvider("") + strings.Repeat("<a", 100_000), nil, "truncated", "provider"},
		{"an unclosed quote", inProvider(`<event value="1"/><event value="2`), nil, "truncated", "event 1 "},
		{"an unclosed comment", inProvider(`<event value="1"/><!-- `), nil, "truncated", "event 1 "},
		{"text with <", "<a>1 < 2 << <</a>" + inProvider(""), nil, "", "provider"},
		{"ends without starts", inProvider(`</x></event><event value="1"></y></event>`), nil, "", "event 1 "},
		{"no ends", `<provider guid="` + providerID + `"><templates><template tid="T"></templates><events><event value="1">`, nil, "", "event 1 "},
		{"no quotes", `<provider name=P guid=` + providerID + ` ><event value=1/></provider>`, nil, "", `event 1 version 0: "1" of "P"`},
		{"attributes twice", inProvider(`<event value="1" value="2"/>`), nil, "", "event 1 "},
		{"attributes of other namespaces", inProvider(`<event xmlns:value="7" x:value="1"/>`), nil, "", "event 1 "},
		{"attributes without values", inProvider(`<event a value = "1" c/>`), nil, "", "event 1 "},
		{"1,000 attributes", inProvider(`<event value="1" ` + strings.Repeat(`a="" `, 1000) + `/>`), nil, "", "event 1 "},
		{"a name of 64 KiB", withTemplate(`<data name="` + long + `" inType="win:UInt8"/>`), nil, "cut to 4096", "nnnnnnnn_"},
		{"a provider of 64 KiB", `<provider name="` + long + `" guid="` + providerID + `"/>`, nil, "cut to 4096", "provider"},
		{"an attribute's name of 64 KiB", inProvider(`<event value="1" ` + long + `="2"/>`), nil, "", "event 1 "},
		{"an element's name of 64 KiB", inProvider(`<` + long + `><event value="1"/></` + long + `>`), nil, "", "event 1 "},
		{"2,000 items", withTemplate(strings.Repeat(`<data name="x" inType="win:UInt8"/>`, 2000)), nil, "more than 1024 items", "x_1024 u8"},
		{"2,000 items in structures", withTemplate(strings.Repeat(`<struct name="s"><data name="x" inType="win:UInt8"/></struct>`, 1000)), nil, "more than 1024 items", "s_512 struct"},
		{"a count of 4 GiB", withTemplate(`<data name="x" inType="win:UInt8" count="4294967295"/>`), nil, "no item before it has this name", "event 1 "},
		{"a count of 2 GiB", withTemplate(`<data name="x" inType="win:UInt64" count="2147483647"/>`), nil, "", "count 2147483647"},
		{"structures of many values and few bytes", withTemplate(`<data name="n" inType="win:UInt16"/><data name="z" inType="win:UInt8"/><struct name="s" count="n"><data name="x" inType="win:UInt8"/>` +
			strings.Repeat(`<data name="y" inType="win:Binary" length="z"/>`, 1000) + `</struct>`), nil, "1000 members of no bytes", "z u8"},
		{"structures of some values and few bytes", withTemplate(`<data name="n" inType="win:UInt16"/><data name="z" inType="win:UInt8"/><struct name="s" count="n"><data name="x" inType="win:UInt8"/>` +
			strings.Repeat(`<data name="y" inType="win:Binary" length="z"/>`, 17) + `</struct>`), nil, "", "y_17 bytes"},
		{"a provider in a comment", `<!-- ` + inProvider("") + ` -->`, manifest.ErrNoProvider, "", ""},
		{"a provider in a section of characters", `<![CDATA[ ` + inProvider("") + ` ]]>`, manifest.ErrNoProvider, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := manifest.Parse([]byte(test.text), schema.FromManifest)
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if err != nil {
				return
			}
			if got := dump(m, err); !strings.Contains(got, test.want) {
				t.Errorf("%s\nlacks %s", got[:min(len(got), 2000)], test.want)
			}
			switch {
			case test.wrong == "" && len(m.Errors) > 0, test.wrong != "" && len(m.Errors) != 1, m.MoreErrors != 0:
				t.Errorf("errors %v and %d more", m.Errors, m.MoreErrors)
			case test.wrong != "" && !strings.Contains(m.Errors[0].Error(), test.wrong):
				t.Errorf("error %v, want %s", m.Errors[0], test.wrong)
			}
			locateZeros(m)
		})
	}
}

// locateZeros locates the fields of all events in zeros.
func locateZeros(m *manifest.Manifest) {
	for _, p := range m.Providers {
		for _, ev := range p.Events {
			decode.NewLayout(&ev.Event, ev.Version, 8).Locate(make([]byte, 300), nil)
		}
	}
}

// TestLimits checks that content beyond a limit is an error, or is omitted and counted.
func TestLimits(t *testing.T) {
	t.Run("size", func(t *testing.T) {
		if m, err := manifest.Parse(make([]byte, definition.MaxSize+1), schema.FromManifest); !errors.Is(err, decode.ErrUnsupported) || m != nil {
			t.Errorf("%v, %v", m, err)
		}
		if _, err := manifest.ProviderIDs(make([]byte, definition.MaxSize+1)); !errors.Is(err, decode.ErrUnsupported) {
			t.Error(err)
		}
	})
	t.Run("elements", func(t *testing.T) {
		text := inProvider(strings.Repeat("<map/>", 1<<19))
		if m, err := manifest.Parse([]byte(text), schema.FromManifest); !errors.Is(err, decode.ErrUnsupported) || m != nil {
			t.Errorf("%v, %v", m, err)
		}
	})
	t.Run("errors", func(t *testing.T) {
		m, err := manifest.Parse([]byte(inProvider(strings.Repeat("<event/>", 1000)+`<event value="1"/>`)), schema.FromManifest)
		if err != nil || len(m.Errors) != 100 || m.MoreErrors != 900 || len(m.Providers[0].Events) != 1 {
			t.Errorf("%v: %d errors and %d more", err, len(m.Errors), m.MoreErrors)
		}
	})
	t.Run("events", func(t *testing.T) {
		const most = 1 << 17
		var b strings.Builder
		for i := range most + 1 {
			fmt.Fprintf(&b, `<event value="%d" version="%d"/>`, i%65536, i/65536)
		}
		m, err := manifest.Parse([]byte(inProvider(b.String())), schema.FromManifest)
		if err != nil || len(m.Providers[0].Events) != most || len(m.Errors) != 1 {
			t.Fatalf("%v: %d events, errors %v", err, len(m.Providers[0].Events), m.Errors)
		}
	})
}

// TestSharedTemplate checks that a thousand events share one large template without
// copying it.
func TestSharedTemplate(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<template tid="T">` + strings.Repeat(`<data name="x" inType="win:UInt8" map="M"/>`, 1000) + `</template>`)
	b.WriteString(`<valueMap name="M"><map value="0xfffffffff" message="many"/></valueMap>`)
	for i := range 1000 {
		fmt.Fprintf(&b, `<event value="%d" template="T"/>`, i)
	}
	m, err := manifest.Parse([]byte(inProvider(b.String())), schema.FromManifest)
	if err != nil || len(m.Providers[0].Events) != 1000 {
		t.Fatal(err)
	}
	first, last := m.Providers[0].Events[0], m.Providers[0].Events[999]
	if len(first.Fields) != 1000 || &first.Fields[0] != &last.Fields[0] {
		t.Error("the template is copied")
	}
	if first.Fields[0].Map == nil || first.Fields[0].Map != first.Fields[999].Map {
		t.Error("the map is copied")
	}
}

// TestSharedMessages checks that a thousand events that refer to one long message do not
// each have a copy.
func TestSharedMessages(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, `<event value="%d" message="$(string.s)"/>`, i)
	}
	text := "<a>" + inProvider(b.String()) + `<string id="s" value="` + strings.Repeat("m", 60_000) + `"/></a>`
	text = strings.Replace(text, "</instrumentationManifest>", "", 1) + "</instrumentationManifest>"
	m, err := manifest.Parse([]byte(text), schema.FromManifest)
	if err != nil {
		t.Fatal(err)
	}
	with, bytes := 0, 0
	for _, ev := range m.Providers[0].Events {
		if bytes += len(ev.MessageText); ev.MessageText != "" {
			with++
		}
	}
	if with == 0 || bytes > 2*len(text) || len(m.Errors)+m.MoreErrors != 1000-with {
		t.Errorf("%d events with messages of %d bytes, %d errors", with, bytes, len(m.Errors)+m.MoreErrors)
	}
}

// TestSource checks that schemas record their source.
func TestSource(t *testing.T) {
	for _, source := range []schema.Source{schema.FromManifest, schema.FromEventSource} {
		m, err := manifest.Parse([]byte(inProvider(`<event value="1"/>`)), source)
		if err != nil || m.Providers[0].Events[0].Source != source {
			t.Errorf("%v: %v", source, err)
		}
	}
}

func TestInsertOutside(t *testing.T) {
	m, err := manifest.Parse([]byte(withTemplate(`<data name="x" inType="win:UInt8"/>`)), schema.FromManifest)
	if err != nil {
		t.Fatal(err)
	}
	ev := &m.Providers[0].Events[0]
	for _, n := range []int{-1, 0, 2, 1 << 30} {
		if index, ok := ev.Insert(n); ok {
			t.Errorf("insert %d is field %d", n, index)
		}
	}
}

// eventElement matches the start of an element that describes an event.
var eventElement = regexp.MustCompile(`<event\s[^>]*>`)

// TestSharedManifests parses every manifest in shared/ without an error, and
// finds as many events as a plain text search.
func TestSharedManifests(t *testing.T) {
	for _, path := range testenv.SharedFiles(t, "manifests/*.man") {
		data := testenv.ReadFile(t, path)
		m, err := manifest.Parse(data, schema.FromManifest)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, err := range m.Errors {
			t.Errorf("%s: %v", path, err)
		}
		var ids []schema.GUID
		events, fields, maps, tasks, messages := 0, 0, 0, 0, 0
		for _, p := range m.Providers {
			ids = append(ids, p.GUID)
			for _, ev := range p.Events {
				events++
				for _, f := range ev.Fields {
					fields++
					if f.Map != nil {
						maps++
					}
				}
				if ev.LevelName == "" {
					t.Errorf("%s: event %d of %s has no level", path, ev.ID, p.Name)
				}
				if ev.TaskName != "" {
					tasks++
				}
				if ev.MessageText != "" {
					messages++
				}
			}
		}
		t.Logf("SCORE %s: %d providers, %d events, %d fields, %d with maps", path, len(m.Providers), events, fields, maps)
		wantEvents, wantTasks, wantMessages := 0, 0, 0
		for _, element := range eventElement.FindAll(data, -1) {
			wantEvents++
			wantTasks += bytes.Count(element, []byte(" task="))
			wantMessages += bytes.Count(element, []byte(" message="))
		}
		if events != wantEvents || tasks != wantTasks || messages != wantMessages {
			t.Errorf("%s: %d events, %d with a task, %d with a message, want %d, %d, %d", path, events, tasks, messages, wantEvents, wantTasks, wantMessages)
		}
		quick, err := manifest.ProviderIDs(data)
		if err != nil || !slices.Equal(quick, ids) {
			t.Errorf("%s: providers %v, %v, want %v", path, quick, err, ids)
		}
	}
}
