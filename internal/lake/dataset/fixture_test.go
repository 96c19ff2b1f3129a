package dataset

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/internal/lake/store/storetest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

const aBundle, otherBundle = "bundle_0123456789abcdef", "bundle_fedcba9876543210"

// golden compares text with a file in testdata, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testenv.Golden(t, filepath.Join("testdata", name+".golden"), got)
}

// tables are numbers of rows, by the name of a table.
type tables map[string]int

// output returns an output with files of these tables.
func output(t testing.TB, d *Dataset, part string, of tables) *Output {
	t.Helper()
	o := d.NewOutput(part)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		addFile(t, o, name, of[name])
	}
	return o
}

// addFile adds a file with rows to an output.
func addFile(t testing.TB, o *Output, table string, rows int) *parquet.File {
	t.Helper()
	codec, err := parquet.NewCodec("")
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.NewFile(nil, &schema.Table{Name: table, Columns: []schema.Column{{Name: "x", Type: schema.Int32}}}, parquet.Options{Codec: codec})
	if err != nil {
		t.Fatal(err)
	}
	w, err := o.Create(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	file.SetWriter(w)
	b := columns.NewBatch(file.Table)
	for range rows {
		b.Columns[0].Int32(int32(rows))
		b.Rows++
	}
	g := file.RowGroup()
	if err := errors.Join(g.Write(b), g.Finish(), g.Commit()); err != nil {
		t.Fatal(err)
	}
	return file
}

// recordOf returns a record of a part, not yet committed.
func recordOf(part string, traces ...string) *Record {
	r := &Record{Tool: "test", Part: part}
	for _, trace := range traces {
		r.Traces = append(r.Traces, TraceRecord{Trace: trace, Input: trace + ".etl"})
	}
	return r
}

// loaded returns the dataset in a store.
func loaded(t testing.TB, m *storetest.Memory) *Dataset {
	t.Helper()
	d := New(m)
	if err := d.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// commit commits a trace with these tables.
func commit(t testing.TB, m *storetest.Memory, trace string, of tables) {
	t.Helper()
	d := loaded(t, m)
	r := recordOf(trace, trace)
	r.Traces[0].Events = int64(of["event_header"])
	r.Traces[0].Rows = r.Traces[0].Events
	if err := output(t, d, trace, of).Commit(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
}

// commitBundle commits a bundle with these tables.
func commitBundle(t testing.TB, m *storetest.Memory, bundle string, of tables, traces ...string) {
	t.Helper()
	r := recordOf(bundle, traces...)
	r.Traces[0].Events = int64(of["event_header"])
	if err := output(t, loaded(t, m), bundle, of).Commit(t.Context(), r, nil); err != nil {
		t.Fatal(err)
	}
}

// smallDataset has the traces a and b, and a bundle of the traces c and d.
func smallDataset(t testing.TB) *storetest.Memory {
	t.Helper()
	m := new(storetest.Memory)
	commit(t, m, "a", tables{"traces": 1, "event_header": 3, "events/P/E": 2})
	commit(t, m, "b", tables{"traces": 1, "event_header": 4})
	commitBundle(t, m, aBundle, tables{"traces": 2, "event_header": 5}, "c", "d")
	m.Put(ViewsFile, "views", time.Now())
	m.Log()
	return m
}

// damage is a change of smallDataset.
type damage struct {
	name string
	do   func(m *storetest.Memory)
}

// edit replaces text in a file.
func edit(name string, oldNew ...string) func(*storetest.Memory) {
	return func(m *storetest.Memory) {
		text := m.Files()[name]
		for i := 0; i < len(oldNew); i += 2 {
			if !strings.Contains(text, oldNew[i]) {
				panic(oldNew[i] + " is not in " + text)
			}
			text = strings.ReplaceAll(text, oldNew[i], oldNew[i+1])
		}
		m.Put(name, text, time.Now())
	}
}

// put adds a file.
func put(name, contents string) func(*storetest.Memory) {
	return func(m *storetest.Memory) { m.Put(name, contents, time.Now()) }
}

// copied adds a copy of a file that a commit wrote.
func copied(name string) func(*storetest.Memory) {
	return func(m *storetest.Memory) { m.Put(name, m.Files()["event_header/a.parquet"], time.Now()) }
}

// removed removes files.
func removed(names ...string) func(*storetest.Memory) {
	return func(m *storetest.Memory) {
		if err := m.Remove(context.Background(), names...); err != nil {
			panic(err)
		}
	}
}

// begun leaves a temporary file.
func begun(name string) func(*storetest.Memory) {
	return func(m *storetest.Memory) {
		if _, err := m.Create(context.Background(), name); err != nil {
			panic(err)
		}
	}
}

func emptyFolder(name string) func(*storetest.Memory) {
	return func(m *storetest.Memory) { m.EmptyFolders = append(m.EmptyFolders, name) }
}

var damages = []damage{
	{"nothing", func(*storetest.Memory) {}},
	{"a file is missing", removed("event_header/a.parquet")},
	{"a file is shorter", func(m *storetest.Memory) {
		m.Put("event_header/a.parquet", m.Files()["event_header/a.parquet"][1:], time.Now())
	}},
	{"a file is no Parquet", func(m *storetest.Memory) {
		m.Put("event_header/a.parquet", strings.Repeat("x", len(m.Files()["event_header/a.parquet"])), time.Now())
	}},
	{"a file has other contents", func(m *storetest.Memory) {
		b := []byte(m.Files()["event_header/a.parquet"])
		b[10] ^= 1
		m.Put("event_header/a.parquet", string(b), time.Now())
	}},
	{"a record counts fewer rows", edit(recordFile("a"), `"rows": 3,
      "bytes"`, `"rows": 2,
      "bytes"`)},
	{"a record counts more events", edit(recordFile("a"), `"events": 3`, `"events": 4`)},
	{"a record counts more events, of which some are selected", edit(recordFile("a"), `"events": 3`, `"events": 4`, `"payload": ""`, `"payload": "", "to": "1s"`)},
	{"a record counts fewer events", edit(recordFile("a"), `"events": 3`, `"events": 2`)},
	{"a record counts fewer events, of which some are selected", edit(recordFile("a"), `"events": 3`, `"events": 2`, `"payload": ""`, `"payload": "", "from": "1s"`)},
	{"a record counts fewer events than payloads", edit(recordFile("a"), `"events": 3`, `"events": 1`, `"payload": ""`, `"payload": "", "columns": ["x"]`)},
	{"a record without the table traces", edit(recordFile("a"), `"table": "traces"`, `"table": "buffers"`, `"file": "traces/`, `"file": "buffers/`)},
	{"a record without the table traces, which is not selected", edit(recordFile("a"), `"table": "traces"`, `"table": "buffers"`, `"file": "traces/`, `"file": "buffers/`, `"payload": ""`, `"payload": "", "tables": ["x"]`)},
	{"a record is no JSON", edit(recordFile("a"), "{", "[")},
	{"a record of a later version", edit(recordFile("a"), `"format": 4`, `"format": 5`)},
	{"a record without a format", edit(recordFile("a"), `"format": 4`, `"format": 0`)},
	{"a record of another part", edit(recordFile("a"), `"part": "a"`, `"part": "b"`)},
	{"a record of two traces with the name of a trace", edit(recordFile("a"), `"traces": [`, `"traces": [{"trace": "e"},`)},
	{"a record of another trace", edit(recordFile("a"), `"trace": "a"`, `"trace": "e"`)},
	{"a record names a file of another part", edit(recordFile("a"), `"file": "traces/a.`, `"file": "traces/b.`)},
	{"a record names a file of another table", edit(recordFile("a"), `"file": "traces/a.`, `"file": "buffers/a.`)},
	{"a record names a file outside", edit(recordFile("a"), `"file": "traces/a.`, `"file": "../traces/a.`)},
	{"a record names a file twice", edit(recordFile("a"), `"table": "traces"`, `"table": "event_header"`, `"file": "traces/a.`, `"file": "event_header/a.`)},
	{"a record with fewer than no rows", edit(recordFile("a"), `"rows": 2,`, `"rows": -2,`)},
	{"a record with fewer than no bytes", edit(recordFile("a"), `"bytes": 1`, `"bytes": -1`)},
	{"a record without a checksum", edit(recordFile("a"), `"crc32c": "`, `"crc32c": "", "x": "`)},
	{"a trace of two parts", edit(recordFile(aBundle), `"trace": "d"`, `"trace": "b"`)},
	{"no record", removed(recordFile("a"))},
	{"no record of a bundle", removed(recordFile(aBundle))},
	{"no records", removed(recordFile("a"), recordFile("b"), recordFile(aBundle))},
	{"no records that can be read", func(m *storetest.Memory) {
		for _, part := range []string{"a", "b", aBundle} {
			put(recordFile(part), "{")(m)
		}
	}},
	{"no views", removed(ViewsFile)},
	{"files without a part", func(m *storetest.Memory) {
		for _, name := range []string{"traces/e.parquet", "events/P/E/e_1.parquet", "traces/" + otherBundle + ".parquet", "events/X/Y/a.parquet"} {
			copied(name)(m)
		}
	}},
	{"files of other programs", func(m *storetest.Memory) {
		for _, name := range []string{
			"traces/mine.parquet", "events/P/E/mine.parquet", "events/P/mine.parquet", "events/mine.parquet", "traces/x/mine.parquet", "traces/.mine.parquet", "traces/mine.csv",
			"mine/x.parquet", "mine.parquet", "_traces/notes.txt", "_traces/x/a.json",
		} {
			put(name, "mine")(m)
		}
	}},
	{"temporary files", func(m *storetest.Memory) {
		for _, name := range []string{"traces/e.parquet", recordFile("e"), ViewsFile, "mine/x.parquet"} {
			begun(name)(m)
		}
	}},
	{"empty folders", func(m *storetest.Memory) {
		for _, name := range []string{"buffers/", "events/", "events/Q/", "events/Q/E/", "events/Q/E/x/", "_traces/", "mine/", "traces/x/"} {
			emptyFolder(name)(m)
		}
	}},
}

// shortNames makes lines of goldens shorter.
var shortNames = strings.NewReplacer(aBundle, "bundle_A", otherBundle, "bundle_B")

var errFull = errors.New("the disk is full")
