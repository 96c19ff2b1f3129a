package manifest_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/manifest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// walk calls visit with each event that has an EVENT_HEADER, in file order.
func walk(t testing.TB, path string, visit func(ev *decode.Event)) {
	t.Helper()
	decodetest.Walk(t, decodetest.OpenFile(t, path), func(_ *decode.Buffer, ev *decode.Event) {
		if ev.Family == decode.FamilyEvent {
			visit(ev)
		}
	})
}

// eventKey identifies the layout of an event.
type eventKey struct {
	provider schema.GUID
	id       uint16
	version  uint8
}

func keyOf(ev *decode.Event) eventKey {
	h := ev.Header()
	d := h.Descriptor()
	return eventKey{h.ProviderID(), d.ID, d.Version}
}

// score counts how payloads fit their manifests.
type score struct {
	exact, longer, short, unknown int
	first                         map[eventKey]string // the first misfit of each event
	spans                         []decode.Span
}

func (s *score) add(ev *decode.Event, schemas map[eventKey]*schema.Schema) {
	key := keyOf(ev)
	described := schemas[key]
	if described == nil {
		s.unknown++
		return
	}
	layout := decode.NewLayout(&described.Event, key.version, ev.PointerSize())
	var fit decode.Fit
	s.spans, fit = layout.Locate(ev.Payload(), s.spans)
	why := ""
	switch {
	case fit.Err != nil:
		s.short++
		why = fit.Field.Name + ": " + fit.Err.Error()
	case fit.Used < len(ev.Payload()):
		s.longer++
		why = "there is more"
	default:
		s.exact++
		return
	}
	if s.first == nil {
		s.first = make(map[eventKey]string)
	}
	if s.first[key] == "" {
		s.first[key] = why
	}
}

// knownTail is the only event of real traces that logs more than its EventSource
// manifest declares: PerfView's ClrEnableParameters stores an enum of 4 bytes in 8.
var knownTail = eventKey{schema.GUID{0xc1, 0x1a, 0xa7, 0xa8, 0x0f, 0x04, 0xa2, 0x54, 0x07, 0xca, 0x00, 0xa8, 0x9b, 0x5a, 0xb7, 0x61}, 13, 0}

// TestEventSourceTraces assembles and parses the manifests that real traces
// carry, and locates the payloads that they describe.
func TestEventSourceTraces(t *testing.T) {
	withManifests := 0
	for _, path := range testenv.SharedFiles(t, "traces/*.etl") {
		name := filepath.Base(path)
		var pieces manifest.Pieces
		chunks := 0
		walk(t, path, func(ev *decode.Event) {
			h := ev.Header()
			if h.Descriptor().ID == manifest.EventID {
				chunks++
				pieces.Add(h.ProviderID(), h.ProcessID(), h.ThreadID(), ev.Payload())
			}
		})
		all, incomplete := pieces.Assemble()
		if pieces.Invalid > 0 || pieces.Dropped > 0 || len(incomplete) > 0 {
			t.Errorf("%s: %d chunks, %d invalid, %d dropped; %v", name, chunks, pieces.Invalid, pieces.Dropped, incomplete)
		}
		if chunks == 0 {
			continue
		}
		withManifests++
		schemas := make(map[eventKey]*schema.Schema)
		for _, one := range all {
			if ids, err := manifest.ProviderIDs(one.XML); err != nil || !slices.Equal(ids, []schema.GUID{one.Provider}) {
				t.Errorf("%s: manifest of %v is of %v, %v", name, one.Provider, ids, err)
			}
			m, err := manifest.Parse(one.XML, schema.FromEventSource)
			if err != nil {
				t.Errorf("%s: %v: %v", name, one.Provider, err)
				continue
			}
			for _, err := range m.Errors {
				t.Errorf("%s: %s: %v", name, m.Providers[0].Name, err)
			}
			if !bytes.Contains(one.XML, []byte("</instrumentationManifest>")) {
				t.Errorf("%s: %v: cut", name, one.Provider)
			}
			addSchemas(schemas, m)
		}
		var s score
		providers := make(map[schema.GUID]bool)
		for key := range schemas {
			providers[key.provider] = true
		}
		walk(t, path, func(ev *decode.Event) {
			if key := keyOf(ev); providers[key.provider] && key.id != manifest.EventID {
				s.add(ev, schemas)
			}
		})
		t.Logf("SCORE %s: %d chunks, %d manifests, %d events described; payloads: %d exact, %d with a tail, %d too short, %d not described",
			name, chunks, len(all), len(schemas), s.exact, s.longer, s.short, s.unknown)
		if s.unknown > 0 {
			t.Errorf("%s: %d events of these providers are not described", name, s.unknown)
		}
		delete(s.first, knownTail)
		for _, key := range slices.SortedFunc(maps.Keys(s.first), func(a, b eventKey) int { return int(a.id) - int(b.id) }) {
			t.Errorf("%s: %v %s event %d version %d: %s", name, key.provider, schemas[key].DisplayName(), key.id, key.version, s.first[key])
		}
	}
	if withManifests < 2 {
		t.Errorf("%d traces with manifests", withManifests)
	}
}

func addSchemas(schemas map[eventKey]*schema.Schema, m *manifest.Manifest) {
	for _, p := range m.Providers {
		for _, ev := range p.Events {
			key := eventKey{p.GUID, ev.ID, ev.Version}
			if schemas[key] == nil {
				schemas[key] = ev.Schema
			}
		}
	}
}
