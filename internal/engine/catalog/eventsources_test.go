package catalog

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestEventSources checks the tables of .NET's EventSources by the names that questions have for them.
func TestEventSources(t *testing.T) {
	const tpl = "events/System.Threading.Tasks.TplEventSource/"
	for _, test := range []struct {
		name       string
		everywhere bool
		want       []string
	}{
		{"system_threading_tasks_tpleventsource_taskstarted", false, []string{tpl + "TaskStarted"}},
		{"system_threading_tasks_tpleventsource_taskexecute_start", false, []string{tpl + "TaskExecute_Start"}},
		{"system_threading_tasks_tpleventsource_8", false, []string{tpl + "TaskStarted"}},
		{"System.Threading.Tasks.TplEventSource/TaskWait/Stop", false, []string{tpl + "TaskWait_Stop"}},
		{"TaskScheduled/Send", true, []string{tpl + "TaskScheduled_Send"}},
		{"TaskScheduled/Send", false, nil},
		{"system_diagnostics_eventing_frameworkeventsource_31", false, []string{"events/System.Diagnostics.Eventing.FrameworkEventSource/ThreadPoolDequeueWork"}},
		{"system_threading_tasks_tpleventsource_99", false, nil},
	} {
		var got []string
		for _, table := range KnownTables(test.name, test.everywhere) {
			got = append(got, table.Name)
			if table.Column("task_id") < 0 && table.Column("work_id") < 0 {
				t.Errorf("%s has no fields", table.Name)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}

// TestEventsOfProviders checks the events of providers of both kinds, and of none.
func TestEventsOfProviders(t *testing.T) {
	for _, test := range []struct {
		guid, name string
		id         uint16
		level      uint8
		keyword    uint64
	}{
		{"2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5", "System.Threading.Tasks.TplEventSource", 9, 4, 0x40},
		{"8e9f5090-2d75-4d03-8a81-e5afbf85daf1", "System.Diagnostics.Eventing.FrameworkEventSource", 30, 5, 0x12},
		{"e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "Microsoft-Windows-DotNETRuntime", 1, 4, 0x1},
		{"00000000-0000-0000-0000-0000000000a1", "", 1, 0, 0},
	} {
		guid, err := schema.ParseGUID(test.guid)
		if err != nil {
			t.Fatal(err)
		}
		name, events := KnownEvents(guid)
		i := slices.IndexFunc(events, func(s *schema.Schema) bool { return s.ID == test.id && !s.Classic })
		if name != test.name || (i >= 0) != (name != "") {
			t.Errorf("%s: %q, %d events", test.guid, name, len(events))
		} else if i >= 0 && (events[i].Level != test.level || events[i].Keyword&^(0xffff<<48) != test.keyword) {
			t.Errorf("%s/%d: level %d, keyword %#x", name, test.id, events[i].Level, events[i].Keyword)
		}
	}
}
