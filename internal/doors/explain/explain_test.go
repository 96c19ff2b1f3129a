package explain

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/schema"
)

func TestParseWord(t *testing.T) {
	for _, tt := range []struct {
		text    string
		numbers []uint64
		bytes   string
		err     string
	}{
		{text: "0x0524", numbers: []uint64{0x524}},
		{text: "0X524", numbers: []uint64{0x524}},
		{text: "0524h", numbers: []uint64{0x524}},
		{text: "0524", numbers: []uint64{524, 0x524}},
		{text: "12345678", numbers: []uint64{12345678, 0x12345678}},
		{text: "80ff0078", numbers: []uint64{0x80ff0078}},
		{text: "7", numbers: []uint64{7}},
		{text: "cafe", numbers: []uint64{0xcafe}},
		{text: "020002c068002405", bytes: "020002c068002405"},
		{text: "0x00000068c0020002", bytes: "020002c068000000"},
		{text: "0x00000068`c0020002", bytes: "020002c068000000"},
		{text: " 02 00 02 c0 ", numbers: []uint64{0xc0020002}, bytes: "020002c0"},
		{text: "02,00", numbers: []uint64{2}, bytes: "0200"},
		{text: "0x02 0x00 0x02", bytes: "020002"},
		{text: "0x80ff0078 0x00020005", bytes: "7800ff8005000200"},
		{text: "hex:05,00,02,\\\n  00", numbers: []uint64{0x00020005}, bytes: "05000200"},
		{text: "\"EnableKernelFlags\"=hex:01,00,00,00", numbers: []uint64{1}, bytes: "01000000"},
		{text: "hex(b):01,00,00,00,00,00,00,00", bytes: "0100000000000000"},
		{text: "PERF_POOL"},
		{text: "Thread/CSwitch"},
		{text: "Microsoft-Windows-Kernel-Process"},
		{text: "ab-Some-Provider"},
		{text: "020002c0 68002405", bytes: "020002c068002405"},
		{text: "", err: "nothing to explain"},
		{text: "  ", err: "nothing to explain"},
		{text: "0x", err: "not hexadecimal"},
		{text: "0xg", err: "not hexadecimal"},
		{text: "hex:", err: "no bytes"},
		{text: "01 2", err: `"2" is not bytes`},
		{text: "020002c0680024050", err: "is not bytes"},
		{text: strings.Repeat("00", maxBlob+1), err: "longer than"},
	} {
		t.Run(fmt.Sprintf("%.40s", tt.text), func(t *testing.T) {
			w, err := parseWord(tt.text)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("%v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.numbers, w.numbers); diff != "" || hex.EncodeToString(w.bytes) != tt.bytes {
				t.Errorf("bytes %x, want %s; numbers -want +got:\n%s", w.bytes, tt.bytes, diff)
			}
		})
	}
}

// TestProviders explains words that only a catalogue knows.
func TestProviders(t *testing.T) {
	id, _ := schema.ParseGUID("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716")
	known := Provider{GUID: id, Name: "Microsoft-Windows-Kernel-Process", Source: "built in"}
	e := Explainer{Providers: func(nameOrGUID string) []Provider {
		if nameOrGUID == id.String() || strings.EqualFold(nameOrGUID, known.Name) {
			return []Provider{known}
		}
		return nil
	}}
	for text, as := range map[string]string{"{22FB2CD6-0E7B-422B-A0C7-2FAD1FD0E716}": "guid", "microsoft-windows-kernel-process": "name"} {
		x, err := e.Explain(text, "")
		if err != nil {
			t.Fatal(err)
		}
		want := []Reading{{As: as, Meaning: "provider Microsoft-Windows-Kernel-Process", Facts: []Fact{
			{Name: "GUID", Value: id.String()}, {Name: "provider", Value: "Microsoft-Windows-Kernel-Process"}, {Name: "source", Value: "built in"},
		}}}
		if diff := cmp.Diff(want, x.Readings); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestNames explains every name that it suggests.
func TestNames(t *testing.T) {
	e := Explainer{Tables: schema.Tables()}
	for _, name := range e.names() {
		if x, err := e.Explain(name, "name"); err != nil || len(x.Readings) == 0 {
			t.Errorf("%s: %+v, %v", name, x, err)
		}
	}
}

// TestHooks explains every hook with a symbol, and compares its event with the catalog.
func TestHooks(t *testing.T) {
	for _, s := range schema.HookSymbols() {
		x, err := new(Explainer).Explain(fmt.Sprintf("%#04x", s.Hook), "hook")
		if err != nil || len(x.Readings) != 1 {
			t.Fatalf("%s: %+v, %v", s.Symbol, x, err)
		}
		text := fmt.Sprint(x.Readings[0])
		if !strings.Contains(text, s.Symbol) {
			t.Errorf("%s: %s", s.Symbol, text)
		}
		if l, ok := schema.KernelCatalog().Hook(s.Hook, 2); ok && !strings.Contains(text, l.Table.Table.Name) {
			t.Errorf("%s: %s, want %s", s.Symbol, text, l.Table.Table.Name)
		}
	}
}

// TestHeaderTraces explains the first bytes of every event of real traces, and compares
// the headers with the decoder's.
func TestHeaderTraces(t *testing.T) {
	seen := make(map[decode.HeaderType]bool)
	decodetest.EachEvent(t, func(ev *decode.Event) {
		s, err := decode.ParseStart(ev.Raw)
		if err != nil || s.Type != ev.Type || s.Size != len(ev.Raw) {
			t.Fatalf("%+v, %v; want %s of %d bytes", s, err, ev.Type, len(ev.Raw))
		}
		if seen[s.Type] {
			return
		}
		seen[s.Type] = true
		x, err := new(Explainer).Explain(hex.EncodeToString(ev.Raw[:decode.StartSize]), "header")
		if err != nil || len(x.Readings) != 1 {
			t.Fatalf("%+v, %v", x, err)
		}
		if want := fmt.Sprintf("event of %d bytes, header %s", len(ev.Raw), ev.Type); x.Readings[0].Meaning != want {
			t.Errorf("%s, want %s", x.Readings[0].Meaning, want)
		}
	}, func(string) {})
	if len(seen) < 7 {
		t.Errorf("only %d types of header", len(seen))
	}
}

// FuzzExplain explains any word: the result is a list of readings, or an error. With a
// kind a word has the same readings of that kind as without.
func FuzzExplain(f *testing.F) {
	for _, seed := range []string{
		"0x0524", "0524", "{9e814aad-3204-11d2-9a82-006008a86939}", "PERF_POOL", "020002c086010000", "c00613c001000000", "3c0000902b00aa00",
		"12000600030001001000000040000000030002006712000004000000030003002e0f00002405000003000400506f6f6c41013f2a03000500001000004000000002000700efbeadde",
		"0f000000eeeeeeeeffff0000000000000b0000001300000019000000", "hex:0f,27,01,00,02,00,00,00", "0x80ff0078 0x00020005", "hex(", "\"=hex:",
	} {
		f.Add(seed)
	}
	e := Explainer{Tables: schema.Tables()}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := e.Explain(text, "")
		var malformed *MalformedError
		if (err == nil) != (all != nil) || err != nil && !errors.As(err, &malformed) {
			t.Fatalf("%+v and %v", all, err)
		}
		if err == nil {
			all.writeText(io.Discard, 80)
		}
		for i := range kinds {
			one, err := e.Explain(text, kinds[i].name)
			if err != nil && !errors.As(err, &malformed) {
				t.Fatal(err)
			}
			if all == nil || err != nil || !kinds[i].auto || asksOnly(kinds[i].name) {
				continue
			}
			var without []Reading
			for _, r := range all.Readings {
				if r.As == kinds[i].name {
					without = append(without, r)
				}
			}
			if diff := cmp.Diff(len(one.Readings), len(without)); diff != "" {
				t.Errorf("%s: %s", kinds[i].name, diff)
			}
		}
	})
}

// asksOnly reports whether a kind has readings of more words if it is requested.
func asksOnly(kind string) bool {
	return kind == "hook" || kind == string(schema.AsHResult) || kind == string(schema.AsNTStatus)
}

// TestStatus explains status codes by number and name.
func TestStatus(t *testing.T) {
	for _, test := range []struct {
		word, as string
		want     []string // as and meaning of the readings
	}{
		{"0x80070005", "hresult", []string{"hresult: HRESULT 0x80070005, E_ACCESSDENIED"}},
		{"0x80070002", "hresult", []string{"hresult: HRESULT 0x80070002, ERROR_FILE_NOT_FOUND"}},
		{"0xd0000022", "hresult", []string{"hresult: HRESULT 0xd0000022, STATUS_ACCESS_DENIED"}},
		{"3221225506", "ntstatus", []string{"ntstatus: NTSTATUS 0xc0000022, STATUS_ACCESS_DENIED"}},
		{"5", "win32_error", []string{"win32_error: Win32 error 0x00000005, ERROR_ACCESS_DENIED"}},
		{"0", "hresult", []string{"hresult: HRESULT 0x00000000, S_OK"}},
		{"0x20000000", "win32_error", nil},
		{"status_access_denied", "name", []string{"name: NTSTATUS 0xc0000022, STATUS_ACCESS_DENIED"}},
		{"ERROR_ACCESS_DENIED", "name", []string{"name: Win32 error 0x00000005, ERROR_ACCESS_DENIED"}},
	} {
		x, err := new(Explainer).Explain(test.word, test.as)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range x.Readings {
			got = append(got, r.As+": "+r.Meaning)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.word, diff)
		}
	}
	for word, want := range map[string]string{"NTSTATUS": "ntstatus", "hresult": "hresult", "Win32": "win32_error", "win32_error": "win32_error", "status": ""} {
		if kind, _ := statusSystem(word); kind != want {
			t.Errorf("%s: %q, want %q", word, kind, want)
		}
	}
}

// FuzzBlob explains any bytes as each kind of bytes.
func FuzzBlob(f *testing.F) {
	for _, seed := range []string{
		"020002c086010000", "02000600", "0200010002000200ffffffff", "0f000000eeeeeeeeffff0000000000000b000000",
	} {
		b := etltest.MustHex(f, seed)
		f.Add(b)
	}
	e := new(Explainer)
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 || len(b) > 1<<12 {
			return
		}
		before := string(b)
		for i := range kinds {
			if _, err := kinds[i].read(e, &word{bytes: b, asked: true, numbers: numberOf(b)}); err != nil && err.Error() == "" {
				t.Error("an error without a text")
			}
		}
		if string(b) != before {
			t.Error("the bytes were changed")
		}
	})
}
