package agent

import (
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
)

// TestContents says which views have rows, and what would record the others.
func TestContents(t *testing.T) {
	ref := func(s string) *string { return &s }
	c, lost := &Contents{About: "boot.etl\n"}, uint32(2)
	err := c.AddTrace(&facts.Info{
		File: "boot.etl", EnableFlagsText: []string{"EVENT_TRACE_FLAG_PROCESS", "EVENT_TRACE_FLAG_PROFILE"}, EventsLost: &lost,
		EventTypes: []facts.EventTypeTotal{
			{HeaderTable: "system_trace_header", EventID: 0x0303, Events: 1, PayloadTable: ref("events/Process/DCStart")},
			{HeaderTable: "perfinfo_trace_header", EventID: 0x0f2e, Events: 12, PayloadTable: ref("events/PerfInfo/SampleProf")},
			{HeaderTable: "event_header", ProviderID: ref("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"), EventID: 80, Events: 3},
		},
	}, []etl2parquet.Table{{Name: "events/PerfInfo/SampleProf", Rows: 12}, {Name: "event_header", Rows: 3}, {Name: "images", Rows: 1}, {Name: "stacks", Rows: -1}})
	if err != nil {
		t.Fatal(err)
	}
	text := c.text(views.BuiltIn())
	for _, want := range []string{
		"boot.etl\n\nViews with rows",
		"\nevents 3: Every event of every trace, once\n",
		"\ncpu_samples 12: One row per sample of a processor\n",
		"\nfolded_stacks: One row per distinct call stack",
		"\nactivities: One row per activity of any provider",
		"\nViews without rows, and why:\n",
		"\ncontext_switches, cpu_usage_precise, waits, wait_chains: needs Thread/CSwitch, recorded with EVENT_TRACE_FLAG_CSWITCH; the session did not enable it\n",
		"\nexceptions: needs ",
		"; the trace has 3 of them, but nothing decodes their payload\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for _, v := range views.BuiltIn().All() {
		if !strings.Contains(text, v.Name) {
			t.Errorf("%s is not mentioned", v.Name)
		}
	}
	bad := &facts.Info{EventTypes: []facts.EventTypeTotal{{ProviderID: ref("no GUID")}}}
	if err := new(Contents).AddTrace(bad, nil); err == nil {
		t.Error("a provider without a GUID is no error")
	}
}
