package interop_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/schema"
)

const (
	runtime        = "Microsoft-Windows-DotNETRuntime"
	runtimePrivate = "Microsoft-Windows-DotNETRuntimePrivate"
	runtimeRundown = "Microsoft-Windows-DotNETRuntimeRundown"
)

// otherNames maps PerfView's names of events to ours, where they differ.
var otherNames = map[string]string{
	runtime + "/GC/LOHCompact":                                                      "GC/GCLOHCompact",
	runtime + "/GC/FitBucketInfo":                                                   "GC/GCFitBucketInfo",
	runtime + "/GC/BulkSurvivingObjectRanges":                                       "GC/GCBulkSurvivingObjectRanges",
	runtime + "/GC/GenerationRange":                                                 "GC/GCGenerationRange",
	runtime + "/GC/MarkWithType":                                                    "GC/Mark",
	runtime + "/GarbageCollection/IncreaseMemoryPressure":                           "GC/IncreaseMemoryPressure",
	"Microsoft-Windows-Kernel-EventTracing/ETW_TASK_PROVIDER/ETW_OPCODE_ENABLE":     "Provider/Enable_14",
	"Microsoft-Windows-Kernel-EventTracing/ETW_TASK_PROVIDER/ETW_OPCODE_REGISTER":   "Provider/Register",
	"Microsoft-Windows-Kernel-EventTracing/ETW_TASK_PROVIDER/ETW_OPCODE_UNREGISTER": "Provider/Unregister",
}

func userPlace(_, provider, event string) place {
	if own := otherNames[provider+"/"+event]; own != "" {
		event = own
	}
	return place{Table: provider + "/" + schema.FolderName(event)}
}

// TestUserOracle compares the tables of events that TraceLogging, EventSource manifests,
// EventInfo records and the built-in catalogue describe, without any file from the user,
// with what PerfView decoded from the same payloads.
func TestUserOracle(t *testing.T) {
	o := &oracle{
		covers: func(provider string) bool { return !isKernel(provider) },
		place:  userPlace,
		part:   map[string]string{runtime + "/Method_LoadVerbose": "method_flags & 8 <> 0"}, // jitted
		rules:  userRules,
		value:  userValue,
		own:    func(table string) bool { return kernelFields[table] == nil },
		leftOut: map[string]string{
			runtime + "/ClrStack_Walk":                          "CLR event id 82",
			runtime + "/Method_MethodILToNativeMap":             "CLR event id 190",
			runtimeRundown + "/Method_MethodDCEndILToNativeMap": "CLR rundown event id 150",
			runtimeRundown + "/Method_DCStopVerbose":            "CLR rundown event id 144",
		},
		tails: map[string]string{
			"PerfView/ClrEnableParameters": "logged as two 8-byte numbers; the manifest says that level has 4",
		},
		lists: []list{{runtime + "/Type_BulkType", []string{"values"}}},
		score: "user ",
	}
	o.run(t, []oracleTrace{{"net.4.5.2.x86", 304, 1459}, {"gcevents", 51, 275}, {"primitive-types", 5, 60}})
}

// userValue prints a column of a table that a schema describes. The library has names for
// the numbers of an enumeration. A number without a name, or with a bit without one, is
// printed without commas.
func userValue(c *comparison, table, column string, r eventRow) string {
	if _, ok := c.Types[table][column+"_text"]; ok {
		if text := r.text(column + "_text"); text != "" && !strings.Contains(text, "0x") {
			return strings.ReplaceAll(text, "|", ", ")
		}
		return r.text(column)
	}
	switch c.Types[table][column] {
	case "BOOLEAN":
		return boolNames[r.text(column)]
	case "TIMESTAMP WITH TIME ZONE":
		return timeText(time.UnixMicro(int64(r.number(column))))
	case "INTEGER", "BIGINT", "UBIGINT":
		return grouped(int64(r.number(column)))
	}
	return r.text(column)
}

// inHex is the rule for a column that the library prints as an address.
func inHex(name string) rule {
	return rule{how: direct, reason: "of the same name", text: func(c *comparison, r eventRow, l *oracleLine) string {
		return address(r.number(columnOf(name, r)))
	}}
}

// named is the rule for a number that only the library names.
func named(column string, names map[uint64]string) rule {
	return knows("name of a number that its schema does not name", func(_ *comparison, r eventRow) string {
		if name, ok := names[r.number(column)]; ok {
			return name
		}
		return "no name for " + r.text(column)
	})
}

// absent is the rule for a field that this version of the event lacks.
func absent(text string) rule {
	return rule{how: noValue, reason: "not in this version of the event", text: func(*comparison, eventRow, *oracleLine) string { return text }}
}

// since is the rule for a field that only later versions have, in a column.
func since(name, without string) rule {
	return rule{pick: func(r eventRow) rule {
		if r[name] == nil {
			return absent(without)
		}
		return column(name)
	}}
}

// decimal prints a number with commas, plain without.
func decimal(n uint64) string { return grouped(int64(n)) }
func plain(n uint64) string   { return fmt.Sprint(n) }

// bulkType is the runtime's description of a type.
type bulkType struct {
	ID   uint64 `json:"type_id"`
	Name string `json:"name"`
}

func bulkTypes(values string) (list []bulkType) {
	if err := json.Unmarshal([]byte(values), &list); err != nil {
		return []bulkType{{Name: err.Error()}}
	}
	return list
}

// typeName returns the name of a type from a BulkType event.
func (c *comparison) typeName(id uint64) string {
	for _, r := range c.Lists[0] {
		for _, t := range bulkTypes(r.text("values")) {
			if t.ID == id {
				return t.Name
			}
		}
	}
	return ""
}

// sum adds up a number of all generations; older versions have no fourth.
func sum(name string) rule {
	return computed("sum over the generations", func(_ *comparison, r eventRow) string {
		n := uint64(0)
		for _, generation := range []string{"0", "1", "2", "3", "4"} {
			if r[name+generation] != nil {
				n += r.number(name + generation)
			}
		}
		return decimal(n)
	})
}
