package bundle

import (
	"maps"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
)

// rowGoldens is the folder of the traces for tests of rows.
const rowGoldens = "../../engine/rows/testdata"

// TestConvertWithMOF checks that a MOF file gives classic events their own tables, the same
// for any number of workers, and that they stay raw without the file.
func TestConvertWithMOF(t *testing.T) {
	t.Parallel()
	path := indextest.Write(t, "bakery.etl", indextest.TraceIn(t, rowGoldens+"/mof/bakery.txtar"))
	o := testOptions
	rows := func() map[string]int64 {
		found := make(map[string]int64)
		for _, f := range convertTo(t, t.TempDir(), path, o).Files {
			if strings.HasPrefix(f.Table, "events/Loaf/") || strings.HasPrefix(f.Table, "events/Order/") {
				found[f.Table] += f.Rows
			}
		}
		return found
	}
	if got := rows(); len(got) != 0 {
		t.Errorf("without a file: %v", got)
	}
	o.Schemas = indextest.OpenFiles(t, []string{rowGoldens + "/mof/bakery.mof"}, nil)
	if got, want := rows(), map[string]int64{"events/Loaf/Bake": 2, "events/Loaf/Cool": 2, "events/Order/Take": 3}; !maps.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	sameForAllWorkers(t, path, o)
}
