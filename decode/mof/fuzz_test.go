package mof_test

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/mof"
	"github.com/etl2parquet/etl2parquet/schema"
)

// FuzzMOF parses arbitrary bytes and locates the fields of the resulting events.
func FuzzMOF(f *testing.F) {
	for _, g := range goldens(f) {
		f.Add([]byte(g.File))
		f.Add([]byte(g.File)[:len(g.File)/2])
	}
	f.Add(utf16Bytes(inClass(`[WmiDataId(1)] uint32 A;`), binary.LittleEndian))
	f.Add([]byte(inClass(`[WmiDataId(1)] uint16 n; [WmiDataId(2), WmiSizeIs("n")] string s[]; [WmiDataId(3), WmiSizeIs("n"), Extension("Sid")] object o[];`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := mof.Parse(data)
		if (file == nil) != (err != nil) {
			t.Fatalf("%v and %v", file, err)
		}
		if diff := cmp.Diff(dump(file, err), dump(mof.Parse(slices.Clone(data)))); diff != "" {
			t.Fatalf("-first +second:\n%s", diff)
		}
		if err != nil {
			return
		}
		quick, err := mof.ClassGUIDs(data)
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[any]bool)
		for i := range file.Events {
			e := &file.Events[i]
			if !slices.Contains(quick, e.GUID) {
				t.Fatalf("class %v is not among %v", e.GUID, quick)
			}
			key := [...]any{e.GUID, e.ID, e.Version, e.AnyVersion}
			if seen[key] || !e.Classic || e.Source != schema.FromManifest || e.ID > 0xff || e.AnyVersion && e.Version != 0 || e.Name == "" || e.Class == "" {
				t.Fatalf("%+v", e.Schema)
			}
			seen[key] = true
			checkFields(t, e.Fields)
			locate(t, e, data)
		}
	})
}

var columnName = regexp.MustCompile(`^[\pL\pN_]+$`)

// checkFields checks that names are distinct and valid for columns, and that counts
// and lengths refer to earlier numbers.
func checkFields(t *testing.T, fields []schema.Field) {
	t.Helper()
	names := make(map[string]bool)
	for i := range fields {
		f := &fields[i]
		if names[f.Name] || !columnName.MatchString(f.Name) || len(f.Name) > 110 || f.Doc == "" {
			t.Fatalf("column %q of %+v", f.Name, fields)
		}
		names[f.Name] = true
		if f.Kind == 0 || f.Count < 0 || f.Count == 1 || f.Length == schema.Rest && i+1 < len(fields) {
			t.Fatalf("%+v", f)
		}
		for _, name := range []string{f.CountField, f.LengthField} {
			if name == "" {
				continue
			}
			at := slices.IndexFunc(fields[:i], func(b schema.Field) bool { return b.Name == name })
			if at < 0 || fields[at].IsArray() || fields[at].Kind.HasLength() || fields[at].Kind == schema.Text16 {
				t.Fatalf("%s refers to %s", f.Name, name)
			}
		}
	}
}

// locate locates the event's fields in payload.
func locate(t *testing.T, e *mof.Event, payload []byte) {
	t.Helper()
	for _, size := range []int{4, 8} {
		payload := payload[:min(len(payload), 200)]
		spans, fit := decode.NewLayout(&e.Event, e.Version, size).Locate(payload, nil)
		if len(spans) != len(e.Fields) || fit.Used < 0 || fit.Used > len(payload) {
			t.Fatalf("%d spans, %+v", len(spans), fit)
		}
		for _, s := range spans {
			if s.From >= 0 && (s.From > s.To || int(s.To) > len(payload)) {
				t.Fatalf("span %v of %d bytes", s, len(payload))
			}
		}
	}
}

// TestParseKeepsNothing checks that a file does not alias the parsed bytes.
func TestParseKeepsNothing(t *testing.T) {
	data := []byte(goldens(t)[0].File)
	f, err := mof.Parse(data)
	want := dump(f, err)
	copy(data, bytes.Repeat([]byte{'x'}, len(data)))
	if got := dump(f, err); got != want {
		t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
	}
}
