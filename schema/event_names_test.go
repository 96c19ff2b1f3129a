package schema

import (
	"slices"
	"testing"
)

// gcStart is an event of a provider, with all that can be known of it.
var gcStart = EventNames{
	Provider: "Microsoft-Windows-DotNETRuntime", GUID: GUID{0x0d, 0xc2, 0x13, 0xe1, 0xbc, 0xcc, 0x12, 0x4e, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4},
	Name: "GC/Start", Table: "events/Microsoft-Windows-DotNETRuntime/GC_Start", ID: 1, Hook: NoID,
}

// TestCalled checks by which names an event can be called.
func TestCalled(t *testing.T) {
	cswitch := kernelTable("events/thread/cswitch").Table.EventNames()
	script := EventNames{Provider: "Microsoft-Windows-PowerShell", Name: "4104", Table: "events/Microsoft-Windows-PowerShell/4104", ID: 4104, Hook: NoID}
	odd := EventNames{Provider: "A b/C", Name: "On / off", Table: "events/A_b_C/On___off", ID: NoID, Hook: NoID}
	undescribed := EventNames{GUID: gcStart.GUID, Name: "77", ID: 77, Hook: NoID}
	ofTable := NamesOfTable(gcStart.Table, Identity{Kind: ProviderEvent, GUID: gcStart.GUID, ID: 1})
	for _, test := range []struct {
		event    EventNames
		yes, not []string
	}{
		{gcStart, []string{
			"GC/Start", "gc/start", "GC_Start", "gc_start", "1", "Microsoft-Windows-DotNETRuntime/GC/Start", "microsoft-windows-dotnetruntime/gc_start",
			"Microsoft-Windows-DotNETRuntime/1", "events/Microsoft-Windows-DotNETRuntime/GC_Start", "EVENTS/microsoft-windows-dotnetruntime/gc_start",
			"microsoft_windows_dotnetruntime_gc_start", "MICROSOFT_WINDOWS_DOTNETRUNTIME_GC_START", "microsoft_windows_dotnetruntime_1",
			gcStart.GUID.String() + "/gc/start",
		}, []string{
			"", "GC", "Start", "2", "01x", "-1", "0x", "Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntime/", "Microsoft-Windows-DotNETRuntime/2", "Other/GC/Start", "Other/1",
			"microsoft_windows_dotnetruntime_2", "other_1", "events/Microsoft-Windows-DotNETRuntime/GC/Start", "events/1", "/1", "_1", "microsoft_windows_dotnetruntime_gc",
		}},
		{ofTable, []string{
			"GC/Start", "GC_Start", "gc_start", "1", "Microsoft-Windows-DotNETRuntime/GC/Start", "Microsoft-Windows-DotNETRuntime/1", gcStart.GUID.String() + "/1", "{" + gcStart.GUID.String() + "}/gc/start",
			"microsoft_windows_dotnetruntime_gc_start", "microsoft_windows_dotnetruntime_1",
		}, []string{"2", "Microsoft-Windows-DotNETRuntime/Start"}},
		{cswitch, []string{"CSwitch", "cswitch", "Thread/CSwitch", "thread_cswitch", "Thread/36", "thread_36", "0x0524", "0x524", "1316", "Thread/0x524", "events/thread/cswitch", cswitch.GUID.String() + "/36"},
			[]string{"36", "thread/37", "process_36"}},
		{script, []string{"4104", "Microsoft-Windows-PowerShell/4104", "microsoft_windows_powershell_4104"}, []string{"4103", "0x4104"}},
		{odd, []string{"On / off", "A b/C/On / off", "A_b_C/On___off", "a_b_c_on___off"}, []string{"-1", "C/On / off", "a_b_c_-1"}},
		{undescribed, []string{"77", gcStart.GUID.String() + "/77"}, []string{"78", "x_77"}},
	} {
		for _, name := range test.yes {
			if !test.event.Called(name) {
				t.Errorf("%s is not called %q", test.event.Name, name)
			}
			if !test.event.Matches(name) {
				t.Errorf("%s does not match %q", test.event.Name, name)
			}
		}
		for _, name := range test.not {
			if test.event.Called(name) {
				t.Errorf("%s is called %q", test.event.Name, name)
			}
		}
	}
}

// TestMatchesPatterns checks which patterns match an event.
func TestMatchesPatterns(t *testing.T) {
	for pattern, want := range map[string]bool{
		"GC/*": true, "gc/st*": true, "*start": true, "*DotNET*/GC/*": true, "Microsoft-Windows-DotNETRuntime/*": true, "*/1": true, "*/2": false,
		"events/*/GC_*": true, "microsoft_windows_dotnetruntime_*": true, "Microsoft-*/GC/S*": true, "{*}/1": false, "GD/*": false, "?": false, "[0-9]": false,
	} {
		if got := gcStart.Matches(pattern); got != want {
			t.Errorf("%s: %v", pattern, got)
		}
		if n := NamesOfTable(gcStart.Table, Identity{Kind: ProviderEvent, GUID: gcStart.GUID, ID: 1}); n.Matches(pattern) != want {
			t.Errorf("%s, by the table: %v", pattern, !want)
		}
	}
}

// TestSQLNames checks the names of events in SQL.
func TestSQLNames(t *testing.T) {
	for _, test := range []struct {
		event       EventNames
		name, alias string
	}{
		{gcStart, "microsoft_windows_dotnetruntime_gc_start", "microsoft_windows_dotnetruntime_1"},
		{kernelTable("events/thread/cswitch").Table.EventNames(), "thread_cswitch", "thread_36"},
		{NamesOfTable("events/Microsoft-Windows-PowerShell/4104", Identity{Kind: ProviderEvent, ID: 4104}), "microsoft_windows_powershell_4104", "microsoft_windows_powershell_4104"},
		{NamesOfTable("events/P/E", Identity{Kind: TraceLoggingEvent}), "p_e", ""},
		{EventNames{Name: "77", ID: 77}, "", ""},
	} {
		if name, alias := test.event.SQLName(), test.event.Alias(); name != test.name || alias != test.alias {
			t.Errorf("%+v: %q and %q", test.event, name, alias)
		}
	}
}

// TestFindTables checks that a name of a table means only this table, and other names those of events.
func TestFindTables(t *testing.T) {
	tables := append(Tables(), &Table{Name: gcStart.Table, Event: Identity{Kind: ProviderEvent, GUID: gcStart.GUID, ID: 1}},
		&Table{Name: "events/P/Processes", Event: Identity{Kind: TraceLoggingEvent}})
	for name, want := range map[string][]string{
		"processes": {"processes"}, "P/Processes": {"events/P/Processes"}, "GC/Start": {gcStart.Table}, "Thread/Start": {"events/Thread/Start"},
		"Thread/36": {"events/Thread/CSwitch"}, "no_such": nil, "": nil,
	} {
		var names []string
		for _, table := range FindTables(name, tables) {
			names = append(names, table.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q: %q, want %q", name, names, want)
		}
	}
}
