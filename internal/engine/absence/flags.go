package absence

import (
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// alsoRecord has, by flag, other names and flags of the kernel logger that record the same events:
// the groups of a group mask beside EnableFlags. Source: Microsoft's page "System Providers"
// (learn.microsoft.com/windows/win32/etw/system-providers), column "Corresponding Legacy Flags and
// Groups", and its notes about SYSTEM_IO_KW_FILENAME.
var alsoRecord = map[string][]string{
	"EVENT_TRACE_FLAG_PROFILE":       {"PERF_PROFILE"},
	"PERF_PROFILE":                   {"EVENT_TRACE_FLAG_PROFILE"},
	"EVENT_TRACE_FLAG_CSWITCH":       {"PERF_CONTEXT_SWITCH"},
	"EVENT_TRACE_FLAG_DISPATCHER":    {"PERF_DISPATCHER"},
	"EVENT_TRACE_FLAG_DPC":           {"PERF_DPC"},
	"EVENT_TRACE_FLAG_INTERRUPT":     {"PERF_INTERRUPT"},
	"PERF_INTERRUPT":                 {"EVENT_TRACE_FLAG_INTERRUPT"},
	"EVENT_TRACE_FLAG_SYSTEMCALL":    {"PERF_SYSCALL"},
	"EVENT_TRACE_FLAG_VIRTUAL_ALLOC": {"PERF_VIRTUAL_ALLOC"},
	"PERF_VIRTUAL_ALLOC":             {"EVENT_TRACE_FLAG_VIRTUAL_ALLOC"},
	"PERF_VAMAP":                     {"EVENT_TRACE_FLAG_VAMAP"},
	"EVENT_TRACE_FLAG_DRIVER":        {"PERF_DRIVERS"},
	"EVENT_TRACE_FLAG_DISK_FILE_IO":  {"PERF_DRIVERS", "EVENT_TRACE_FLAG_DRIVER", "PERF_MEMORY"},
}

// state says whether the session of a trace enabled a flag.
type state int

const (
	unsaid   state = iota // the trace does not say it
	disabled              // the session did not enable it
	enabled
)

// stateOf returns whether the session enabled a flag.
func (t *Trace) stateOf(flag string) state {
	has := func(name string) bool { return slices.Contains(t.Flags, name) }
	switch {
	case has(flag) || slices.ContainsFunc(alsoRecord[flag], has):
		return enabled
	case t.Flags == nil || t.isIncomplete():
		return unsaid
	}
	return disabled
}

// isIncomplete reports whether the trace has kernel events that its flags do not record: the session
// enabled them in another way, such as by a system provider, or the program that merged or relogged
// the trace wrote the flags of another session.
func (t *Trace) isIncomplete() bool { return slices.ContainsFunc(t.Kinds, t.isUnexplained) }

// isUnexplained reports whether no enabled flag records a kind of event. Every session of the kernel
// logger records SystemConfig and EventTrace.
func (t *Trace) isUnexplained(k Kind) bool {
	events := kernelEvents()[k.Table]
	if k.Events == 0 || len(events) == 0 {
		return false
	}
	return !slices.ContainsFunc(events, func(e Event) bool {
		has := func(name string) bool { return slices.Contains(t.Flags, name) }
		return !isFlag(e.Recorder) || e.GUID == systemConfig || has(e.Recorder) || slices.ContainsFunc(alsoRecord[e.Recorder], has)
	})
}

var systemConfig = schema.MustGUID("01853a65-418f-4f36-aefc-dc0f1d2fd235")
