package etl2parquet_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestOpenAllOfSome checks that an input that cannot be read does not prevent the others, and that
// traces of one file name have different names.
func TestOpenAllOfSome(t *testing.T) {
	folder := t.TempDir()
	sample := testenv.ReadFile(t, "testdata/sample.etl")
	for name, data := range map[string][]byte{"a/x.etl": sample, "b/x.etl": sample, "bad.etl": []byte("no trace")} {
		path := filepath.Join(folder, name)
		testenv.WriteFile(t, path, data)
	}
	traces := openAll(t, []string{folder}, etl2parquet.Options{})
	if failed := traces.Failed(); len(failed) != 1 || filepath.Base(failed[0].Input) != "bad.etl" || failed[0].Err == nil {
		t.Errorf("failed: %v", failed)
	}
	all := traces.All()
	if len(all) != 2 || all[0].Name() == all[1].Name() || !strings.HasPrefix(all[0].Name(), "x-") {
		t.Errorf("traces %v", all)
	}
	n := 0
	for e, err := range traces.Events(t.Context(), etl2parquet.Scan{Selection: facts.Selection{Events: []string{"CSwitch"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		if id, ok := e.Field("new_thread_id"); n == 0 && (!ok || id != int64(5208)) {
			t.Errorf("first event: new_thread_id %v", id)
		}
		n++
	}
	if n != 240 {
		t.Errorf("%d events, want 240", n)
	}
	if _, err := traces.Scan(t.Context(), etl2parquet.Scan{Table: "nothing"}); !errors.Is(err, etl2parquet.ErrNoTable) {
		t.Errorf("unknown table: %v", err)
	}
	if _, err := traces.Scan(t.Context(), etl2parquet.Scan{Columns: []string{"nothing"}}); !errors.Is(err, etl2parquet.ErrNoColumn) {
		t.Errorf("unknown column: %v", err)
	}
	if _, err := etl2parquet.OpenAll(t.Context(), []string{filepath.Join(folder, "bad.etl")}, etl2parquet.Options{}); err == nil {
		t.Error("no trace can be read, and there is no error")
	}
}

// TestOpenURL opens a trace on a web server, and one on a server that does not answer.
func TestOpenURL(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	defer server.Close()
	traces := openAll(t, []string{server.URL + "/sample.etl", "http://127.0.0.1:1/x.etl"}, etl2parquet.Options{})
	if all, failed := traces.All(), traces.Failed(); len(all) != 1 || len(failed) != 1 || failed[0].Input != "http://127.0.0.1:1/x.etl" {
		t.Errorf("%d traces, failed: %v", len(all), failed)
	}
}

// formTrace writes a trace of events with these schemas and payloads, and returns its path.
func formTrace(t *testing.T, folder, name string, events ...string) string {
	t.Helper()
	text := "trace ptr=64 buffersize=65536\nstream\n"
	for i := 0; i < len(events); i += 2 {
		text += "event64 provider=00000000-0000-0000-0000-0000000000bb schema=" + events[i] + " payload=" + events[i+1] + "\n"
	}
	path := filepath.Join(folder, name)
	testenv.WriteFile(t, path, etltest.MustParse(t, text))
	return path
}

// TestTracesOfForms reads a table whose columns differ between traces.
func TestTracesOfForms(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	formTrace(t, folder, "a.etl", "E(A:u32,S:struct(X:u8))", "u32:1,u8:2", "Only(B:u8)", "u8:1")
	formTrace(t, folder, "b.etl", "E(S:struct(Y:str8,X:u64),A:str8,L:struct(Z:u8)[])", "str8:y,u64:5,str8:a,u16:1,u8:7")
	traces := openAll(t, []string{folder}, etl2parquet.Options{})
	table, err := traces.Table("00000000_0000_0000_0000_0000000000bb_e")
	if err != nil || table.Rows != 2 {
		t.Fatalf("%d rows, %v", table.Rows, err)
	}
	for column, want := range map[string]string{"a": "STRING", "s": "STRUCT<x UINT64, y STRING>", "l": "LIST<STRUCT<z INT32>>"} {
		if at := table.Definition.Column(column); at < 0 || table.Definition.Columns[at].TypeName() != want {
			t.Errorf("column %s: %d, want %s", column, at, want)
		}
	}
	// What a trace lacks is NULL, through the rows of one trace as of the other table, too.
	const want = `{"s":{"x":2},"a":"1"}` + "\n" + `{"s":{"x":5,"y":"y"},"a":"a","l":[{"z":7}]}` + "\n"
	var b strings.Builder
	for _, trace := range traces.All() {
		if _, err := trace.Write(t.Context(), &b, etl2parquet.Scan{Table: table.Name, As: table.Definition, Columns: []string{"s", "a", "l"}}, etl2parquet.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != want {
		t.Errorf("%s, want %s", b.String(), want)
	}
	reader, err := traces.Scan(t.Context(), etl2parquet.Scan{Table: table.Name, Columns: []string{"s", "a", "l"}})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	var rows []string
	for reader.Next() {
		text, err := reader.RecordBatch().MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, string(text))
	}
	const merged = `[{"a":"1","l":null,"s":{"x":2,"y":null},"trace":"a"},{"a":"a","l":[{"z":7}],"s":{"x":5,"y":"y"},"trace":"b"}]`
	if got := strings.ReplaceAll(strings.Join(rows, ""), "\n", ""); got != merged || reader.Err() != nil {
		t.Errorf("%s, %v, want %s", got, reader.Err(), merged)
	}
	first := traces.All()[0]
	own, err := first.Table(table.Name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := traces.All()[1].Scan(t.Context(), etl2parquet.Scan{Table: table.Name, As: own.Definition}); err == nil {
		t.Error("rows of a table that is too narrow")
	}
}

// TestEventSourceForms checks that an event of an EventSource that views read has the same columns in
// a trace whose manifest is older, and in traces together of which one lacks it.
func TestEventSourceForms(t *testing.T) {
	const name = "System.Threading.Tasks.TplEventSource/TaskScheduled/Send"
	var columns [][]string
	for _, inputs := range [][]string{{"traces/net.4.5.2.x86.etl"}, {"traces/net.4.5.2.x86.etl", "traces/HTTP_Server.etl"}, {"traces/HTTP_Server.etl"}} {
		for i := range inputs {
			inputs[i] = testenv.Shared(t, inputs[i])
		}
		traces := openAll(t, inputs, etl2parquet.Options{})
		table, err := traces.Table(name)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range table.Definition.Columns {
			list = append(list, c.Name)
		}
		slices.Sort(list)
		columns = append(columns, list)
	}
	for _, list := range columns[1:] {
		if diff := cmp.Diff(columns[0], list); diff != "" {
			t.Errorf("-alone +others:\n%s", diff)
		}
	}
	if !slices.Contains(columns[0], "app_domain") {
		t.Errorf("%v has not the columns of newer versions", columns[0])
	}
}
