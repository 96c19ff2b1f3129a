package interop_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
)

// everyTable is a trace that gives every table a file.
const everyTable = `
trace buffersize=4096 clock=qpc freq=10000000
header
buffer cpu=0
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
	trace, err := etltest.Parse(everyTable)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(folder, "every.etl")
	// A problem gives the table problems a row: the file ends in the middle of a buffer.
	if err := os.WriteFile(path, append(trace, trace[4096:4096+100]...), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// viewsAnswer is what DuckDB makes of a views.sql.
type viewsAnswer struct {
	Columns map[string][][2]string
	Rows    map[string]int64
	Events  map[string][2]int64
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

	views := []string{"events"}
	payloads := make(map[string]bool) // of which the trace has some only
	for _, table := range schema.Tables() {
		views = append(views, table.ViewName())
		payloads[table.ViewName()] = table.IsPayload()
	}
	slices.Sort(views)
	every := answers[1]
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			got := answers[i]
			if list := slices.Sorted(maps.Keys(got.Columns)); !slices.Equal(list, views) {
				t.Errorf("views %v, want %v", list, views)
			}
			for _, view := range views {
				if has := got.Rows[view] > 0; has != (i > 0) && (has || !payloads[view]) {
					t.Errorf("view %s has %d rows", view, got.Rows[view])
				}
				if !reflect.DeepEqual(got.Columns[view], every.Columns[view]) {
					t.Errorf("view %s has the columns\n%v, want\n%v", view, got.Columns[view], every.Columns[view])
				}
			}
			if i > 0 && got.Events["every"] != [2]int64{22, 22} {
				t.Errorf("events %v, want 22 of the trace every", got.Events)
			}
		})
	}
}

// TestViewsOfRealTraces finds every event of every real trace once.
func TestViewsOfRealTraces(t *testing.T) {
	python := interop.NewPython(t)
	root := realDataset(t)
	var answers []viewsAnswer
	python.Run(t, "views.py", []map[string]string{{"folder": root, "sql": "views.sql"}}, &answers)
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
