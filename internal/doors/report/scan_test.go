package report

import (
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/formats/recordbatch"
	"github.com/etl2parquet/etl2parquet/schema"
)

// TestRows checks that the tables of providers' events have the columns that rows are read from, as the
// built-in descriptions have them. Reading a table of the kernel checks it itself.
func TestRows(t *testing.T) {
	traces, err := etl2parquet.OpenAll(t.Context(), []string{"../../../testdata/sample.etl"}, etl2parquet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer traces.Close()
	tests := map[string]struct {
		missing func(*schema.Table) []string
		want    []string
	}{
		runtime + "gc_suspendeestart":           {recordbatch.NewReader[stepRow]().Missing, []string{"depth", "method_id"}},
		runtime + "gc_restarteestop":            {recordbatch.NewReader[stepRow]().Missing, []string{"reason", "count", "depth", "method_id"}},
		runtime + "gc_start":                    {recordbatch.NewReader[stepRow]().Missing, []string{"method_id"}},
		runtime + "method_jittingstarted":       {recordbatch.NewReader[stepRow]().Missing, []string{"reason", "count", "depth"}},
		runtime + "method_loadverbose":          {recordbatch.NewReader[stepRow]().Missing, []string{"reason", "count", "depth"}},
		"microsoft_windows_httpservice_recvreq": {recordbatch.NewReader[clockRow]().Missing, nil},
		"microsoft_windows_pktmon_160":          {recordbatch.NewReader[packetRow]().Missing, nil},
	}
	for _, events := range networkTables {
		test := tests[events.table]
		test.missing = recordbatch.NewReader[sizeRow]().Missing
		tests[events.table] = test
	}
	for name, test := range tests {
		table, err := traces.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := test.missing(table.Definition); !slices.Equal(got, test.want) {
			t.Errorf("%s lacks %q, want %q", name, got, test.want)
		}
	}
}
