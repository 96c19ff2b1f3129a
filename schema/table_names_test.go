package schema

import (
	"slices"
	"strings"
	"testing"
)

// TestTableNames checks that a table is found by each of its names, in any case, and by
// patterns.
func TestTableNames(t *testing.T) {
	if MatchTable("*_header", "events/EventTrace/Header") || !MatchTable("eventtrace_h*", "events/EventTrace/Header") {
		t.Error("*_header matches the view name of an event, or eventtrace_h* does not")
	}
	const (
		cswitch = "events/Thread/CSwitch"
		clr     = "events/Microsoft-Windows-DotNETRuntime/GC_Start"
	)
	for pattern, want := range map[string][]string{
		"Thread/CSwitch":        {cswitch},
		"thread_cswitch":        {cswitch},
		"Events/THREAD/cswitch": {cswitch},
		"events/*":              {cswitch, clr},
		"events/Thread/*":       {cswitch},
		"thread/*":              {cswitch},
		"thread_*":              {cswitch},
		"*/CSwitch":             {cswitch},
		"*dotnetruntime*":       {clr},
		"microsoft_windows_dotnetruntime_gc_start": {clr},
		"events/*/*":   {cswitch, clr},
		"events":       nil,
		"CSwitch":      nil,
		"event_header": {"event_header"},
		"*_header":     {"event_header"},
		"*":            {"traces", "event_header", cswitch, clr},
	} {
		var got []string
		for _, table := range []string{"traces", "event_header", cswitch, clr} {
			if MatchTable(pattern, table) {
				got = append(got, table)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", pattern, got, want)
		}
	}
	for _, table := range Tables() {
		for _, name := range TableNames(table.Name) {
			if found := FindTables(name, Tables()); len(found) != 1 || found[0] != table {
				t.Errorf("%q: %d tables", name, len(found))
			}
		}
	}
}

func TestCheckPattern(t *testing.T) {
	for pattern, valid := range map[string]bool{"": true, "a/*": true, "[a-z]?": true, "[a": false, "a[": false, `a\`: false} {
		if err := CheckPattern(pattern); (err == nil) != valid {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

// TestNamed checks that a table is found by each of its names, and by no other table's.
func TestNamed(t *testing.T) {
	tables := []string{"events", "processes", "event_header", "events/Thread/CSwitch", "events/Thread/CSwitch2", "events/Ärger Log/ÜBER", "events/a/\xff"}
	for _, table := range tables {
		for _, other := range tables {
			for _, name := range TableNames(other) {
				for _, name := range []string{name, strings.ToUpper(name)} {
					if got := MatchTable(name, table); got != (table == other) {
						t.Errorf("%q is a name of %q: %t", name, table, got)
					}
				}
			}
		}
	}
}
