package selection

import (
	"math"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestNeeds checks the columns of tables that needs select.
func TestNeeds(t *testing.T) {
	needs := []Need{
		{"event_header", []string{"process_name", "time_ns", "none"}},
		{"event_header", []string{"processor", "time_ns"}},
		{"threads", nil},
		{"Thread/CSwitch", []string{"seconds"}},
		{"diskio_*", []string{"of_another_table"}},
	}
	for _, c := range []struct {
		table  string
		stored bool
		want   string
	}{
		{"event_header", true, "time_ns processor process_name"},
		{"thread_cswitch", false, "seconds"},
		{"thread_cswitch", true, "event_ref time_ns"},
		{"diskio_read", true, "event_ref"},
		{"processes", true, ""},
		{"events", true, ""},
	} {
		s := Selection{Needs: needs, Stored: c.stored}
		list := schema.FindTables(c.table, append(schema.Tables(), schema.EventsTable()))
		if len(list) != 1 {
			t.Fatalf("%s: %d tables", c.table, len(list))
		}
		var names []string
		if wanted := s.Table(list[0]); wanted != nil {
			for i := range wanted.Columns {
				names = append(names, wanted.Columns[i].Name)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s, stored %v: columns %q, want %q", c.table, c.stored, got, c.want)
		}
	}
	s := Selection{Needs: needs}
	if got := s.Table(schema.Threads); got != schema.Threads {
		t.Errorf("all columns of threads: %v", got)
	}
	if s.Tables = []string{"threads"}; s.Validate() == nil {
		t.Error("needs beside tables are valid")
	}
}

// TestCovers checks which bounds have all events of other ones.
func TestCovers(t *testing.T) {
	all := Unbounded()
	bounds := func(from, to int64, providers ...string) *Bounds { return &Bounds{from, to, providers} }
	for _, test := range []struct {
		name     string
		b, other *Bounds
		want     bool
	}{
		{name: "all of nil", b: &all, other: nil, want: true},
		{name: "nil of all", b: nil, other: &all, want: true},
		{name: "some of nil", b: bounds(1, 9), other: nil},
		{name: "all of some", b: &all, other: bounds(1, 9, "A"), want: true},
		{name: "some of all", b: bounds(1, math.MaxInt64), other: &all},
		{name: "the same", b: bounds(1, 9, "A"), other: bounds(1, 9, "A"), want: true},
		{name: "less time", b: bounds(1, 9), other: bounds(2, 8), want: true},
		{name: "earlier", b: bounds(1, 9), other: bounds(0, 9)},
		{name: "later", b: bounds(1, 9), other: bounds(1, 10)},
		{name: "a provider of two", b: bounds(1, 9, "A", "B"), other: bounds(1, 9, "B"), want: true},
		{name: "two providers of one", b: bounds(1, 9, "A"), other: bounds(1, 9, "A", "B")},
		{name: "all providers of one", b: bounds(1, 9, "A"), other: bounds(1, 9)},
	} {
		if got := test.b.Covers(test.other); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestUnboundedNeeds checks which columns have the same values whatever the bounds are.
func TestUnboundedNeeds(t *testing.T) {
	for want, needs := range map[bool][]Need{
		true: {
			{"threads", nil}, {"buffers", []string{"events"}}, {"event_types", []string{"trace", "provider_id", "event_name", "events"}},
			{"traces", []string{"trace", "file_name"}},
		},
		false: {
			{"event_types", nil}, {"event_types", []string{"event_name", "payloads_whole"}}, {"event_types", []string{"events_not_decoded"}},
			{"traces", nil}, {"traces", []string{"trace", "payloads_raw"}}, {"event_header", []string{"time_ns"}}, {"event_header", nil},
		},
	} {
		for _, n := range needs {
			if n.IsUnbounded() != want {
				t.Errorf("%v is unbounded: %t", n, !want)
			}
		}
	}
}
