package absence

import (
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/session"
	"github.com/etl2parquet/etl2parquet/schema"
)

// kernelKind is a kind of event of the kernel.
func kernelKind(table string, events int64) Kind {
	e := kernelEvents()[table][0]
	return Kind{Provider: e.GUID, ID: e.Hook, IsHook: true, Table: table, Events: events}
}

// TestExplain checks the reasons why tables have no rows.
func TestExplain(t *testing.T) {
	const cswitch = "thread_cswitch needs Thread/CSwitch, recorded with EVENT_TRACE_FLAG_CSWITCH; "
	const gc = "microsoft_windows_dotnetruntime_gc_start needs GC/Start (event 1 of Microsoft-Windows-DotNETRuntime), recorded at level 4 with keyword GC (0x1); "
	processes := []Kind{kernelKind("process_start", 5)}
	ofCLR := func(id int, table string) []Kind {
		return []Kind{{Provider: clr, ID: id, Table: table, Events: 7}}
	}
	table := func(name string, rows int64, tables ...string) Read {
		if tables == nil {
			tables = []string{name}
		}
		return Read{Name: name, Tables: tables, Rows: rows}
	}
	flags := func(names ...string) []string { return append([]string{}, names...) }
	for _, test := range []struct {
		name   string
		reads  []Read
		traces []Trace
		want   string
	}{
		{"no tables", nil, []Trace{{}}, ""},
		{"rows", []Read{table("thread_cswitch", 1200)}, nil, "thread_cswitch has 1,200 rows; none satisfies the query"},
		{"rows of a view", []Read{table("cpu_samples", 1, "perfinfo_sampleprof"), table("events", 9, "event_header", "other_header")}, nil,
			"cpu_samples reads 1 row of perfinfo_sampleprof, events reads 9 rows of 2 tables; none satisfies the query"},
		{"no traces", []Read{table("thread_cswitch", 0)}, nil, cswitch + "there is no trace"},
		{"a flag that is not enabled", []Read{table("thread_cswitch", 0)}, []Trace{{Flags: flags("EVENT_TRACE_FLAG_PROCESS"), Kinds: processes, EventsLost: 3}},
			cswitch + "the session did not enable it"},
		{"a flag that is enabled", []Read{table("thread_cswitch", 0)}, []Trace{{Flags: flags("EVENT_TRACE_FLAG_CSWITCH")}},
			cswitch + "the session enabled it, and recorded none"},
		{"a group that is enabled", []Read{table("thread_cswitch", 0)}, []Trace{{Flags: flags("PERF_CONTEXT_SWITCH"), EventsLost: 3, BuffersLost: 1}},
			cswitch + "the session enabled it, and recorded none, and lost 3 events and 1 buffer"},
		{"unknown flags", []Read{table("thread_cswitch", 0)}, []Trace{{Kinds: processes}},
			cswitch + "the trace does not say whether its session enabled it"},
		{"flags that do not record the events of the trace", []Read{table("thread_cswitch", 0)}, []Trace{{Flags: flags(), Kinds: processes}},
			cswitch + "the trace does not say whether its session enabled it"},
		{"no kernel events", []Read{table("thread_cswitch", 0)}, []Trace{{Kinds: ofCLR(1, "x")}},
			cswitch + "the trace has no events of the kernel"},
		{"events that are not selected", []Read{table("thread_cswitch", 0)}, []Trace{{Kinds: []Kind{kernelKind("thread_cswitch", 120)}}},
			cswitch + "the trace has 120 of them, but they are not selected"},
		{"events that have another name in the trace", []Read{table("microsoft_windows_dotnetruntime_gc_start", 0)}, []Trace{{Kinds: ofCLR(1, "microsoft_windows_dotnetruntime_1")}, {}},
			gc + "such events have another name here: microsoft_windows_dotnetruntime_1"},
		{"payloads that are not decoded", []Read{table("microsoft_windows_dotnetruntime_gc_start", 0)}, []Trace{{Kinds: ofCLR(1, "")}},
			gc + "the trace has 7 of them, but nothing decodes their payload"},
		{"an event without a name", []Read{table("microsoft_windows_powershell_4104", 0)}, []Trace{{}},
			"microsoft_windows_powershell_4104 needs event 4104 of Microsoft-Windows-PowerShell, recorded at level 5 with keyword Runspace (0x1); the trace has no events of this provider"},
		{"other events of a provider", []Read{table("microsoft_windows_dotnetruntime_gc_start", 0)}, []Trace{{Kinds: ofCLR(2, "x")}},
			gc + "the trace has only other events of this provider"},
		{"no events of a provider", []Read{table("microsoft_windows_dotnetruntime_gc_start", 0)}, []Trace{{EventsLost: 1}},
			gc + "the trace has no events of this provider"},
		{"several flags", []Read{table("disk_io", 0, "diskio_read", "diskio_opticalread")}, []Trace{{Flags: flags("EVENT_TRACE_FLAG_PROCESS")}},
			"disk_io needs DiskIo/Read, recorded with EVENT_TRACE_FLAG_DISK_IO, or DiskIo/OpticalRead, recorded with PERF_OPTICAL_IO; the session did not enable any of these"},
		{"a fixed table", []Read{table("processes", 0)}, []Trace{{}},
			"processes needs Process/Start or one of 3 others, recorded with EVENT_TRACE_FLAG_PROCESS, or events of Microsoft-Windows-Kernel-Process; the trace has none"},
		{"methods", []Read{table("methods", 0)}, []Trace{{}},
			"methods needs Method/LoadVerbose or Method/UnloadVerbose (events 143 and 144 of Microsoft-Windows-DotNETRuntime), recorded at level 4 with keyword Jit or NGen (0x30); the trace has no events of this provider"},
		{"stacks", []Read{table("folded_stacks", 0, "stacks")}, []Trace{{EventsLost: 2}},
			"folded_stacks needs StackWalk/Stack, recorded by a session that asks for the stacks of events; the trace has none, and lost 2 events"},
		{"no problems", []Read{table("problems", 0)}, []Trace{{}}, "problems has no rows: nothing is wrong with the trace"},
		{"no events", []Read{table("events", 0, "event_header", "other_header")}, []Trace{{}}, "events has no rows: no trace has events"},
		{"a header that no event has", []Read{table("message_trace_header", 0)}, []Trace{{Kinds: []Kind{{Header: "event_header", Events: 3}}}},
			"message_trace_header has no rows: the trace has no WPP messages"},
		{"events of a header that are not selected", []Read{table("events", 0, "event_header", "other_header")},
			[]Trace{{Kinds: []Kind{{Header: "event_header", Events: 3}}}, {}}, "events has no rows: 2 traces have 3 events, but they are not selected"},
		{"empty and filled", []Read{table("processes", 5), table("thread_cswitch", 0)}, []Trace{{}},
			cswitch + "the trace has no events of the kernel; processes has 5 rows"},
		{"several traces", []Read{table("thread_cswitch", 0)},
			[]Trace{{}, {}, {Flags: flags("EVENT_TRACE_FLAG_PROCESS")}, {Kinds: processes, EventsLost: 4}, {Flags: flags("EVENT_TRACE_FLAG_CSWITCH"), EventsLost: 5}},
			cswitch + "of 5 traces, 2 had no events of the kernel, 1 did not enable it, 1 did not say whether their session enabled it, 1 enabled it and recorded none; 2 lost 9 events"},
		{"many empty tables", []Read{table("problems", 0), table("traces", 0), table("providers", 0), table("images", 0), table("threads", 0)}, []Trace{{}},
			"problems has no rows: nothing is wrong with the trace; traces has no rows: there is no trace; providers has no rows: the trace has no events; 2 more tables without rows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Explain(test.reads, test.traces); got != test.want {
				t.Errorf("got\n%s, want\n%s", got, test.want)
			}
		})
	}
}

// TestFixedTables checks that every table without events of its own says what it needs, and that its
// events exist.
func TestFixedTables(t *testing.T) {
	for _, table := range append(slices.Clone(schema.FixedTables()), schema.HeaderTables()...) {
		fixed, ok := fixedTables[table.Name]
		need := NeedOf(table.Name)
		if !ok || need.Otherwise == "" && len(need.Events) == 0 {
			t.Errorf("%s: nothing is known", table.Name)
			continue
		}
		for _, name := range fixed.kernel {
			if kernelEvents()[name] == nil {
				t.Errorf("%s: no table %s", table.Name, name)
			}
		}
		for _, of := range fixed.providers {
			if events := providerEvents(of.guid, of.ids...); len(events) != len(of.ids) {
				t.Errorf("%s: %d events, want %d", table.Name, len(events), len(of.ids))
			}
		}
	}
	if need := NeedOf("no_such_table"); need != nil {
		t.Errorf("%+v", need)
	}
}

// notInMasks are flags that are no bits of a group mask by these names: Microsoft's page "System
// Providers" lists them, and no public header has their bits.
var notInMasks = map[string]bool{"PERF_PFSECTION": true, "PERF_VAMAP": true}

// TestFlags checks that the flags of the kernel's catalogue are names of bits, so that a trace can say
// whether its session enabled them.
func TestFlags(t *testing.T) {
	known := make(map[string]bool)
	for word := range 8 {
		masks := make([]uint32, 8)
		masks[word] = 0xffffffff
		for _, name := range session.GroupMaskNames(masks) {
			known[name] = true
		}
	}
	check := func(flag string) {
		if !known[flag] && !notInMasks[flag] {
			t.Errorf("%s is no bit of a group mask", flag)
		}
	}
	for table, events := range kernelEvents() {
		for _, e := range events {
			if e.Recorder != "" && e.Recorder != stackTracing && !isFlag(e.Recorder) {
				t.Errorf("%s: %s is no flag", table, e.Recorder)
			}
			if isFlag(e.Recorder) {
				check(e.Recorder)
			}
		}
	}
	for flag, others := range alsoRecord {
		for _, name := range append(others, flag) {
			check(name)
		}
	}
	if strings.Contains(stackTracing, "EVENT_TRACE_FLAG") {
		t.Error("stacks are not recorded with a flag")
	}
}
