package rows

import (
	"fmt"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
)

// TestOlderForm checks that GC/PerHeapHistory of .NET 4.5, which is 8 bytes shorter than that of
// 4.5.2 under the same version, is recognized by its length, in traces of both pointer sizes.
func TestOlderForm(t *testing.T) {
	for _, test := range []struct {
		pointers, generations int // their bytes
		header                string
	}{{32, 200, "event32"}, {64, 400, "event64"}} {
		event := func(more string) string {
			return fmt.Sprintf("%s provider=763fd754-7086-4dfe-95eb-c01a46faf4ca id=4 ver=2 t=+1ms payload=zero:%d,u32:1|2|3|4|5|6,%su8:9\n", test.header, test.generations, more)
		}
		trace := etltest.MustParse(t, fmt.Sprintf("trace ptr=%d buffersize=8192\nbuffer cpu=0\n", test.pointers)+event("u64:8,")+event("")+event(""))
		x := indextest.Data(t, trace)
		got := dumpPayloads(t, x)
		for _, want := range []string{
			"    heap_index=6\n    extra_gen0_commit=0x8\n    clr_instance_id=9\n", "    heap_index=6\n    clr_instance_id=9\n",
			"info payload_shorter, 2 times, ",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%d bit: %q is not in\n%s", test.pointers, want, got)
			}
		}
		if sum := indextest.Count(t, x).Payloads(); sum.Whole != 4 || sum.InPart != 0 || sum.Raw != 0 {
			t.Errorf("%d bit: %+v", test.pointers, sum)
		}
	}
}
