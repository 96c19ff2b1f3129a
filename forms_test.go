package etl2parquet_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

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
