package bundle

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestFitsAlone checks that the fit of a payload does not depend on an earlier event of a
// selected table whose fields were located for a text.
func TestFitsAlone(t *testing.T) {
	t.Parallel()
	text := testenv.ReadFile(t, rowGoldens+"/user/manifest.txtar")
	path := indextest.Write(t, "t.etl", etltest.MustParse(t, fmt.Sprintf(`
trace ptr=64 buffersize=65536
stream
repeat %[1]d dt=1us { event64 provider=00000000-0000-0000-0000-000000000006 id=100 payload=str16:"Ann",u8:2 }
repeat %[1]d t=+1s dt=1us { system64 hook=0x0301 ver=4 pid=4 tid=8 payload=ptr:1,u32:200|100|1|0,ptr:0,u32:0,wbemsid:S-1-5-18,str8:b.exe,str16:"b",str16:"",str16:"" }
`, 2*rows.BlockRows)))
	o := testOptions
	o.Fields, o.Schemas = true, indextest.ParseArchive(string(text)).SchemaFiles(t)
	for _, tables := range [][]string{{"problems"}, {"problems", "event_header"}, {"problems", "system_trace_header"}, nil} {
		o.Selection.Tables = tables
		if report := convertTo(t, t.TempDir(), path, o); len(report.Problems) > 0 {
			t.Errorf("%q: problems %+v", tables, report.Problems)
		}
	}
}
