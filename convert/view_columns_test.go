package convert

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/store"
)

// TestSplitNames: of a name, the simplest type keeps it, whatever the traces
// are called, and no name is given twice.
func TestSplitNames(t *testing.T) {
	for _, test := range []struct {
		columns []string // of the traces, as name type;...
		want    string
	}{
		{[]string{"x INT32", "x STRING", "x DOUBLE;y BINARY"}, ""},
		{[]string{"x LIST<INT32>", "x INT32"}, "x LIST<INT32>=x_int32_list"},
		{[]string{"x LIST<INT32>", "x LIST<UINT64>", "x STRING"}, "x LIST<INT32>=x_int32_list x LIST<UINT64>=x_int32_list"},
		{[]string{"x TIMESTAMP", "x BINARY"}, "x BINARY=x_binary"},
		{[]string{"x INT32;x_binary INT64", "x BINARY", "x_binary LIST<STRING>"}, "x BINARY=x_binary_2 x_binary LIST<STRING>=x_binary_string_list"},
		{[]string{"x STRUCT<a INT32>", "x STRUCT<b INT32>"}, ""},
		{[]string{"x STRUCT<a INT32>", "x STRUCT<a BINARY>", "x STRUCT<a TIMESTAMP, b INT32>", "x INT64"},
			"x STRUCT<a BINARY>=x_struct x STRUCT<a INT32>=x_struct_2 x STRUCT<a TIMESTAMP, b INT32>=x_struct_3"},
		{[]string{"x STRUCT<a STRUCT<b INT32>>", "x STRUCT<a STRUCT<b LIST<INT32>>>"}, "x STRUCT<a STRUCT<b LIST<INT32>>>=x_struct"},
		{[]string{"x nonsense", "x INT32"}, ""},
	} {
		for range 2 {
			s := tableShapes{"t": {"": nil, "no JSON": nil}}
			for i, columns := range test.columns {
				types := make(map[string]string)
				for _, c := range strings.Split(columns, ";") {
					name, kind, _ := strings.Cut(c, " ")
					types[name] = kind
				}
				text, err := json.Marshal(types)
				if err != nil {
					t.Fatal(err)
				}
				s["t"][string(text)] = []string{fmt.Sprint(i)}
			}
			var got []string
			for c, name := range s.splitNames([]string{"t"}) {
				got = append(got, c.name+" "+c.kind+"="+name)
			}
			slices.Sort(got)
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%q: %s, want %s", test.columns, text, test.want)
			}
			slices.Reverse(test.columns)
		}
	}
}

// TestRecordColumns: the record has the columns of tables that differ from
// trace to trace, and of no other.
func TestRecordColumns(t *testing.T) {
	root := t.TempDir()
	d, err := OpenDataset(root)
	if err != nil {
		t.Fatal(err)
	}
	trace := "trace ptr=64 buffersize=65536\nstream\n" + tl("E(A:u8[],Time:u32)", "zero:8") + "\nperfinfo64 hook=0x0524 ver=4 payload=zero:24\n"
	if _, err := convertFile(context.Background(), d, indextest.Write(t, "t.etl", etltest.MustParse(t, trace)), "t", testOptions); err != nil {
		t.Fatal(err)
	}
	r, err := d.Record(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	with := 0
	for _, f := range r.Files {
		if f.Columns == nil {
			continue
		}
		with++
		if want := map[string]string{"a": "LIST<INT32>", "time": "INT64", "payload_rest": "BINARY"}; !maps.Equal(f.Columns, want) || f.Table != "events/"+hostileID+"/E" {
			t.Errorf("%s has %v, want %v", f.Table, f.Columns, want)
		}
	}
	if with != 1 {
		t.Errorf("%d files with columns", with)
	}
}

// vanishingStore removes the commit records when they have been listed.
type vanishingStore struct{ store.Store }

func (s vanishingStore) List(ctx context.Context, folder string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		for entry, err := range s.Store.List(ctx, folder) {
			if err == nil && folder == recordsFolder {
				err = s.Remove(ctx, entry.Name)
			}
			if !yield(entry, err) {
				return
			}
		}
	}
}

// TestViewsBesideOthers: another run may take a record away, to put a new one
// in its place, while the views are made.
func TestViewsBesideOthers(t *testing.T) {
	folder := t.TempDir()
	d, err := OpenDataset(folder)
	if err != nil {
		t.Fatal(err)
	}
	path := indextest.Write(t, "a.etl", etltest.MustParse(t, "trace ptr=64 buffersize=65536\nstream\n"+tl("E(A:u8)", "zero:8")))
	if _, err := convertFile(t.Context(), d, path, "a", testOptions); err != nil {
		t.Fatal(err)
	}
	d.store = vanishingStore{d.store}
	if err := d.WriteViews(t.Context()); err != nil {
		t.Error(err)
	}
}
