package rows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
)

// TestCounterNames checks that each batch has its own names of counters, for any number of names
// and workers.
func TestCounterNames(t *testing.T) {
	trace := etltest.MustParse(t, `
trace ptr=64 buffersize=65536 processors=2
stream
perfinfo64 hook=0x0f30 ver=2 cpu=1 t=+1ms payload=u32:2,41000000,42000000
repeat 30000 dt=10us {
  perfinfo64 hook=0x0524 ver=4 cpu=0 payload=zero:24
  perfinfo64 hook=0x0524 ver=4 cpu=1 pmc=1,2 payload=zero:24
}
perfinfo64 hook=0x0f30 ver=2 cpu=0 t=+150ms payload=u32:2,43000000,44000000
`)
	x := indextest.Data(t, trace)
	names := make(map[string]int)
	for _, b := range batchesOf(t, x, PayloadNone) {
		if b.Table.Name != "perfinfo_trace_header" {
			continue
		}
		values, column := columnTexts(b, b.Column("pmc_counters")), columnTexts(b, b.Column("pmc_names"))
		for row := range b.Rows {
			names[values[row]+column[row]]++
		}
	}
	first, second := names[`[0x1 0x2]["A" "B"]`], names[`[0x1 0x2]["C" "D"]`]
	if first+second != 30000 || first < 14000 || second < 14000 || names[""] != 30002 {
		t.Errorf("names %v", names)
	}
}

// TestCounterConfigs checks that a damaged configuration is a problem, and that the list is
// bounded.
func TestCounterConfigs(t *testing.T) {
	x := indextest.Data(t, etltest.MustParse(t, fmt.Sprintf(`
trace ptr=64 buffersize=65536
perfinfo64 hook=0x0f30 ver=2 t=+1ms payload=u32:2,41000000
repeat %d dt=10us { perfinfo64 hook=0x0f30 ver=2 payload=u32:1,41000000 }
`, index.MaxCounterConfigs+10)))
	if n := len(x.Session.Counters); n != index.MaxCounterConfigs {
		t.Errorf("%d configurations, want %d", n, index.MaxCounterConfigs)
	}
	problems := x.Problems.All()
	if len(problems) != 1 || problems[0].Code != "session_record_damaged" || !strings.Contains(problems[0].Field, "PmcCtrConfig.CounterName") {
		t.Errorf("problems %+v", problems)
	}
}
