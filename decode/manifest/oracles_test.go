package manifest_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// windowsEvent is an event as Windows wrote it to an event log.
type windowsEvent struct {
	System struct {
		EventID struct {
			Text string `json:"text"`
		}
	} `json:"system"`
	Data [][2]string `json:"data"` // name and text of each field
}

// TestHTTPServer locates the fields of all events of a real trace with its
// manifest, and compares each with its text in Windows' event log.
func TestHTTPServer(t *testing.T) {
	m, err := manifest.Parse(testenv.ReadFile(t, testenv.Shared(t, "manifests/HTTP_Server.man")), schema.FromManifest)
	if err != nil || len(m.Errors) > 0 {
		t.Fatalf("%v, %v", err, m)
	}
	schemas := make(map[eventKey]*schema.Schema)
	addSchemas(schemas, m)
	type found struct {
		timestamp int64
		ev        windowsEvent
	}
	var got []found
	var s score
	walk(t, testenv.Shared(t, "traces/HTTP_Server.etl"), func(ev *decode.Event) {
		described := schemas[keyOf(ev)]
		if described == nil {
			return
		}
		s.add(ev, schemas)
		d := ev.Header().Descriptor()
		if described.Opcode != d.Opcode || described.Task != d.Task || described.Level != d.Level || described.Keyword&^d.Keyword != 0 {
			t.Errorf("event %d: %+v, in the manifest %+v", d.ID, d, described)
		}
		f := found{timestamp: int64(binary.LittleEndian.Uint64(ev.Raw[0x10:]))}
		f.ev.System.EventID.Text = strconv.Itoa(int(d.ID))
		for i, span := range s.spans {
			field := &described.Fields[i]
			name, _, _ := strings.Cut(field.Doc, ",")
			f.ev.Data = append(f.ev.Data, [2]string{name, windowsText(t, field, ev.Payload()[span.From:span.To])})
		}
		got = append(got, f)
	})
	slices.SortStableFunc(got, func(a, b found) int { return cmp.Compare(a.timestamp, b.timestamp) })
	lines := bufio.NewScanner(bytes.NewReader(testenv.ReadFile(t, testenv.Shared(t, "oracles/tx/HTTP_Server.evtx.jsonl"))))
	lines.Buffer(nil, 1<<20)
	n, silent, fields, equal := 0, 0, 0, 0
	for ; lines.Scan(); n++ {
		var want windowsEvent
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if n >= len(got) || got[n].ev.System.EventID.Text != want.System.EventID.Text {
			t.Fatalf("event %d: only %d events of this type, want %+v", n, len(got), want)
		}
		if len(want.Data) == 0 { // the event log has no fields of these events
			silent++
			continue
		}
		if len(got[n].ev.Data) != len(want.Data) {
			t.Fatalf("event %d: %+v, want %+v", n, got[n], want)
		}
		for i, field := range want.Data {
			fields++
			if got[n].ev.Data[i] == field {
				equal++
			} else {
				t.Errorf("event %d: field %q, want %q", n, got[n].ev.Data[i], field)
			}
		}
	}
	t.Logf("SCORE HTTP_Server.etl: %d of %d payloads exact, %d of %d fields equal, %d events without fields in the log", s.exact, len(got), equal, fields, silent)
	if n != 2041 || len(got) != n || s.exact != n {
		t.Errorf("%d events, %d of them exact, want %d", len(got), s.exact, n)
	}
}

// windowsText writes a value of 64-bit Windows in the oracle's form.
func windowsText(t testing.TB, f *schema.Field, b []byte) string {
	t.Helper()
	switch f.Kind {
	case schema.Text8:
		return string(bytes.TrimSuffix(b, []byte{0}))
	case schema.Text16:
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
		return strings.TrimSuffix(string(utf16.Decode(units)), "\x00")
	case schema.SocketAddress, schema.Bytes:
		return base64.StdEncoding.EncodeToString(b)
	case schema.U8, schema.U16, schema.U32, schema.U64, schema.Pointer:
		n := uint64(0)
		for i, digit := range b {
			n |= uint64(digit) << (8 * i)
		}
		if f.Kind == schema.Pointer {
			return "0x" + strconv.FormatUint(n, 16)
		}
		return strconv.FormatUint(n, 10)
	}
	t.Fatalf("%s: kind %v", f.Name, f.Kind)
	return ""
}

// knownTails lists the events of the .NET runtime that log more than the manifest
// declares: a stack walk has any number of frames in an array of two, and later
// versions of the runtime append data about a heap.
var knownTails = map[string]bool{"ClrStack/Walk": true, "GC/PerHeapHistory": true}

// TestCLR locates the payloads of the .NET runtime with its manifest. Each is
// used up, or has a known tail.
func TestCLR(t *testing.T) {
	m, err := manifest.Parse(testenv.ReadFile(t, testenv.Shared(t, "manifests/ClrEtwAll.man")), schema.FromManifest)
	if err != nil {
		t.Fatal(err)
	}
	schemas := make(map[eventKey]*schema.Schema)
	addSchemas(schemas, m)
	providers := make(map[schema.GUID]bool)
	for _, p := range m.Providers {
		providers[p.GUID] = true
	}
	total := 0
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		var s score
		walk(t, path, func(ev *decode.Event) {
			if providers[keyOf(ev).provider] {
				s.add(ev, schemas)
			}
		})
		if s.exact+s.longer+s.short+s.unknown == 0 {
			continue
		}
		total += s.exact
		t.Logf("SCORE %s: %d exact, %d with a tail, %d too short, %d not described", filepath.Base(path), s.exact, s.longer, s.short, s.unknown)
		for key, why := range s.first {
			if knownTails[schemas[key].DisplayName()] && why == "there is more" {
				continue
			}
			t.Errorf("%s: %v event %d version %d: %s", filepath.Base(path), schemas[key].DisplayName(), key.id, key.version, why)
		}
	}
	if total == 0 {
		t.Error("no trace has events of the runtime")
	}
}
