package rows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
)

// TestSchemas checks the tables of events that manifests in the trace or the EventSource
// protocol describe, and their descriptions in event_types.
func TestSchemas(t *testing.T) {
	indextest.Goldens(t, "testdata/schemas", func(t *testing.T, trace []byte) string {
		x := indextest.Data(t, trace)
		var text strings.Builder
		for _, p := range x.Problems.All() {
			fmt.Fprintf(&text, "%s\n", problemText(&p))
		}
		return text.String() + dumpPayloads(t, x)
	})
}
