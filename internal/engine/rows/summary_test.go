package rows

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestSummary checks that the table of all events names numbers, except numbers in which an event
// differs from the first of its kind. Package interop checks the view of this name too.
func TestSummary(t *testing.T) {
	const trace = `trace freq=10000000
stream
event64 level=4 op=1 t=+1ms schema=Event(Number:u32) payload=u32:1
event64 level=3 op=1 t=+2ms schema=Event(Number:u32) payload=u32:1
perfinfo64 hook=0x0524 ver=4 t=+2501us payload=u32:100
full64 guid=9e814aad-3204-11d2-9a82-006008a86939 type=9 level=2 t=+4ms payload=u32:1
`
	x := indextest.Data(t, etltest.MustParse(t, trace))
	columns := []string{schema.SecondsColumn}
	for _, c := range schema.SummaryColumns() {
		columns = append(columns, c.Name)
	}
	got := rowsOf(t, x, &selection.Selection{Tables: []string{schema.EventsName}, Columns: columns}, PayloadNone, false)[EventsTable]
	want := tableTexts{
		"event_id": {"0", "0", "0", "1316", "9"}, "level_name": {"", `"Informational"`, "", "", `"Error"`}, "opcode_name": {"", `"Start"`, `"Start"`, "", ""},
		"task_name":     {"", "", "", "", ""},
		"event_version": {"2", "0", "0", "4", "0"}, "level": {"", "4", "3", "", "2"}, "task": {"", "0", "0", "", ""}, "opcode": {"", "1", "1", "", ""},
		"keyword": {"", "0x0", "0x0", "", ""}, "channel": {"", "0", "0", "", ""}, "activity_id": {"", "", "", "", ""}, "related_activity_id": {"", "", "", "", ""},
		"stack_id": {"", "", "", "", ""},
		"seconds":  {"0", "0.001", "0.002", "0.002501", "0.004"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
