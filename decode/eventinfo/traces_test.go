package eventinfo

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// eventMetadata is the class of the records.
var eventMetadata = schema.GUID{0xc1, 0xf6, 0xcc, 0xbb, 0xd1, 0x6c, 0xc4, 0x48, 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3, 0x76, 0x71}

// The types of the records.
const (
	typeEventInfo = 32
	typeMapInfo   = 33
)

// record returns the type of a record, or false if the event is not a record.
func record(ev *decode.Event) (class uint8, ok bool) {
	if ev.Family != decode.FamilyEventTrace {
		return 0, false
	}
	h := ev.EventTrace()
	id, _ := h.GUID()
	class, _, _ = h.Class()
	return class, id == eventMetadata && (class == typeEventInfo || class == typeMapInfo)
}

type eventKey struct {
	guid    schema.GUID
	id      uint16
	version uint8
	classic bool
}

func keyOf(ev *decode.Event) (eventKey, bool) {
	switch ev.Family {
	case decode.FamilyEvent:
		h := ev.Header()
		d := h.Descriptor()
		return eventKey{h.ProviderID(), d.ID, d.Version, false}, true
	case decode.FamilyEventTrace:
		h := ev.EventTrace()
		id, _ := h.GUID()
		class, _, version := h.Class()
		return eventKey{id, uint16(class), uint8(version), true}, true
	}
	return eventKey{}, false
}

type mapKey struct {
	provider schema.GUID
	name     string
}

// metadata are the records of a trace.
type metadata struct {
	records map[eventKey]*Record
	maps    map[mapKey]*schema.Values
	total   int
}

func (m *metadata) add(t *testing.T, ev *decode.Event) {
	class, ok := record(ev)
	if !ok {
		return
	}
	m.total++
	if class == typeMapInfo {
		provider, values, err := ParseMap(ev.Payload())
		if err != nil || values == nil {
			t.Errorf("map %x: %v", ev.Payload(), err)
			return
		}
		checkValues(t, values)
		m.maps[mapKey{provider, values.Name}] = values
		return
	}
	r, err := Parse(ev.Payload())
	if err != nil {
		t.Errorf("%x: %v", ev.Payload(), err)
	}
	checkRecord(t, r)
	m.records[eventKey{r.GUID, r.ID, r.Version, r.Classic}] = r
}

// link sets the maps of the records' fields.
func (m *metadata) link(t *testing.T) (linked int) {
	for _, r := range m.records {
		Link(r.Fields, func(name string) *schema.Values {
			values := m.maps[mapKey{r.GUID, name}]
			if values == nil {
				t.Errorf("%s: no map %s", r.Class, name)
			}
			linked++
			return values
		})
	}
	return linked
}

// knownTails lists events whose payloads continue after the fields of their record:
// ClrStackWalk declares an array of two addresses and writes any number of them.
var knownTails = map[string]bool{"Microsoft-Windows-DotNETRuntime 82": true}

// TestRealTraces checks that all records parse, and that payloads are used up to
// the last byte.
func TestRealTraces(t *testing.T) {
	m := metadata{make(map[eventKey]*Record), make(map[mapKey]*schema.Values), 0}
	type score struct{ payloads, exact, tails int }
	var records, exact int
	traces := make(map[string]*metadata)
	decodetest.EachEvent(t, func(ev *decode.Event) { m.add(t, ev) }, func(trace string) {
		found := m
		traces[trace] = &found
		m = metadata{make(map[eventKey]*Record), make(map[mapKey]*schema.Values), 0}
	})
	var spans []decode.Span
	for _, trace := range slices.Sorted(maps.Keys(traces)) {
		m := traces[trace]
		if m.total == 0 {
			continue
		}
		linked := m.link(t)
		var s score
		decodetest.Walk(t, decodetest.OpenFile(t, testenv.Shared(t, "traces/"+trace)), func(_ *decode.Buffer, ev *decode.Event) {
			key, ok := keyOf(ev)
			r := m.records[key]
			if !ok || r == nil {
				return
			}
			s.payloads++
			var fit decode.Fit
			spans, fit = decode.NewLayout(&r.Event, 0, ev.PointerSize()).Locate(ev.Payload(), spans)
			switch name := fmt.Sprintf("%s %d", r.Class, r.ID); {
			case fit.Err == nil && fit.Used == len(ev.Payload()) && !decodetest.OpenText(r.Fields, ev.Payload(), spans):
				s.exact++
			case fit.Err == nil && knownTails[name]:
				s.tails++
			default:
				t.Errorf("%s version %d: %d of %d bytes used, %v\n%s", name, r.Version, fit.Used, len(ev.Payload()), fit.Err, recordText(r))
			}
		})
		t.Logf("SCORE %s: %d records of %d events, %d maps, %d fields with names; %d payloads, %d used exactly, %d with a tail, %d failing",
			trace, m.total, len(m.records), len(m.maps), linked, s.payloads, s.exact, s.tails, s.payloads-s.exact-s.tails)
		records, exact = records+m.total, exact+s.exact
	}
	t.Logf("SCORE all: %d records, %d payloads used exactly", records, exact)
	if records == 0 || exact == 0 {
		t.Errorf("%d records, %d payloads used exactly", records, exact)
	}
}
