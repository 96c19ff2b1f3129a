package schema

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestTablesOfEvents checks that each event has one table with one name, for any order of
// the schemas in a trace.
func TestTablesOfEvents(t *testing.T) {
	p, q := MustGUID("11111111-1111-1111-1111-111111111111"), MustGUID("22222222-2222-2222-2222-222222222222")
	event := func(provider GUID, class, name string, id uint16, version uint8) Described {
		return Described{Schema: &Schema{Source: FromManifest, ID: id, Version: version, Event: Event{GUID: provider, Class: class, Name: name}}, Events: 1}
	}
	ambiguous := func(d Described) Described { d.Ambiguous = true; return d }
	of := func(source Source, d Described) Described { d.Source = source; return d }
	classic := func(d Described) Described { d.Classic = true; return d }
	for _, test := range []struct {
		name    string
		schemas []Described
		want    string // the names of the tables
	}{
		{"two names of an event, by version", []Described{event(p, "P", "GC_Start", 1, 1), event(p, "P", "GarbageCollection_Start", 1, 2)}, "P/GC_Start"},
		{"another name of its provider", []Described{event(p, "P", "A", 1, 1), event(p, "P 2", "A", 1, 0)}, "P_2/A"},
		{"two events with one name", []Described{event(p, "P", "Task", 17, 0), event(p, "P", "task", 18, 0), event(p, "P", "Task/Info", 17, 1)}, "P/Task_17 P/task_18"},
		{"one of two events with one name", []Described{ambiguous(event(p, "P", "Task/Info", 17, 0))}, "P/Task_Info_17"},
		{"names that suffixes produce", []Described{event(p, "P", "A", 1, 0), event(p, "P", "A", 2, 0), event(p, "P", "A_1", 3, 0), event(p, "P", "A_1_1", 4, 0)},
			"P/A_1_1 P/A_1_3 P/A_2 P/A_8b52ac46669fb682"},
		{"two providers with one name", []Described{event(p, "P", "A", 1, 0), event(q, "p", "a", 2, 0)}, "P/A_1 p/a_2"},
		{"two providers with one name and the same id", []Described{event(p, "P", "A", 1, 0), event(q, "P", "A", 1, 0)},
			"P/A_8b52ac46669fb682 P/A_eb59b96fe8ef76ae"},
		{"TraceLogging", []Described{of(FromTraceLogging, event(p, "P", "A", 0, 0)), of(FromTraceLogging, event(p, "P", "A", 0, 1)), of(FromTraceLogging, event(p, "P", "B", 0, 0))}, "P/A P/B"},
		{"TraceLogging, names that differ in case", []Described{of(FromTraceLogging, event(p, "P", "A", 0, 0)), of(FromTraceLogging, event(p, "P", "a", 0, 0))}, "P/A_fa3b64eb P/a_6022d876"},
		{"TraceLogging and a manifest", []Described{of(FromTraceLogging, event(p, "P", "A", 0, 0)), event(p, "P", "A", 0, 0)}, "P/A_0 P/A_fa3b64eb"},
		{"a class and a provider", []Described{classic(event(p, "P", "A", 1, 0)), event(p, "P", "A", 1, 0), classic(event(p, "P", "B", 2, 0)), classic(event(p, "P", "B", 2, 3))}, "P/A_8b52ac46669fb682 P/A_933957c70f174f23 P/B"},
		{"messages", []Described{of(FromTMF, event(p, "P", "A", 1, 0)), of(FromTMF, event(q, "p", "a", 2, 0)), of(FromTMF, event(q, "P", "B", 2, 0))}, "P/A P/B"},
		{"classes of the kernel", []Described{event(p, "Thread", "CSwitch", 1, 0), event(p, "Thread", "CSwitch", 2, 0)}, "Thread-provider/CSwitch_1 Thread-provider/CSwitch_2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			schemas, random := slices.Clone(test.schemas), rand.New(rand.NewPCG(1, 2))
			for range 8 {
				tables, _ := UserTables(schemas, 0, 99)
				var names []string
				for _, table := range tables {
					names = append(names, strings.TrimPrefix(table.Table.Name, EventsFolder))
				}
				slices.Sort(names)
				if got := strings.Join(names, " "); got != test.want {
					t.Fatalf("tables %s, want %s", got, test.want)
				}
				random.Shuffle(len(schemas), func(i, j int) { schemas[i], schemas[j] = schemas[j], schemas[i] })
			}
		})
	}
}

// TestDistinctNames checks that events get distinct names that do not depend on the order.
func TestDistinctNames(t *testing.T) {
	var events []NamedEvent
	for _, kind := range []IdentityKind{ProviderEvent, TraceLoggingEvent, ClassEvent, MessageEvent} {
		for id := range uint16(8) {
			for _, name := range []string{"a", "A", "a_1", "A_1_1", "b"} {
				events = append(events, NamedEvent{Identity: Identity{Kind: kind, GUID: GUID{byte(id % 3)}, ID: id, Name: name}, Name: name, Ambiguous: id == 5})
			}
		}
	}
	var want map[Identity]string
	for range 10 {
		got, seen := make(map[Identity]string), map[string]bool{"b_5": true}
		for i, name := range DistinctNames(events, map[string]bool{"b_5": true}) {
			if folded := strings.ToLower(name); seen[folded] {
				t.Errorf("%s twice", name)
			} else {
				seen[folded] = true
			}
			got[events[i].Identity] = name
		}
		if want == nil {
			want = got
		}
		if !maps.Equal(got, want) {
			t.Fatal("the names depend on the order")
		}
		rand.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
	}
}

// TestIdentityJSON checks the form of identities in records.
func TestIdentityJSON(t *testing.T) {
	for want, event := range map[string]Identity{
		`{"kind":"event","guid":"11111111-1111-1111-1111-111111111111","id":17}`:                  {Kind: ProviderEvent, GUID: MustGUID("11111111-1111-1111-1111-111111111111"), ID: 17},
		`{"kind":"tracelogging","guid":"11111111-1111-1111-1111-111111111111","id":0,"name":"A"}`: {Kind: TraceLoggingEvent, GUID: MustGUID("11111111-1111-1111-1111-111111111111"), Name: "A"},
		`{"kind":"message","id":0,"name":"p/a"}`:                                                  {Kind: MessageEvent, Name: "p/a"},
	} {
		text, err := json.Marshal(event)
		if err != nil || string(text) != want {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
		var read Identity
		if err := json.Unmarshal(text, &read); err != nil || read != event {
			t.Errorf("%s is read as %v, %v", text, read, err)
		}
	}
	if err := json.Unmarshal([]byte(`{"guid":"x"}`), new(Identity)); err == nil {
		t.Error("no error")
	}
}

// TestEventOfTable checks that derived tables keep the event, and that rows of two events
// do not share a file.
func TestEventOfTable(t *testing.T) {
	of := func(id uint16) *Table {
		return &Table{Name: "events/P/A", Columns: CommonColumns(), SortBy: byTime, Event: Identity{Kind: ProviderEvent, ID: id}}
	}
	one := of(1)
	for name, table := range map[string]*Table{"with the trace": one.WithTrace(), "projected": one.Project([]string{"timestamp"})} {
		if table.Event != one.Event {
			t.Errorf("%s: event %v", name, table.Event)
		}
	}
	if !one.SameColumns(of(1)) || one.SameColumns(of(2)) {
		t.Error("tables of one event must share a file, and tables of two events must not")
	}
}
