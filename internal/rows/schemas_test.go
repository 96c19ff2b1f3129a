package rows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/index/indextest"
)

// TestSchemas has the tables of events that manifests in the trace describe, or
// the EventSource protocol itself, and what is said about it.
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
