package bundle

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
)

// TestMisfits checks that payloads that do not fit are counted by event, version, pointer
// size and field, that the first is named, and that any number of workers gives the same
// result.
func TestMisfits(t *testing.T) {
	t.Parallel()
	const rounds = 1000
	path := indextest.Write(t, "misfits.etl", etltest.MustParse(t, fmt.Sprintf(`
trace ptr=64 buffersize=65536 processors=2
stream
repeat %d dt=10us {
  perfinfo64 hook=0x0524 ver=4 cpu=0 payload=zero:24
  perfinfo64 hook=0x0524 ver=4 cpu=1 payload=zero:23
  perfinfo32 hook=0x0524 ver=4 cpu=0 payload=zero:23
  perfinfo64 hook=0x0524 ver=2 cpu=1 payload=zero:3
  perfinfo64 hook=0x0f2e ver=2 cpu=0 payload=zero:17
  event64 cpu=0 payload=zero:3000 # for slabs of few events
}
perfinfo64 hook=0x0524 ver=4 cpu=0 t=+1000s payload=
`, rounds)))
	sameForAllWorkers(t, path, testOptions)
	for _, workers := range workerCounts {
		o := testOptions
		o.Workers = workers
		got := make(map[string]int64)
		for _, p := range convertTo(t, t.TempDir(), path, o).Problems {
			if strings.HasPrefix(p.Code, "payload_") {
				got[fmt.Sprintf("%s %s: %s", p.Code, p.Field, p.Message)] += p.Count
			}
		}
		want := map[string]int64{
			"payload_damaged Thread/CSwitch.reserved: version 4, payload of 23 bytes: truncated: 3 bytes are left, 1 x 4 bytes are needed; the fields before it are decoded":     2 * rounds,
			"payload_damaged Thread/CSwitch.new_thread_id: version 2, payload of 3 bytes: truncated: 3 bytes are left, 1 x 4 bytes are needed; the fields before it are decoded": rounds,
			"payload_shorter Thread/CSwitch: version 4, payload of 0 bytes: a shorter form, without new_thread_id and the fields after it, which are null":                       1,
			"payload_longer PerfInfo/SampleProf: version 2: 1 bytes after the known fields, kept in payload_rest: a field may be wrong":                                          rounds,
		}
		if !maps.Equal(got, want) {
			t.Errorf("%d workers: problems %v, want %v", workers, got, want)
		}
	}
}

// TestCounterNamesWorkers checks that batches of all workers have the names of counters.
func TestCounterNamesWorkers(t *testing.T) {
	t.Parallel()
	sameForAllWorkers(t, indextest.Write(t, "counters.etl", etltest.MustParse(t, `
trace ptr=64 buffersize=65536 processors=2
stream
perfinfo64 hook=0x0f30 ver=2 cpu=1 t=+1ms payload=u32:2,41000000,42000000
repeat 1000 dt=300us {
  event64 cpu=0 payload=zero:3000 # for slabs of few events
  perfinfo64 hook=0x0524 ver=4 cpu=0 payload=zero:24
  perfinfo64 hook=0x0524 ver=4 cpu=1 pmc=1,2 payload=zero:24
}
perfinfo64 hook=0x0f30 ver=2 cpu=0 t=+150ms payload=u32:2,43000000,44000000
`)), testOptions)
}
