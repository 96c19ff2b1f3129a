package selection

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
)

// TestFacts checks which facts a selection needs.
func TestFacts(t *testing.T) {
	const code = index.OwnerFacts | index.ImageFacts | index.MethodFacts
	const files = index.OwnerFacts | index.ImageFacts | index.FileFacts
	for _, c := range []struct {
		name string
		s    Selection
		want index.Facts
	}{
		{"everything", Selection{}, index.AllFacts},
		{"a header table", Selection{Tables: []string{"event_header"}}, index.OwnerFacts},
		{"a column of a header table", Selection{Tables: []string{"event_header"}, Columns: []string{"time_ns"}}, 0},
		{"an owner in a header table", Selection{Tables: []string{"event_header"}, Columns: []string{"time_ns", "process_name"}}, index.OwnerFacts},
		{"processes", Selection{Tables: []string{"event_header"}, Columns: []string{"time_ns"}, Selection: facts.Selection{Processes: []string{"a"}}}, index.OwnerFacts},
		{"all events", Selection{Tables: []string{"events"}}, code | index.StackFacts},
		{"all events without stacks", Selection{Tables: []string{"events"}, Columns: []string{"process_name", "fields"}}, index.OwnerFacts},
		{"context switches", Selection{Tables: []string{"Thread/CSwitch"}}, index.OwnerFacts},
		{"samples", Selection{Tables: []string{"PerfInfo/SampleProf"}}, code},
		{"columns of samples", Selection{Tables: []string{"PerfInfo/SampleProf"}, Columns: []string{"instruction_pointer", "count"}}, 0},
		{"a view of files", Selection{Tables: []string{"diskio_read"}}, files},
		{"events of a provider", Selection{Tables: []string{"Some-Provider/Event"}}, files},
		{"a column of events of a provider", Selection{Tables: []string{"Some-Provider/Event"}, Columns: []string{"some"}}, 0},
		{"kernel events by a pattern", Selection{Tables: []string{"Image/*"}}, files},
		{"a column of any table", Selection{Columns: []string{"activity_id"}}, 0},
		{"stacks", Selection{Tables: []string{"stack_events"}}, code | index.StackFacts},
		{"threads", Selection{Tables: []string{"threads"}}, index.OwnerFacts},
		{"images", Selection{Tables: []string{"images"}}, index.OwnerFacts | index.ImageFacts | index.VersionFacts},
		{"methods", Selection{Tables: []string{"methods"}}, index.OwnerFacts | index.MethodFacts},
		{"files", Selection{Tables: []string{"files"}}, index.FileFacts},
		{"buffers", Selection{Tables: []string{"buffers"}}, 0},
		{"problems", Selection{Tables: []string{"problems", "event_header"}}, index.AllFacts},
		{"columns of two tables", Selection{Needs: []Need{{"event_header", []string{"time_ns"}}, {"threads", []string{"tid"}}}}, index.OwnerFacts},
		{"a column of each", Selection{Needs: []Need{{"event_header", []string{"time_ns"}}, {"perfinfo_sampleprof", []string{"count"}}}}, 0},
		{"columns of an event of a provider", Selection{Needs: []Need{{"event_header", []string{"process_name"}}, {"Some-Provider/Event", []string{"some"}}}}, index.OwnerFacts},
		{"all columns of an event of a provider", Selection{Needs: []Need{{Table: "Some-Provider/Event"}}}, files},
		{"losses of traces", Selection{Needs: []Need{{"traces", []string{"events_lost", "end_enable_flags_text"}}}}, 0},
		{"problems of traces", Selection{Needs: []Need{{"traces", []string{"events_lost", "problems"}}}}, index.AllFacts},
		{"no table", Selection{Needs: []Need{}}, 0},
	} {
		if got := c.s.Facts(); got != c.want {
			t.Errorf("%s: facts %06b, want %06b", c.name, got, c.want)
		}
	}
}
