package rows

import (
	"fmt"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/rows/fixed"
)

// TestBuildLab checks the build of Windows in a trace, for each source of it.
func TestBuildLab(t *testing.T) {
	const (
		hook    = "perfinfo64 hook=0x0042 ver=2 payload=str8:\"1.hook\"\n"
		classic = "full64 guid=68fdd900-4a3e-11d1-84f4-0000f80464e3 type=66 ver=2 payload=str8:\"1.classic\"\n"
		merged  = "full64 guid=9b79ee91-b5fd-41c0-a243-4248e266e9d0 type=32 payload=u64:0,str16:\"1.merged\",str16:\"Windows\"\n"
		again   = "full64 guid=9b79ee91-b5fd-41c0-a243-4248e266e9d0 type=32 payload=u64:0,str16:\"2.merged\",str16:\"Windows\"\n"
		short   = "full64 guid=9b79ee91-b5fd-41c0-a243-4248e266e9d0 type=32 payload=u32:0\n"
		other   = "full64 guid=9b79ee91-b5fd-41c0-a243-4248e266e9d0 type=33 payload=u64:0,str16:\"no lab\"\n"
	)
	for _, test := range []struct{ name, events, want string }{
		{"nothing", other, ""},
		{"hook", hook, "1.hook"},
		{"classic event", classic, "1.classic"},
		{"merged", merged, "1.merged"},
		{"merged, too short", short + merged, "1.merged"},
		{"merged twice", merged + again, "1.merged"},
		{"the session's own counts", merged + hook + again, "1.hook"},
		{"the session's own counts, in another buffer", merged + "buffer cpu=0\n" + hook, "1.hook"},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := indextest.Data(t, etltest.MustParse(t, "trace buffersize=8192\nbuffer cpu=0\n"+test.events))
			b := fixed.Traces(x, fixed.Source{})
			want := ""
			if test.want != "" {
				want = fmt.Sprintf("%q", test.want)
			}
			if got := columnTexts(b, b.Column("build_lab"))[0]; got != want {
				t.Errorf("build_lab %s, want %s", got, want)
			}
		})
	}
}
