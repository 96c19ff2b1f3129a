package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// event is an event as tracerpt prints it: of a class or, without one, of a provider.
func event(provider, class, id, opcode, at, data string) string {
	text := `<Event xmlns="http://schemas.microsoft.com/win/2004/08/events/event"><System><Provider Guid="` + provider + `" /><EventID>` + id +
		`</EventID><Version>2</Version><Opcode>` + opcode + `</Opcode><TimeCreated SystemTime="` + at + `" /></System><EventData><Data Name="x">` + data + `</Data></EventData>`
	if class != "" {
		text += `<ExtendedTracingInfo xmlns="http://schemas.microsoft.com/win/2004/08/events/trace"><EventGuid>` + class + `</EventGuid></ExtendedTracingInfo>`
	}
	return text + "</Event>\n"
}

const (
	kernel = "{9E814AAD-3204-11D2-9A82-006008A86939}"
	thread = "{3D6FA8D1-FE05-11D0-9DDA-00C04FD7BA7C}"
	own    = "{00000000-0000-0000-0000-0000000000BB}"
)

// TestCompare compares a trace of two context switches and two events of a provider with the texts
// that Windows' programs print for it, and with texts that differ from it.
func TestCompare(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace.etl")
	text := etltest.MustParse(t, `trace ptr=64 buffersize=65536
stream
system64 hook=0x0524 ver=4 t=+0us payload=u32:1,u32:2,u8:8,u8:8,u8:0,u8:0,u8:0,u8:0,u8:0,u8:0,u32:0,u32:0
event64 provider=00000000-0000-0000-0000-0000000000bb id=7 t=+10us payload=u32:1
system64 hook=0x0524 ver=4 t=+2ms payload=u32:2,u32:1,u8:8,u8:8,u8:0,u8:0,u8:0,u8:0,u8:0,u8:0,u32:0,u32:0
event64 provider=00000000-0000-0000-0000-0000000000bb id=7 t=+3ms payload=u32:1
`)
	testenv.WriteFile(t, trace, text)
	events := []string{
		event(kernel, "{68FDD900-4A3E-11D1-84F4-0000F80464E3}", "0", "0", "2020-12-31T12:00:00.000000000+04:59", ""),
		event(kernel, thread, "0", "36", "2020-12-31T12:00:00.000000000+04:59", ""),
		event(own, "", "7", "0", "2020-12-31T12:00:00.000010000+04:59", "control \x01 &amp; more"),
		event(kernel, thread, "0", "36", "2020-12-31T12:00:00.002000000+04:59", ""),
		event(own, "", "7", "0", "2020-12-31T12:00:00.003000000+04:59", ""),
	}
	const header = "BeginHeader\r\n    CSwitch,  TimeStamp, New Process Name\r\nEndHeader\r\n"
	dump := header + "    CSwitch,   0, a.exe\r\n    CSwitch,   2000, b.exe\r\n UnknownEvent/Classic, 10, x\r\n"
	later := append(events[:4:4], event(own, "", "7", "0", "2020-12-31T12:00:00.003500000+04:59", ""))
	for _, test := range []struct {
		name, xml, dump string
		same            bool
		want            string // in the output
	}{
		{"same", strings.Join(events, ""), dump, true, "differ\nsame"},
		{"an event less", strings.Join(events[:4], ""), dump, false, "count             2         1  00000000-0000-0000-0000-0000000000bb 7"},
		{"other time", strings.Join(later, ""), dump, false, "times             2         2  00000000-0000-0000-0000-0000000000bb 7"},
		{"a switch less in the dump", strings.Join(events, ""), header + "    CSwitch,   0, a.exe\r\n", false, `count             2         1  dumper: "CSwitch"`},
		{"other names in the dump", strings.Join(events, ""), dump, true, `1  dumper: "UnknownEvent/Classic"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder := t.TempDir()
			paths := []string{trace, filepath.Join(folder, "events.xml"), filepath.Join(folder, "dump.csv")}
			for path, text := range map[string]string{paths[1]: "<Events>\n" + test.xml + "</Events>", paths[2]: test.dump} {
				testenv.WriteFile(t, path, text)
			}
			var out strings.Builder
			same, err := run(t.Context(), paths, &out)
			if err != nil {
				t.Fatal(err)
			}
			if same != test.same || !strings.Contains(out.String(), test.want) {
				t.Errorf("%v, want %v and %q in:\n%s", same, test.same, test.want, &out)
			}
		})
	}
}

// TestUTF16 reads XML as Windows' programs write it with -en Unicode.
func TestUTF16(t *testing.T) {
	var text strings.Builder
	text.WriteString("\xff\xfe")
	for _, c := range []byte(`<?xml version="1.0" encoding="UTF-16"?><Events>` + event(own, "", "7", "0", "2020-12-31T12:00:00.0Z", "") + "</Events>") {
		text.WriteString(string([]byte{c, 0}))
	}
	all, err := readXML(strings.NewReader(text.String()))
	if err != nil || all[kind{"00000000-0000-0000-0000-0000000000bb", 7}] == nil {
		t.Errorf("%v, %v", all, err)
	}
}

// TestBadTexts checks that what no such program wrote is an error.
func TestBadTexts(t *testing.T) {
	for text, want := range map[string]string{
		"<Events><Event>": "unexpected EOF",
		"<Events>" + event(own, "", "7", "0", "noon", "") + "</Events>": `the time "noon"`,
	} {
		if _, err := readXML(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := readDump(strings.NewReader("a,b\n")); err == nil {
		t.Error("a text without a header is a dump")
	}
}
