package convert

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/index/indextest"
)

// TestClassicPayloads has the columns of classic events that the MOF files
// beside the traces describe, and what the catalog says of all.
func TestClassicPayloads(t *testing.T) {
	testGoldens(t, "testdata/mof", func(t *testing.T, trace []byte) string {
		files := openUserFiles(t, []string{"testdata/mof"}, nil)
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
		dumpBatch(t, &text, eventTypesRows(x))
		return text.String() + dumpPayloads(t, x)
	})
}

// TestConvertWithMOF: classic events get tables of their own, the same for any
// number of workers; without the file they stay raw.
func TestConvertWithMOF(t *testing.T) {
	text, err := os.ReadFile("testdata/mof/bakery.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), traceMark)
	trace, _, _ := strings.Cut(rest, expectMark)
	path := indextest.Write(t, "bakery.etl", etltest.MustParse(t, trace))
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
	o.Schemas = openUserFiles(t, []string{"testdata/mof/bakery.mof"}, nil)
	if got, want := rows(), map[string]int64{"events/Loaf/Bake": 2, "events/Loaf/Cool": 2, "events/Order/Take": 3}; !maps.Equal(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	sameForAllWorkers(t, path, o)
}
