package bundle

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/engine/selection"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestStacks checks that each event's stack is in the table stacks, that each stack is there once, in
// the order in which events first have them, and that each belongs to an event; for any number of
// workers, any memory, and any number of stacks in memory.
func TestStacks(t *testing.T) {
	t.Parallel()
	path := testenv.Shared(t, "traces/net.4.5.2.x86.etl")
	var want *convertedTrace
	for _, engine := range []pipeline.Options{
		{Workers: 16, Memory: 128 << 20, Limits: pipeline.Limits{Stacks: 100}}, // the hardest
		{Workers: 2, Memory: pipeline.DefaultMemory},
		{Workers: 1, Memory: 48 << 20},
	}[:testenv.Times(t, 1, 3, 3, 3)] {
		o := Options{Options: engine}
		o.Compression, o.TempDir, o.Selection = "none", t.TempDir(), selection.Selection{Tables: []string{"stack*"}}
		got := datasetOf(t, path, o)
		if want == nil {
			want = got
			checkStacks(t, got)
			continue
		}
		for table := range want.tables {
			if diff := testenv.Diff(want.tables[table], got.tables[table]); diff != "" {
				t.Errorf("%d workers, %d bytes, %d stacks: %s differs:\n%.1000s", o.Workers, o.Memory, o.Limits.Stacks, table, diff)
			}
		}
	}
}

func checkStacks(t *testing.T, d *convertedTrace) {
	t.Helper()
	var firsts, stacks []string
	seen := make(map[string]bool)
	for _, row := range d.tables[schema.StackEvents.Name] {
		if id := row["stack_id"]; !seen[id] {
			seen[id] = true
			firsts = append(firsts, id)
		}
	}
	contents := make(map[string]bool)
	for _, row := range d.tables[schema.Stacks.Name] {
		stacks = append(stacks, row["stack_id"])
		contents[row["process_id"]+"|"+row["process_name"]+"|"+row["addresses"]+"|"+row["modules"]+"|"+row["functions"]+"|"+row["offsets"]] = true
	}
	if len(firsts) < 1000 || len(contents) != len(stacks) {
		t.Errorf("%d stacks of events; %d stacks, %d of them distinct", len(firsts), len(stacks), len(contents))
	}
	if diff := testenv.Diff(firsts, stacks); diff != "" {
		t.Errorf("-stacks of events +stacks:\n%.1000s", diff)
	}
}
