package schema

import (
	"slices"
	"testing"
)

// TestFieldID compares ids with those of the first version that wrote them: datasets depend on them.
func TestFieldID(t *testing.T) {
	for path, want := range map[string]int32{
		"trace": 1, "event_ref": 2, "time_ns": 4, "event_kind": 15, "payload": 17, "event_id": 18, "related_activity_id": 25,
		"payload_rest": 26, "stack_id": 32,
		"new_thread_id":         1_922_045_014,
		"pmc_counters":          1_359_250_301,
		"pmc_counters.element":  1_641_522_987,
		"items.element.kind":    1_841_255_095,
		"wil_activity.hresult":  1_214_256_518,
		"wil_activity.event_id": 807_912_949,
	} {
		if got := FieldID(path); got != want {
			t.Errorf("%q: got %d, want %d", path, got, want)
		}
	}
}

// TestFieldIDsOfTables checks that all columns of the tables of this package have different ids, and
// that shared names are names of columns.
func TestFieldIDsOfTables(t *testing.T) {
	columns := make(map[string]bool)
	for _, table := range Tables() {
		ids := make(map[int32]string)
		for _, c := range table.WithTrace().Columns {
			id := FieldID(c.Name)
			if other, ok := ids[id]; ok {
				t.Errorf("table %s: %s and %s have the id %d", table.Name, c.Name, other, id)
			}
			ids[id], columns[c.Name] = c.Name, true
		}
	}
	for _, name := range sharedIDs {
		if !columns[name] && !slices.Contains([]string{MessageColumn, RestColumn}, name) {
			t.Errorf("%s: no table has this column", name)
		}
	}
}
