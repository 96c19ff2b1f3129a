package bundle

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const hostileID = "00000000-0000-0000-0000-0000000000bb"

// tl is an event with TraceLogging metadata.
func tl(schema, payload string) string {
	return fmt.Sprintf("event64 provider=%s schema=%s payload=%s\n", hostileID, schema, payload)
}

// info is an event, and the record that describes it.
func info(id int, fields, payload string) string {
	return fmt.Sprintf("event64 provider=%s id=%d payload=%s\n", hostileID, id, payload) +
		fmt.Sprintf("full64 guid=bbccf6c1-6cd1-48c4-80ff-839482e37671 type=32 payload=eventinfo:(provider:%s,id:%d,pname:Hostile,tname:E%d,fields:%s)\n", hostileID, id, id, fields)
}

// manifestChunk is an event with a chunk of a manifest.
func manifestChunk(number, total int, text string) string {
	return fmt.Sprintf("event64 provider=%s id=0xfffe payload=hex:0101005b,u16:%d,u16:%d,chars8:%s\n", hostileID, total, number, strings.ReplaceAll(fmt.Sprintf("%q", text), "$", "$$"))
}

// nested is structures nested depth deep.
func nested(depth int, inner string) string {
	return strings.Repeat("S:struct(", depth) + inner + strings.Repeat(")", depth)
}

const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol1 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;"><!ENTITY lol2 "&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;&lol1;">]>
<instrumentationManifest><provider name="&lol2;" guid="{00000000-0000-0000-0000-0000000000bb}"><events><event value="1" symbol="&lol2;"/></events></provider></instrumentationManifest>`

// hostileTraces are traces with descriptions of events that try to cost much or to break
// the output; problems lists the kinds that must be reported.
var hostileTraces = map[string]struct {
	trace    func() string
	manifest string
	problems []string
	defaults bool // the default limits, in the tier of all tests
}{
	"nested structures": {trace: func() string {
		return tl("Deep("+nested(40, "X:u8")+")", "u8:1") + tl("Most("+nested(32, "X:u8")+")", "u8:1") + info(1, "("+nested(40, "X:u8")+")", "u8:1") + info(2, "("+nested(32, "X:u8")+")", "u8:1")
	}, problems: []string{"tracelogging_damaged", "event_record_damaged"}},
	"manifest of nested structures": {trace: func() string { return "event64 provider=" + hostileID + " id=1 payload=u8:1\n" }, manifest: `<instrumentationManifest><provider name="P" guid="{` + hostileID + `}"><templates><template tid="T">` +
		strings.Repeat(`<struct name="S">`, 40) + `<data name="X" inType="win:UInt8"/>` + strings.Repeat(`</struct>`, 40) + `</template></templates><events><event value="1" template="T" symbol="E"/></events></provider></instrumentationManifest>`},
	"many elements without bytes": {trace: func() string {
		return tl("A(S:struct()[],X:u8)", "u16:65535,u8:1") + tl("B(N:null[],X:u8)", "u16:65535,u8:1") + tl("C(S:struct(T:struct()[65535])[65535],X:u8)", "u8:1") +
			tl("D(S:struct(T:struct(B:cstr8[65535])[65535])[65535])", "zero:60000") + tl("E(S:struct(T:struct(B:bin[])[])[])", "u16:65535,zero:60000") +
			tl("F(A:str8[])", "u16:65535,zero:30") + tl("G(A:str16[65535])", "") +
			info(1, "(S:struct(T:struct()[65535])[65535],X:u8)", "u8:1") + info(2, "(N:u32,S:struct(B:bin{0})[N],X:u8)", "u32:65535,u8:1") + info(3, "(N:u32,B:bin{0}[N])", "u32:8,zero:8") +
			info(4, "(N:u32,S:struct(T:struct(U:struct(B:bin{N})[65535])[65535])[65535])", "u32:0")
	}, problems: []string{"payload_damaged"}},
	"structures that hold themselves": {trace: func() string {
		return info(1, "(A:u32,S:struct(T:struct(X:u8)@1+1))", "u32:1") + info(2, "(A:u32,S:struct(X:u8)@0+2)", "u32:1") + info(3, "(A:u32,S:struct(X:u8)@2+60000)", "u32:1") + info(4, "(S:struct(X:u8,T:struct(Y:u8)@1+2))", "u32:1")
	}, problems: []string{"event_record_damaged"}},
	"structures without members": {trace: func() string {
		return tl("A(S:struct())", "u8:1") + tl("B(S:struct(T:struct()))", "u8:1") + info(1, "(S:struct(),T:struct(U:struct()[2])[3],V:struct(N:null),X:u8)", "u8:1") + info(2, "(S:struct())", "") + info(3, "(S:struct(T:struct()),A:u8[3])", "u8:1|2|3")
	}},
	"unterminated names": {trace: func() string {
		text := ""
		for _, metadata := range []string{"", "05", "0500", "060000", "080000414243", "0a0000410042ff", "ffff00410042", "080000410042005f", "0b000041004200d5ffffff"} {
			text += fmt.Sprintf("event64 provider=%s rawext=11:%s payload=u8:1\n", hostileID, metadata)
		}
		return text
	}, problems: []string{"tracelogging_damaged"}},
	"chunks of a manifest": {trace: func() string {
		return fmt.Sprintf("repeat 65535 {\n event64 provider=%s id=0xfffe payload=hex:0101005b,u16:65535,u16:$i,u8:60\n}\n", hostileID) +
			"repeat 20000 {\n event64 provider=00000000-0000-0000-0000-0000000000cc pid=$i id=0xfffe payload=hex:0101005b,u16:65535,u16:65534,u32:$i\n}\n"
	}, problems: []string{"manifest_damaged", "manifest_incomplete"}},
	"billion laughs":             {trace: func() string { return manifestChunk(0, 1, laughs) + "event64 provider=" + hostileID + " id=1\n" }, problems: []string{"manifest_damaged"}},
	"billion laughs of the user": {trace: func() string { return "event64 provider=" + hostileID + " id=1\n" }, manifest: laughs},
	"nested elements of XML": {trace: func() string {
		return manifestChunk(0, 1, strings.Repeat("<provider>", 6000)) + manifestChunk(0, 1, "<instrumentationManifest>"+strings.Repeat("<instrumentationManifest>", 2000)) + manifestChunk(0, 1, strings.Repeat("<!--", 5000))
	}, problems: []string{"manifest_damaged"}},
	"names": {trace: func() string {
		text := ""
		for i, name := range hostileNames {
			id := fmt.Sprintf("00000000-0000-0000-0001-%012d", i)
			quoted := strings.ReplaceAll(fmt.Sprintf("%q", name), "$", "$$")
			text += fmt.Sprintf("event64 provider=%s traits=%s schema=%s(%s:u32,%s:struct(%s:u8,%s:u8)[],%s:str8) payload=u32:%d,u16:1,u8:1,u8:2,str8:x\n", id, quoted, quoted, quoted, quoted, quoted, quoted, quoted, i)
			text += fmt.Sprintf("event64 provider=%s traits=%s schema=%s(A:u32) payload=u32:%d\n", id, quoted, "Plain", i)
		}
		return text
	}},
	"a name of 64 KiB": {trace: func() string {
		long := strings.Repeat("x", 40000)
		return fmt.Sprintf("event64 provider=%s traits=%s payload=u8:1\n", hostileID, long+"p") + tl(long+"(A:u8)", "u8:1") + tl("L("+long+":u8)", "u8:1") +
			fmt.Sprintf("full64 guid=bbccf6c1-6cd1-48c4-80ff-839482e37671 type=32 payload=eventinfo:(provider:%s,id:9,pname:%s,fields:(A:u8))\nevent64 provider=%s id=9 payload=u8:1\n", hostileID, long[:30000], hostileID)
	}},
	"classes of the kernel": {trace: func() string {
		text := ""
		for i, name := range []string{"Process", "thread", "DiskIo", "FILEIO", "EventTrace"} {
			text += fmt.Sprintf("event64 provider=00000000-0000-0000-0002-%012d traits=%s schema=Start(process_id:u32,event_ref:u64,trace:u8) payload=u32:1,u64:2,u8:3\n", i, name)
		}
		return text + "system64 hook=0x0524 ver=4 payload=zero:24\n"
	}},
	"a schema for each event":                {trace: func() string { return manySchemas(lowMaxTables + 500) }, problems: []string{"tables_limit"}},
	"a schema for each event, default limit": {trace: func() string { return manySchemas(5000) }, problems: []string{"tables_limit"}, defaults: true},
	"versions of a schema": {trace: func() string { // the columns of one table
		return fmt.Sprintf("repeat 3000 {\n event64 provider=%s schema=E(A$i:u32,B:u32) payload=u32:$i,u32:7\n}\n", hostileID)
	}},
	"many fields":                {trace: func() string { return manyFields(5) }, problems: []string{"schemas_limit", "tables_limit"}},
	"many fields, default limit": {trace: func() string { return manyFields(90) }, problems: []string{"schemas_limit", "tables_limit"}, defaults: true},
	"thousands of columns of a table": {trace: func() string {
		text := ""
		for i := range 200 {
			var fields []string
			for j := range 100 {
				fields = append(fields, fmt.Sprintf("f%d:u8", 100*i+j))
			}
			text += tl("E("+strings.Join(fields, ",")+")", "zero:100")
		}
		return text
	}, problems: []string{"tables_limit"}},
	"thousands of fields": {trace: func() string {
		var different, same []string
		for i := range 3000 {
			different, same = append(different, fmt.Sprintf("f%d:u8", i)), append(same, "f:u8")
		}
		return tl("D("+strings.Join(different, ",")+")", "zero:3000") + tl("S("+strings.Join(same, ",")+")", "zero:3000") + tl("T("+nested(2, strings.Join(different[:100], ","))+")", "zero:100")
	}},
}

// Limits for hostile traces that are small.
const (
	lowMaxTables = 1000
	lowMaxFields = 60_000
)

// manySchemas is n events, each of a schema of its own.
func manySchemas(n int) string {
	return fmt.Sprintf("repeat %d {\n event64 provider=%s schema=E$i(A:u32) payload=u32:$i\n}\n", n, hostileID)
}

// manyFields is n events of 15,001 fields.
func manyFields(n int) (text string) {
	for i := range n {
		text += tl(fmt.Sprintf("E%d(%s)", i, strings.Repeat("a:u8,", 15000)+"b:u8"), "u8:1")
	}
	return text
}

// hostileNames are names of providers, events and fields.
var hostileNames = []string{"../../x", `..\..\x`, "/etc/passwd", "con", "NUL.txt", "", " ", ".", "..", "select", "TABLE", "group", "order by", `a"b`, "a'b", "a\nb", "a;DROP TABLE x;--", "a\x00"[:1], "%s%d", "\x1b[31m",
	"trace", "trace=x", "events", "message", "payload_rest", "event_ref", "Event_Ref", "é", "日本語", "\u202egnp", "a/b", "a*b?[c]", "{}", "$x", strings.Repeat("y", 300), "x__y", "_hidden", "-", "😀"}

// TestHostileSchemas converts traces with hostile descriptions of events: all events stay
// in their header tables, faults are reported, and nothing is written outside the
// dataset. There is no limit on time, because a slow case would not end at all.
func TestHostileSchemas(t *testing.T) {
	t.Parallel()
	testenv.Sequential(t) // but for conversions, which other tests race
	for name, test := range hostileTraces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			root := filepath.Join(folder, "in", "out")
			maxTables, maxFields := lowMaxTables, lowMaxFields
			if test.defaults {
				testenv.All(t, "millions of fields, or thousands of tables")
				maxTables, maxFields = 0, 0
			}
			report := convertHostile(t, root, test.trace(), test.manifest, maxTables, maxFields)
			var codes []string
			for _, p := range report.Problems {
				codes = append(codes, p.Code)
			}
			for _, code := range test.problems {
				if !slices.Contains(codes, code) {
					t.Errorf("no problem %s, but %v", code, codes)
				}
			}
			if report.Rows != report.Events {
				t.Errorf("%d events, %d rows", report.Events, report.Rows)
			}
			tables := 0
			for _, f := range report.Files {
				if rest, ok := strings.CutPrefix(f.File, schema.EventsFolder); ok {
					tables++
					if n := strings.Count(rest, "/"); n != 2 || len(f.File) > 250 {
						t.Errorf("file %q", f.File)
					}
				}
			}
			if tables > cmp.Or(maxTables, catalog.DefaultMaxTables)+10 {
				t.Errorf("%d tables", tables)
			}
			checkOnly(t, folder, "in")
			checkOnly(t, filepath.Join(folder, "in"), "out")
		})
	}
}

// convertHostile converts a trace in the text form, whose buffers hold large events.
func convertHostile(t *testing.T, root, text, manifest string, maxTables, maxFields int) *Report {
	t.Helper()
	trace := etltest.MustParse(t, "trace ptr=64 buffersize=65536\nstream\n"+text)
	path := indextest.Write(t, "hostile.etl", trace)
	o := testOptions
	o.Fields, o.MaxTables, o.Limits.Fields = true, maxTables, maxFields
	if manifest != "" {
		manifests := t.TempDir() // in a folder its errors are warnings
		testenv.WriteFile(t, filepath.Join(manifests, "a.man"), manifest)
		o.Schemas = indextest.OpenFiles(t, []string{manifests}, nil)
	}
	return convertTo(t, root, path, o)
}

// checkOnly checks that a folder has one entry.
func checkOnly(t *testing.T, folder, name string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 1 || entries[0].Name() != name {
		t.Errorf("%s has %v: %v", folder, entries, err)
	}
}

// viewsAnswer is DuckDB's answer about the views of a dataset, by name.
type viewsAnswer struct {
	Columns map[string][][2]string
	Rows    map[string]int64
	Errors  map[string]string
}

// writeViews writes views.sql with the views of all events.
func writeViews(t *testing.T, d *Dataset) {
	t.Helper()
	all := *views.BuiltIn()
	all.MaxEvents = math.MaxInt
	sql, err := all.ScriptOfPieces(t.Context(), []views.Piece{{Dataset: d.Dataset}}, nil)
	if err == nil {
		err = d.WriteViews(t.Context(), sql)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readViews lets DuckDB read all views of a dataset in a folder, and the values of one. Errors fail the test.
func readViews(t *testing.T, python *interop.Python, folder, valuesOf string) viewsAnswer {
	t.Helper()
	var answers []viewsAnswer
	python.Run(t, "views.py", []map[string]string{{"folder": folder, "sql": viewsName, "values_of": valuesOf}}, &answers)
	for view, text := range answers[0].Errors {
		t.Errorf("%s: %s", view, text)
	}
	return answers[0]
}

// TestHostileViews lets DuckDB read the views of hostile traces.
func TestHostileViews(t *testing.T) {
	t.Parallel()
	python := interop.NewPython(t)
	folder := t.TempDir()
	d := openDataset(t, folder)
	want := make(map[string]int64) // rows by trace
	tables := make(map[string]bool)
	for _, name := range []string{"names", "a name of 64 KiB", "classes of the kernel", "structures without members", "versions of a schema", "thousands of fields"} {
		trace := partname.OfTraces([]string{name})[0]
		o := testOptions
		o.Fields = true
		path := indextest.Write(t, "hostile.etl", etltest.MustParse(t, "trace ptr=64 buffersize=65536\nstream\n"+hostileTraces[name].trace()))
		report, err := convertFile(context.Background(), d, path, trace, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Files {
			tables[f.Table] = true
			if strings.HasPrefix(f.File, schema.EventsFolder) {
				want[trace] += f.Rows
			}
		}
	}
	writeViews(t, d)
	answer := readViews(t, python, folder, "x")
	start := slices.IndexFunc(answer.Columns["process_provider_start"], func(c [2]string) bool { return c[0] == "payload_trace" })
	if start < 0 {
		t.Errorf("the field trace, which has the name of a column of all files, is not among %v", answer.Columns["process_provider_start"])
	}
	var got, all int64
	for _, n := range want {
		all += n
	}
	views := make(map[string]bool)
	for table := range tables {
		if view := schema.ViewName(table); strings.HasPrefix(table, schema.EventsFolder) && !views[view] {
			views[view] = true
			if n, ok := answer.Rows[view]; !ok || n == 0 {
				t.Errorf("view %s has %d rows, %t", view, n, ok)
			}
			got += answer.Rows[view]
		}
	}
	if got != all || len(tables) < 80 {
		t.Errorf("the views of %d tables have %d rows, want %d", len(tables), got, all)
	}
}
