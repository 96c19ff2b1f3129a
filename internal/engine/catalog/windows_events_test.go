package catalog_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog/windows"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestWindowsEvents checks that all events can be read, that an event has one name, unique in its
// provider, and that no event has a message. With -v it prints the counts that docs/catalog.md has.
func TestWindowsEvents(t *testing.T) {
	c := windows.Catalog()
	providers, forms, named, components := 0, 0, 0, 0
	builds := make(map[int]bool)
	events := make(map[[2]any]bool)
	for _, e := range c.Entries() {
		p, err := c.Provider(e.GUID)
		if err != nil {
			t.Fatal(err)
		}
		if p == nil {
			if named++; e.IsComponent {
				components++
			}
			continue
		}
		providers++
		ids, names := make(map[string]uint16), make(map[uint16]string)
		for _, ev := range p.Events {
			forms++
			for _, b := range ev.Builds {
				builds[b] = true
			}
			events[[2]any{e.GUID, int(ev.ID)<<8 | int(ev.Version)}] = true
			if ev.Source != schema.FromCatalog || ev.Message != nil || ev.Name == "" {
				t.Errorf("%s %d: %v, %q, message %v", p.Name, ev.ID, ev.Source, ev.Name, ev.Message)
			}
			folder := strings.ToLower(schema.FolderName(ev.Name))
			if id, taken := ids[folder]; taken && id != ev.ID {
				t.Errorf("%s: events %d and %d are both %s", p.Name, id, ev.ID, ev.Name)
			}
			if name := names[ev.ID]; name != "" && name != ev.Name {
				t.Errorf("%s: event %d is %s and %s", p.Name, ev.ID, name, ev.Name)
			}
			ids[folder], names[ev.ID] = ev.ID, ev.Name
			decode.NewLayout(&ev.Event, ev.Version, 8)
		}
	}
	t.Logf("%d providers, %d events, %d forms, builds %d; %d more names, %d of components", providers, len(events), forms, slices.Sorted(maps.Keys(builds)), named, components)
	if providers < 1_041 || len(events) < 67_092 || forms < 72_408 || len(builds) < 22 || named < 1_578 {
		t.Errorf("%d providers, %d events, %d forms, %d builds; %d more names", providers, len(events), forms, len(builds), named)
	}
}

// TestWindowsNames checks that well-known providers and events have their usual names.
func TestWindowsNames(t *testing.T) {
	c := windows.Catalog()
	for _, test := range []struct {
		provider, name string
		id             uint16
		event          string
	}{
		{"22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716", "Microsoft-Windows-Kernel-Process", 1, "ProcessStart/Start"},
		{"e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "Microsoft-Windows-DotNETRuntime", 1, "GC/Start"},
		{"7dd42a49-5329-4832-8dfd-43d979153a88", "Microsoft-Windows-Kernel-Network", 10, "10"},
		{"a0c1853b-5c40-4b15-8766-3cf1c58f985a", "Microsoft-Windows-PowerShell", 4104, "4104"},
		{"a0c1853b-5c40-4b15-8766-3cf1c58f985a", "Microsoft-Windows-PowerShell", 7937, "7937"},
		{"a0c1853b-5c40-4b15-8766-3cf1c58f985a", "Microsoft-Windows-PowerShell", 40961, "PowerShellConsoleStartup/Start"},
		{"dd5ef90a-6398-47a4-ad34-4dcecdef795f", "Microsoft-Windows-HttpService", 1, "RecvReq"},
		{"de7b24ea-73c8-4a09-985d-5bdadcfa9017", "Microsoft-Windows-TaskScheduler", 106, "Taskregistered"},
		{"2306fe29-dbf6-11d2-9244-006008269001", "Local Security Authority (LSA)", 0, ""},
	} {
		id, err := schema.ParseGUID(test.provider)
		if err != nil {
			t.Fatal(err)
		}
		e, ok := c.Entry(id)
		if !ok || e.Name != test.name {
			t.Errorf("%s: %+v, want %s", test.provider, e, test.name)
			continue
		}
		if test.event == "" {
			continue
		}
		p, err := c.Provider(id)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, ev := range p.Events {
			if ev.ID == test.id {
				names = append(names, ev.Name)
			}
		}
		if names = slices.Compact(names); !slices.Equal(names, []string{test.event}) {
			t.Errorf("%s %d: %q, want %s", test.name, test.id, names, test.event)
		}
	}
}
