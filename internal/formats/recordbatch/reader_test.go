package recordbatch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet/schema"
)

// common are fields that a row shares with others.
type common struct {
	Int     int64  `column:"i" null:"-1"`
	Pointer *int64 `column:"i"`
}

// everyField is a row with a field of each type, and some whose columns have another type or are missing.
type everyField struct {
	common
	Unsigned int64    `column:"u"`
	Time     *int64   `column:"t"`
	Text     string   `column:"s"`
	Bytes    []byte   `column:"b"`
	Texts    []string `column:"l"`
	Numbers  []uint64 `column:"n"`

	NoInt   int64  `column:"s" null:"7"`
	NoText  string `column:"i"`
	NoList  []byte `column:"l"`
	Missing *int64 `column:"other"`
}

// wide is a table with the columns of everyField but one.
func wide() *schema.Table {
	column := func(name string, t schema.Type) schema.Column {
		return schema.Column{Name: name, Type: t, Nullable: true}
	}
	table := &schema.Table{Name: "wide", Columns: []schema.Column{
		column("i", schema.Int32), column("u", schema.Uint64), column("t", schema.Timestamp), column("s", schema.String), column("b", schema.Binary),
		column("l", schema.String), column("n", schema.Uint64),
	}}
	table.Columns[5].List, table.Columns[6].List = true, true
	return table
}

// readerOf returns the rows of batches of JSON.
func readerOf(t *testing.T, s *arrow.Schema, batches ...string) array.RecordReader {
	t.Helper()
	var list []arrow.RecordBatch
	for _, text := range batches {
		batch, _, err := array.RecordFromJSON(memory.DefaultAllocator, s, strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, batch)
	}
	reader, err := array.NewRecordReader(s, list)
	if err != nil {
		t.Fatal(err)
	}
	return reader
}

// show formats a number that may be NULL.
func show(n *int64) string {
	if n == nil {
		return "NULL"
	}
	return fmt.Sprint(*n)
}

// TestReader reads rows of several batches, one of them empty, with NULLs and with columns of other types
// than the fields need.
func TestReader(t *testing.T) {
	table := wide()
	table.Event.ID = 1 // described by a trace
	var asked []string
	rows := NewReader[everyField]()
	err := rows.Open(table, func(columns []string) (array.RecordReader, error) {
		asked = columns
		return readerOf(t, Schema(table),
			`[{"i":-1,"u":18446744073709551615,"t":5,"s":"a","b":"AQI=","l":["x","y"],"n":[1,2]}]`,
			`[]`,
			`[{"i":null,"u":null,"t":null,"s":null,"b":null,"l":null,"n":null},{"i":2,"u":3,"t":0,"s":"","b":"","l":[],"n":[]}]`), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Release()
	if want := []string{"i", "u", "t", "s", "b", "l", "n"}; !slices.Equal(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	var got []string
	for rows.Next() {
		r := &rows.Row
		got = append(got, fmt.Sprintf("%d %s %d %s %q %v,%t %q,%t %v,%t", r.Int, show(r.Pointer), r.Unsigned, show(r.Time), r.Text, r.Bytes, r.Bytes == nil, r.Texts, r.Texts == nil, r.Numbers, r.Numbers == nil))
		if r.NoInt != 7 || r.NoText != "" || r.NoList != nil || r.Missing != nil {
			t.Errorf("values of columns of other types: %+v", r)
		}
	}
	want := []string{
		`-1 -1 -1 5 "a" [1 2],false ["x" "y"],false [1 2],false`,
		`-1 NULL 0 NULL "" [],true [],true [],true`,
		`2 2 3 0 "" [],false [],false [],false`,
	}
	if diff := cmp.Diff(want, got); diff != "" || rows.Err() != nil {
		t.Errorf("%v, -want +got:\n%s", rows.Err(), diff)
	}
}

// TestReaderTimes reads events without a time, in batches that begin or end with them.
func TestReaderTimes(t *testing.T) {
	type row struct {
		Time  int64  `column:"time_ns" null:"-1"`
		Exact *int64 `column:"time_ns"`
	}
	table := &schema.Table{Columns: []schema.Column{{Name: schema.TimeColumn, Type: schema.Int64, Nullable: true}}}
	for _, test := range []struct {
		name    string
		batches []string
		want    string
	}{
		{"first", []string{`[{"time_ns":null},{"time_ns":5},{"time_ns":null},{"time_ns":7}]`}, "5 5 5 7"},
		{"next batch", []string{`[{"time_ns":5},{"time_ns":6}]`, `[{"time_ns":null},{"time_ns":null}]`, `[{"time_ns":null},{"time_ns":9}]`}, "5 6 6 6 6 9"},
		{"none before", []string{`[{"time_ns":null}]`, `[{"time_ns":null},{"time_ns":9}]`}, "-1 9 9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := NewReader[row]()
			err := rows.Open(table, func([]string) (array.RecordReader, error) { return readerOf(t, Schema(table), test.batches...), nil })
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Release()
			var got []string
			for rows.Next() {
				got = append(got, fmt.Sprint(rows.Row.Time))
				if exact := rows.Row.Exact; exact != nil && *exact != rows.Row.Time {
					t.Errorf("%d, want %d", rows.Row.Time, *exact)
				}
			}
			if got := strings.Join(got, " "); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestReaderColumns reads a table that has all columns or none of another type, as tables that no trace
// describes have, and a reader that is not open.
func TestReaderColumns(t *testing.T) {
	if err := NewReader[everyField]().Open(wide(), nil); err == nil || !strings.Contains(err.Error(), "the table wide lacks columns of a row: s, i, l, other") {
		t.Errorf("the error is %v", err)
	}
	if missing := NewReader[everyField]().Missing(wide()); !slices.Equal(missing, []string{"s", "i", "l", "other"}) {
		t.Errorf("missing: %q", missing)
	}
	rows := NewReader[common]()
	if rows.Next() || rows.Err() != nil || rows.Row.Int != -1 {
		t.Errorf("%v, %+v", rows.Err(), rows.Row)
	}
	rows.Release()
}
