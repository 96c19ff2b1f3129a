package fixed

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/schema"
)

// TestFills checks that every column has one fill, and every fill a column, in the order of
// the columns.
func TestFills(t *testing.T) {
	filled := map[*schema.Table][]string{
		schema.Traces: namesOf(traceFills), schema.Buffers: namesOf(bufferFills), schema.Providers: namesOf(providerFills),
		schema.EventTypes: namesOf(typeFills), schema.Processes: namesOf(processFills), schema.Threads: namesOf(threadFills),
		schema.Images: namesOf(imageFills), schema.Methods: namesOf(methodFills), schema.Files: namesOf(fileFills),
		schema.CompactSwitches: namesOf(compactFills), schema.Problems: namesOf(problemFills),
	}
	for _, table := range schema.FixedTables() {
		if table == schema.Stacks || table == schema.StackEvents { // of events
			continue
		}
		var names []string
		for i := range table.Columns {
			names = append(names, table.Columns[i].Name)
		}
		if !slices.Equal(filled[table], names) {
			t.Errorf("%s: fills of %q, want %q", table.Name, filled[table], names)
		}
	}
}

func namesOf[T any](fills []columnFill[T]) (names []string) {
	for i := range fills {
		names = append(names, fills[i].name)
	}
	return names
}
