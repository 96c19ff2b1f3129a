package interop_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// everyTable is a trace that gives every table a file.
const everyTable = `
trace buffersize=4096 clock=qpc freq=10000000
header
buffer cpu=0
perfinfo64 hook=0x0303 ver=4 payload=u64:0xffff800000000040,u32:100,u32:4,u32:1,u32:259,u64:0,u32:0,u32:0,str8:"a.exe",str16:"a",str16:"",str16:""
system64 hook=0x0501 ver=3 pid=100 tid=8 payload=u32:100,u32:400,zero:40,u64:0x7ff00,u64:0,u32:0,u8:8,u8:5,u8:2,u8:0
perfinfo64 hook=0x1404 ver=3 payload=u64:0xfffff80000001000,u64:0x2000,u32:0,u32:1,u32:2,u32:0,u64:0,zero:16,str16:"\\Windows\\kernel.exe"
perfinfo64 hook=0x0424 ver=2 payload=u64:0xffff900000000010,str16:"\\data.bin"
event64 provider=e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 id=143 ver=1 pid=100 tid=400 payload=u64:1,u64:2,u64:0x7ff8000,u32:64,u32:3,u32:8,str16:"App",str16:"Run",str16:"void ()",u16:1
repeat 3 dt=10us {
  system64 hook=0x0524 ver=4 pid=4 tid=8 payload=u32:$i
  perfinfo64 hook=0x0529 ver=3 payload=u32:$i
  full64 guid=9e814aad-3204-11d2-9a82-006008a86939 type=$i level=4 ver=2 pid=4 tid=8 payload=u32:$i
  instance64 guid=9e814aad-3204-11d2-9a82-006008a86939 type=$i pid=4 tid=8 instance=$i parent=7 parentguid=9e814aad-3204-11d2-9a82-006008a86930 payload=u32:$i
  event64 provider=22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716 id=$i ver=1 pid=4 tid=8 stack64=1:2,3 payload=u32:$i
  message number=$i guid=b1a7c3d2-5e4f-3a6b-8c9d-0e1f2a3b4c5d pid=4 tid=12 payload=u32:$i
  error bytes=0102030405060708
}
`

func writeEveryTable(t testing.TB, folder string) (path string) {
	t.Helper()
	trace := etltest.MustParse(t, everyTable)
	path = filepath.Join(folder, "every.etl")
	// The file ends in the middle of a buffer: this problem gives the table problems a row.
	testenv.WriteFile(t, path, append(trace, trace[4096:4096+100]...))
	return path
}

// viewsAnswer is DuckDB's answer about a views.sql.
type viewsAnswer struct {
	Columns map[string][][2]string
	Rows    map[string]int64
	Errors  map[string]string
	Events  map[string][2]int64
}

// kernelAliases returns the views of the kernel's events, by their names with the id.
func kernelAliases() map[string]string {
	of := make(map[string]string)
	for _, table := range schema.Tables() {
		if names := table.EventNames(); table.IsPayload() && names.Alias() != "" && names.Alias() != table.ViewName() {
			of[names.Alias()] = table.ViewName()
		}
	}
	return of
}

// TestViews runs views.sql of several datasets in DuckDB.
func TestViews(t *testing.T) {
	python := interop.NewPython(t)
	folder := t.TempDir()
	input := writeEveryTable(t, folder)
	var questions []map[string]string
	add := func(root string, inputs ...string) {
		t.Chdir(folder)
		if err := convertAll(root, inputs); err != nil {
			t.Fatal(err)
		}
		questions = append(questions, map[string]string{"folder": folder, "sql": filepath.Join(root, "views.sql")})
	}
	add(filepath.Join(folder, "empty"))
	add(filepath.Join(folder, "every"), input)
	add("relative", input)
	add(filepath.Join(folder, "it's [a] {b} c;d, 100% -- é"), input)
	add(".", input)
	names := []string{"no trace", "a row in every table", "path relative to where it was written", "awkward path", "the folder itself"}
	answers := make([]viewsAnswer, len(questions))
	python.Run(t, "views.py", questions, &answers)

	var wanted []string
	payloads := make(map[string]bool) // the trace has only some of these views
	for _, table := range schema.Tables() {
		wanted = append(wanted, table.ViewName())
		payloads[table.ViewName()] = table.IsPayload()
	}
	payloads[schema.CompactSwitches.ViewName()] = true // the trace has no batches
	for _, view := range views.BuiltIn().All() {
		wanted = append(wanted, view.Name)
		payloads[view.Name] = view.Name != schema.EventsName
	}
	for _, view := range []string{"microsoft_windows_dotnetruntime_method_loadverbose", "microsoft_windows_kernel_process_processstart_start", "microsoft_windows_kernel_process_processstop_stop",
		"microsoft_windows_dotnetruntime_143", "microsoft_windows_kernel_process_1", "microsoft_windows_kernel_process_2"} {
		wanted = append(wanted, view) // the trace has these events of providers, which the catalogue describes
		payloads[view] = true
	}
	for alias := range kernelAliases() {
		wanted = append(wanted, alias)
		payloads[alias] = true
	}
	for _, table := range views.BuiltIn().CatalogueTables() {
		wanted = append(wanted, table.ViewName())
		payloads[table.ViewName()] = true
	}
	every := answers[1]
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			got := answers[i]
			for _, view := range slices.Sorted(maps.Keys(got.Columns)) {
				if !slices.Contains(wanted, view) {
					t.Errorf("view %s has no source", view)
				}
			}
			for _, view := range wanted {
				if got.Columns[view] == nil {
					if !payloads[view] { // views of payloads exist only if they have rows
						t.Errorf("no view %s", view)
					}
					continue
				}
				if has := got.Rows[view] > 0; has != (i > 0) && (has || !payloads[view]) {
					t.Errorf("view %s has %d rows", view, got.Rows[view])
				}
				if want := every.Columns[view]; want != nil && !reflect.DeepEqual(got.Columns[view], want) {
					t.Errorf("view %s has the columns\n%v, want\n%v", view, got.Columns[view], want)
				}
			}
			if i > 0 && got.Events["every"] != [2]int64{27, 27} {
				t.Errorf("events %v, want 27 of the trace every", got.Events)
			}
		})
	}
}

// TestViewsMoved runs views.sql of a moved or copied dataset in several working folders:
// it finds the dataset, in some of them by a variable.
func TestViewsMoved(t *testing.T) {
	python := interop.NewPython(t)
	folder := t.TempDir()
	inputs := []string{writeEveryTable(t, folder), filepath.Join(folder, "more.etl")}
	every := testenv.ReadFile(t, inputs[0])
	testenv.WriteFile(t, inputs[1], every)
	at := func(name string) string { return filepath.Join(folder, name) }
	for name, n := range map[string]int{"here": 1, "before": 1, "original": 2} {
		if err := convertAll(at(name), inputs[:n]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(at("copy"), os.DirFS(at("original"))); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(at("original"), "event_header")); err != nil { // so that the copy cannot read it
		t.Fatal(err)
	}
	for _, name := range []string{"is [a] *", "elsewhere"} {
		if err := os.Mkdir(at(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	moved := filepath.Join(at("is [a] *"), "it's moved")
	if err := os.Rename(at("before"), moved); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		folder string // DuckDB's working folder
		sql    string
		set    string // the variable
		traces int
	}{
		{"moved, in it", moved, "views.sql", "", 1},
		{"moved, the variable is set", at("elsewhere"), filepath.Join(moved, "views.sql"), moved, 1},
		{"moved, a relative path is set", folder, filepath.Join(moved, "views.sql"), "is [a] */it's moved", 1},
		{"not moved, elsewhere", at("elsewhere"), filepath.Join(at("here"), "views.sql"), "", 1},
		{"copied, in it", at("copy"), "views.sql", "", 2},
	}
	var questions []map[string]string
	for _, test := range tests {
		questions = append(questions, map[string]string{"folder": test.folder, "sql": test.sql, "dataset": test.set})
	}
	answers := make([]viewsAnswer, len(questions))
	python.Run(t, "views.py", questions, &answers)
	for i, test := range tests {
		if got := answers[i].Events; len(got) != test.traces || got["every"] != [2]int64{27, 27} {
			t.Errorf("%s: events by trace %v, want %d traces", test.name, got, test.traces)
		}
	}
}

// TestViewsOfRealTraces finds every event of every real trace once, and reads all rows of
// the start views.
func TestViewsOfRealTraces(t *testing.T) {
	python := interop.NewPython(t)
	root := realDataset(t)
	var start []string
	for _, view := range startViews() {
		start = append(start, view.Name)
	}
	var answers []viewsAnswer
	python.Run(t, "views.py", []map[string]any{{"folder": root, "sql": "views.sql", "values_of": start}}, &answers)
	checkStartViews(t, &answers[0])
	got := answers[0].Events
	var events int64
	counts := realCounts(t)
	for trace, want := range counts {
		if got[trace] != [2]int64{want.Total, want.Total} {
			t.Errorf("%s: %d events, %d distinct ones, want %d", trace, got[trace][0], got[trace][1], want.Total)
		}
		events += got[trace][0]
	}
	if len(got) != len(counts) {
		t.Errorf("%d traces, want %d", len(got), len(counts))
	}
	t.Logf("SCORE views: %d events of %d traces", events, len(got))
}

// startViews returns the views but events, whose values take long to read.
func startViews() []*views.View {
	return slices.DeleteFunc(slices.Clone(views.BuiltIn().All()), func(v *views.View) bool { return v.Name == schema.EventsName })
}

// startTables has the tables of which a start view has each row exactly once.
var startTables = map[string][]string{
	"cpu_samples":      {"perfinfo_sampleprof"},
	"context_switches": {"thread_cswitch"},
	"disk_io":          {"diskio_read", "diskio_write", "diskio_flushbuffers", "diskio_opticalread", "diskio_opticalwrite", "diskio_opticalflushbuffers"},
	"file_io": {"fileio_create", "fileio_cleanup", "fileio_close", "fileio_read", "fileio_write", "fileio_setinfo", "fileio_delete", "fileio_rename",
		"fileio_direnum", "fileio_dirnotify", "fileio_flush", "fileio_queryinfo", "fileio_fscontrol"},
	"process_tree": {"processes"},
}

// checkStartViews checks that the start views can be read, and their numbers of rows.
func checkStartViews(t *testing.T, got *viewsAnswer) {
	t.Helper()
	for view, err := range got.Errors {
		t.Errorf("%s: %s", view, err)
	}
	for _, view := range startViews() {
		rows := got.Rows[view.Name]
		t.Logf("SCORE view %s: %d rows", view.Name, rows)
		tables := startTables[view.Name]
		if tables == nil {
			continue
		}
		var want int64
		for _, table := range tables {
			want += got.Rows[table]
		}
		if rows != want {
			t.Errorf("%s: %d rows, want %d", view.Name, rows, want)
		}
	}
	if loads := got.Rows["image_loads"]; loads == 0 || loads > got.Rows["images"] {
		t.Errorf("%d rows of image_loads, of %d images", loads, got.Rows["images"])
	}
}
