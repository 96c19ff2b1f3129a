package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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
