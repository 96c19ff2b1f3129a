package rows

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
)

// TestClassicPayloads checks the columns of classic events that the MOF files next to the traces
// describe, and the catalog's descriptions of all events.
func TestClassicPayloads(t *testing.T) {
	indextest.Goldens(t, "testdata/mof", func(t *testing.T, trace []byte) string {
		files := indextest.OpenFiles(t, []string{"testdata/mof"}, nil)
		x := indextest.With(t, bytes.NewReader(trace), int64(len(trace)), files)
		var text strings.Builder
		for i := range x.Types {
			if k := &x.Types[i]; k.HasGUID {
				n := x.EventNames(k)
				fmt.Fprintf(&text, "%v %d version %d: %q, by %q, in %q\n", k.GUID, k.ID, k.Version, x.Catalog.Of(&k.Key).Name(), n.Decoder, n.PayloadTable)
			}
		}
		for _, p := range x.Providers() {
			fmt.Fprintf(&text, "%v %q, by %q\n", p.ID, p.Name, p.NameSource)
		}
		for _, err := range files.Errors() {
			fmt.Fprintf(&text, "error %v\n", err)
		}
		indextest.Count(t, x)
		dumpBatch(t, &text, fixed.EventTypes(x))
		return text.String() + dumpPayloads(t, x)
	})
}
