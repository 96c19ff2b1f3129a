package absence

import (
	"github.com/etl2parquet/etl2parquet/schema"
)

// fixedTable says what gives a table that holds no events its rows.
type fixedTable struct {
	kernel    []string // the SQL names of the tables of kernel events
	providers []eventsOf
	otherwise string
}

// eventsOf are events of a provider.
type eventsOf struct {
	guid schema.GUID
	ids  []int
}

// The providers whose events are facts about processes and code; see internal/engine/attribution.
var (
	kernelProcess = schema.MustGUID("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716") // Microsoft-Windows-Kernel-Process
	clr           = schema.MustGUID("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4") // Microsoft-Windows-DotNETRuntime
)

// stackTracing is what records stacks.
const stackTracing = "a session that asks for the stacks of events"

const noTrace = "there is no trace"

// fixedTables says what each table without events needs.
var fixedTables = map[string]fixedTable{
	"traces":      {otherwise: noTrace},
	"buffers":     {otherwise: "the trace has no buffers"},
	"providers":   {otherwise: "the trace has no events"},
	"event_types": {otherwise: "the trace has no events"},
	"problems":    {otherwise: "nothing is wrong with the trace"},
	"processes": {
		kernel:    []string{"process_start", "process_dcstart", "process_dcend", "process_end"},
		providers: []eventsOf{{kernelProcess, []int{1, 2, 15}}},
	},
	"threads": {
		kernel:    []string{"thread_start", "thread_dcstart", "thread_dcend", "thread_end"},
		providers: []eventsOf{{kernelProcess, []int{3, 4}}},
	},
	"images": {
		kernel:    []string{"image_load", "image_dcstart", "image_dcend", "image_unload"},
		providers: []eventsOf{{kernelProcess, []int{5, 6}}},
	},
	"files":            {kernel: []string{"fileio_name", "fileio_filecreate", "fileio_filedelete", "fileio_filerundown"}},
	"methods":          {providers: []eventsOf{{clr, []int{143, 144}}}},
	"stack_events":     {kernel: []string{"stackwalk_stack"}},
	"stacks":           {kernel: []string{"stackwalk_stack"}},
	"compact_switches": {kernel: []string{"thread_compcs"}},

	"system_trace_header":   {otherwise: "the trace has no events with this header, as the kernel logs them"},
	"perfinfo_trace_header": {otherwise: "the trace has no events with this header, as the kernel logs them"},
	"event_trace_header":    {otherwise: "the trace has no events with this header, of classic providers"},
	"event_instance_header": {otherwise: "the trace has no events with this header, of classic providers"},
	"event_header":          {otherwise: "the trace has no events with this header, of manifests and TraceLogging"},
	"message_trace_header":  {otherwise: "the trace has no WPP messages"},
	"other_header":          {otherwise: "the trace has no events with rare headers"},
}
