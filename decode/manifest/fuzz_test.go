package manifest_test

import (
	"bytes"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// FuzzManifest parses arbitrary bytes and locates the fields of the resulting events.
func FuzzManifest(f *testing.F) {
	for _, g := range goldens(f) {
		f.Add([]byte(g.File))
		f.Add([]byte(g.File)[:len(g.File)/2])
	}
	f.Add([]byte(billionLaughs + inProvider("")))
	f.Add(utf16Bytes(inProvider(`<event value="1"/>`), le))
	f.Add([]byte(withTemplate(`<data name="n" inType="win:UInt16"/><struct name="s" count="n"><struct name="t" count="n"><data name="b" inType="win:Binary" length="n"/></struct></struct>`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Parse(data, schema.FromManifest)
		if (m == nil) != (err != nil) {
			t.Fatalf("%v and %v", m, err)
		}
		again, errAgain := manifest.Parse(slices.Clone(data), schema.FromManifest)
		if diff := cmp.Diff(dump(m, err), dump(again, errAgain)); diff != "" {
			t.Fatalf("-first +second:\n%s", diff)
		}
		if err != nil {
			return
		}
		quick, _ := manifest.ProviderIDs(data)
		for _, p := range m.Providers {
			if !slices.Contains(quick, p.GUID) {
				t.Fatalf("provider %v is not among %v", p.GUID, quick)
			}
			seen := make(map[eventKey]bool)
			for i := range p.Events {
				ev := &p.Events[i]
				key := eventKey{p.GUID, ev.ID, ev.Version}
				if seen[key] || ev.GUID != p.GUID || ev.Class != p.Name || ev.Source != schema.FromManifest {
					t.Fatalf("%+v", ev.Schema)
				}
				seen[key] = true
				checkFields(t, ev.Fields, nil)
				checkInserts(t, ev)
				locate(t, ev, data)
			}
		}
	})
}

var columnName = regexp.MustCompile(`^[\pL\pN_]+$`)

// checkFields checks that names are distinct and valid for columns, and that counts
// and lengths refer to earlier numbers in the same or an outer structure.
func checkFields(t *testing.T, fields []schema.Field, before []schema.Field) {
	t.Helper()
	names := make(map[string]bool)
	for i := range fields {
		f := &fields[i]
		if names[f.Name] || !columnName.MatchString(f.Name) || len(f.Name) > 110 {
			t.Fatalf("column %q of %+v", f.Name, fields)
		}
		names[f.Name] = true
		if f.Kind == 0 && len(f.Struct) == 0 || f.Count < 0 || f.Count == 1 {
			t.Fatalf("%+v", f)
		}
		for _, name := range []string{f.CountField, f.LengthField} {
			if name == "" {
				continue
			}
			at := slices.IndexFunc(before, func(b schema.Field) bool { return b.Name == name })
			if at < 0 || before[at].IsArray() || before[at].Struct != nil || before[at].Kind == schema.Text16 {
				t.Fatalf("%s refers to %s", f.Name, name)
			}
		}
		checkFields(t, f.Struct, before)
		before = append(before[:len(before):len(before)], *f)
	}
}

func checkInserts(t *testing.T, ev *manifest.Event) {
	t.Helper()
	for n := range 200 {
		if index, ok := ev.Insert(n); ok && (index < 0 || index >= len(ev.Fields) || ev.Fields[index].Struct != nil) {
			t.Fatalf("insert %d is %d of %d", n, index, len(ev.Fields))
		}
	}
}

// locate locates the event's fields in payload.
func locate(t *testing.T, ev *manifest.Event, payload []byte) {
	t.Helper()
	for _, size := range []int{4, 8} {
		payload := payload[:min(len(payload), 200)]
		spans, fit := decode.NewLayout(&ev.Event, ev.Version, size).Locate(payload, nil)
		if len(spans) != len(ev.Fields) || fit.Used < 0 || fit.Used > len(payload) {
			t.Fatalf("%d spans, %+v", len(spans), fit)
		}
		for _, s := range spans {
			if s.From >= 0 && (s.From > s.To || int(s.To) > len(payload)) {
				t.Fatalf("span %v of %d bytes", s, len(payload))
			}
		}
	}
}

// TestParseKeepsNothing checks that a manifest does not alias the parsed bytes.
func TestParseKeepsNothing(t *testing.T) {
	data := []byte(goldens(t)[0].File)
	m, err := manifest.Parse(data, schema.FromManifest)
	want := dump(m, err)
	copy(data, bytes.Repeat([]byte{'x'}, len(data)))
	if got := dump(m, err); got != want {
		t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
	}
}
