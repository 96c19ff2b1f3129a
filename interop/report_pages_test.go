package interop_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// hostileNames are names of processes that a page must show as text.
var hostileNames = []string{
	`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `it's "quoted" \ and {{data}}`,
	"\u202egnp.exe", "\u05e9\u05dc\u05d5\u05dd.exe", strings.Repeat("long", 1000),
}

// hostileReport returns a trace with samples of processes with hostile names.
func hostileReport(t *testing.T) (path string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("trace buffersize=65536 freq=10000000 start=2024-05-01T12:00:00Z\nstream\n")
	line := func(format string, arguments ...string) {
		b.WriteString(strings.NewReplacer(arguments...).Replace(format) + "\n")
	}
	for i, name := range hostileNames {
		id, thread := []string{"10", "11", "12", "13", "14", "15"}[i], []string{"400", "401", "402", "403", "404", "405"}[i]
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
		line(`system64 hook=0x0303 ver=4 pid=4 tid=8 t=+1ms payload=ptr:1,u32:ID|4|0|259,ptr:0,u32:0,wbemsid:none,str8:NAME,str16:NAME,str16:"",str16:""`, "ID", id, "NAME", quoted)
		line(`system64 hook=0x0501 ver=3 pid=4 tid=8 t=+1ms payload=u32:ID|THREAD,ptr*7:0,u32:0,u8:8|5|2|0`, "ID", id, "THREAD", thread)
		line(`perfinfo64 hook=0x0f2e ver=2 t=+`+id+`ms payload=ptr:0x400010,u32:THREAD,u16:1,u8:0x40|0`, "THREAD", thread)
	}
	path = filepath.Join(t.TempDir(), "hostile.etl")
	testenv.WriteFile(t, path, etltest.MustParse(t, b.String()))
	return path
}

// TestReportPages opens pages of real traces, of a comparison, and of a trace with hostile names in Chromium:
// they must have no error, make no request, follow the mouse and the keyboard, and be accessible.
func TestReportPages(t *testing.T) {
	testenv.All(t, "Chromium")
	t.Setenv("ETL2PARQUET_DUCKDB", interop.FindDuckDB(t))
	folder := testenv.Shared(t, "traces")
	program := builtProgram(t)
	trace := func(name string) string { return filepath.Join(folder, name+".etl") }
	made := func(text string) string {
		path := filepath.Join(t.TempDir(), "made.etl")
		testenv.WriteFile(t, path, etltest.MustParse(t, text))
		return path
	}
	hostile, empty, one := hostileReport(t), made("trace"), made("system64 hook=0x0524 ver=4 t=+1ms payload=u32:8,u32:4")
	var names, pages []string
	for _, p := range []struct{ name, trace, against string }{
		{"hostile", hostile, ""}, {"two traces", trace("net.4.5.2.x86"), trace("gcevents")}, {"the same trace twice", trace("Process"), trace("Process")},
		{"samples against none", hostile, trace("PktMon")}, {"no events", empty, ""}, {"no events on one side", one, empty}, {"one event", one, ""},
	} {
		var args []string
		if p.against != "" {
			args = []string{"--against", p.against}
		}
		names, pages = append(names, p.name), append(pages, writeReport(t, program, p.trace, args...))
	}
	first := len(names)
	for _, name := range reportTraces[:5] {
		names, pages = append(names, name), append(pages, writeReport(t, program, trace(name)))
	}
	for i, found := range interop.CheckPages(t, pages...) {
		t.Run(names[i], func(t *testing.T) {
			for what, list := range map[string][]string{"errors": found.Errors, "requests": found.Requests, "serious findings of axe": found.Axe, "pages wider than the screen": found.Wide} {
				if len(list) > 0 {
					t.Errorf("%s: %s", what, strings.Join(list, "\n"))
				}
			}
			act := &found.Act
			if act.Markup != 0 || !act.SQL {
				t.Errorf("elements made by data: %d; the SQL is shown: %v", act.Markup, act.SQL)
			}
			if 0 < i && i < first {
				return // it has no range
			}
			if names[i] == "net.4.5.2.x86" && (len(act.Cut) == 0 || len(act.Rest) != len(act.Cut) || !strings.Contains(act.Rest[0], `WHERE "time_ns" >= `)) {
				t.Errorf("of tables with further rows the page says %q, with the SQL %q", act.Cut, act.Rest)
			}
			if act.Range == "" || !act.Follows || !act.Back || !act.Keys {
				t.Errorf("a drag selects %q, figures follow: %v, and come back: %v; keys select: %v", act.Range, act.Follows, act.Back, act.Keys)
			}
			if i > first { // without stacks
				return
			}
			if act.Zoomed == "" || !act.Out || act.Frame == "" || !act.Searching || act.Hits == "" {
				t.Errorf("the flame graph: %+v", act)
			}
		})
	}
}
