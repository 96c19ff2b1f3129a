package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestLevels compares the levels with figure 3 of the paper, and with those of a
// third document without links and names.
func TestLevels(t *testing.T) {
	want := map[string]string{
		"id":                          "10 r0 d0, 20 r0 d0, 30 r0 d0",
		"links.backward.list.element": "NULL r0 d1, 10 r0 d2, 30 r1 d2, NULL r0 d0",
		"links.forward.list.element":  "20 r0 d2, 40 r1 d2, 60 r1 d2, 80 r0 d2, NULL r0 d0",
		"name.list.element.url":       "http://A r0 d2, http://B r1 d2, NULL r1 d1, http://C r0 d2, NULL r0 d0",
		"name.list.element.language.list.element.code":    "en-us r0 d2, en r2 d2, NULL r1 d1, en-gb r1 d2, NULL r0 d1, NULL r0 d0",
		"name.list.element.language.list.element.country": "us r0 d3, NULL r2 d2, NULL r1 d1, gb r1 d3, NULL r0 d1, NULL r0 d0",
	}
	f := parquettest.Open(t, testRows{columnstest.Documents()}.bytes(t, "zstd", [][]int{{1, 2}}))
	got := make(map[string]string)
	for i, leaf := range f.Schema().Columns() {
		var list []string
		parquettest.EachValue(t, f.RowGroups()[0].ColumnChunks()[i], func(v parquet.Value) {
			text := "NULL"
			if !v.IsNull() {
				text = v.String()
			}
			list = append(list, fmt.Sprintf("%s r%d d%d", text, v.RepetitionLevel(), v.DefinitionLevel()))
		})
		got[strings.Join(leaf, ".")] = strings.Join(list, ", ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// bytes returns the bytes of the file from write.
func (r testRows) bytes(t testing.TB, compression string, groups [][]int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.parquet")
	r.write(t, path, compression, groups)
	return testenv.ReadFile(t, path)
}

// readByLibrary returns the rows of a file as the Parquet library assembles them.
func readByLibrary(t testing.TB, table *schema.Table, data []byte) (rows [][]any) {
	t.Helper()
	reader := parquet.NewReader(bytes.NewReader(data))
	defer reader.Close()
	for {
		row := make(map[string]any)
		err := reader.Read(&row)
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		values, err := fromLibrary(table.Columns, row)
		if err != nil {
			t.Fatalf("row %d: %v", len(rows), err)
		}
		rows = append(rows, values)
	}
}

// fromLibrary returns the values of columns in the form of [columnstest.Plain].
func fromLibrary(columns []schema.Column, row map[string]any) ([]any, error) {
	if len(row) != len(columns) {
		return nil, fmt.Errorf("%d members, want %d", len(row), len(columns))
	}
	values := make([]any, len(columns))
	for i := range columns {
		v, ok := row[columns[i].Name]
		if !ok {
			return nil, fmt.Errorf("no member %s", columns[i].Name)
		}
		var err error
		if values[i], err = valueFromLibrary(&columns[i], v); err != nil {
			return nil, fmt.Errorf("%s: %w", columns[i].Name, err)
		}
	}
	return values, nil
}

func valueFromLibrary(c *schema.Column, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	if c.List {
		list, ok := v.([]any)
		if !ok {
			return nil, fmt.Errorf("%T is no list", v)
		}
		element := *c
		element.List = false
		values := make([]any, len(list))
		for i := range list {
			var err error
			if values[i], err = valueFromLibrary(&element, list[i]); err != nil {
				return nil, err
			}
		}
		return values, nil
	}
	switch v := v.(type) {
	case map[string]any:
		return fromLibrary(c.Fields, v)
	case string:
		if c.Type == schema.Binary {
			return columnstest.Plain([]byte(v)), nil
		}
	case []byte:
		if c.Type == schema.String {
			return string(v), nil
		}
	case int64:
		if c.Type == schema.Uint64 {
			return columnstest.Plain(uint64(v)), nil
		}
	}
	return columnstest.Plain(v), nil
}

// checkByLibrary compares the rows that the Parquet library reads with the written
// rows, and the page indexes with the pages.
func (r testRows) checkByLibrary(t testing.TB, data []byte) {
	t.Helper()
	got := readByLibrary(t, r.Table, data)
	if len(got) != len(r.Rows) {
		t.Fatalf("%d rows, want %d", len(got), len(r.Rows))
	}
	for i := range r.Rows {
		if want := columnstest.Plain(r.Rows[i]); !reflect.DeepEqual(got[i], want) {
			t.Fatalf("row %d of %s:\n%.2000s", i, typesOf(r.Table), cmp.Diff(want, any(got[i])))
		}
	}
	f := parquettest.Open(t, data)
	for g, group := range f.RowGroups() {
		for i, chunk := range group.ColumnChunks() {
			if err := checkChunkIndex(chunk); err != nil {
				t.Errorf("row group %d: leaf %v: %v", g, f.Schema().Columns()[i], err)
			}
			nulls, values := int64(0), int64(0)
			parquettest.EachValue(t, chunk, func(v parquet.Value) {
				if values++; v.IsNull() {
					nulls++
				}
			})
			if meta := &f.Metadata().RowGroups[g].Columns[i].MetaData; meta.Statistics.NullCount != nulls || meta.NumValues != values {
				t.Errorf("row group %d: leaf %v: %d nulls of %d, want %d of %d", g, f.Schema().Columns()[i], meta.Statistics.NullCount, meta.NumValues, nulls, values)
			}
		}
	}
}

func typesOf(table *schema.Table) string {
	var list []string
	for i := range table.Columns {
		list = append(list, table.Columns[i].Name+" "+table.Columns[i].TypeName())
	}
	return strings.Join(list, ", ")
}

func TestNestings(t *testing.T) {
	for _, test := range []struct {
		name     string
		groups   [][]int
		nulls    float64
		longest  int
		distinct int64
	}{
		{"no row", nil, 0, 0, 1},
		{"one row", [][]int{{1}}, 0.2, 3, 5},
		{"no nulls", [][]int{{200, 1}, {1, 50}}, 0, 3, 5},
		{"all null", [][]int{{40}, {40, 7}}, 1, 3, 5},
		{"all empty", [][]int{{40}, {40, 7}}, 0.3, 0, 5},
		{"single elements", [][]int{{40}, {40, 7}}, 0.3, 1, 5},
		{"some nulls", [][]int{{300, 300}, {300}, {5, 5, 5, 5}}, 0.3, 3, 100},
		{"many nulls", [][]int{{600, 300}}, 0.8, 3, 1 << 40},
	} {
		for _, compression := range libraryReads {
			t.Run(test.name+"/"+compression, func(t *testing.T) {
				t.Parallel()
				r := testRows{columnstest.Nestings().Fill(testenv.Seeded(test.name), total(test.groups), test.nulls, test.longest, test.distinct)}
				data := r.bytes(t, compression, test.groups)
				r.checkByLibrary(t, data)
				for _, g := range parquettest.Open(t, data).Metadata().RowGroups {
					if s := g.SortingColumns; len(s) != 1 || g.Columns[s[0].ColumnIdx].MetaData.PathInSchema[0] != "row_number" {
						t.Errorf("sorted by %+v", s)
					}
				}
				if !bytes.Equal(data, r.bytes(t, compression, test.groups)) {
					t.Error("writing the same rows again gives other bytes")
				}
			})
		}
	}
}

// TestNestedPages writes pages that are full by rows, by levels and by bytes, and
// dictionaries that grow too large.
func TestNestedPages(t *testing.T) {
	testenv.Sequential(t)
	eachLimits(t, testNestedPages)
}

func testNestedPages(t *testing.T, l *pageLimits) {
	rows := l.rows + 1000
	r := testRows{&columnstest.Data{Table: &schema.Table{Name: "pages", Columns: []schema.Column{
		{Name: "first", Type: schema.Int32},
		columnstest.Struct("rows", false, true, schema.Column{Name: "n", Type: schema.Int64, Nullable: true}),
		columnstest.Struct("required", false, false, schema.Column{Name: "n", Type: schema.Int64, Encoding: schema.Varied}),
		columnstest.Struct("lists", true, true, schema.Column{Name: "n", Type: schema.Int32},
			schema.Column{Name: "m", Type: schema.Boolean, List: true}),
		columnstest.Struct("texts", true, false, schema.Column{Name: "text", Type: schema.String, Encoding: schema.Varied, Nullable: true}),
	}}}}
	random := testenv.Seeded("nested pages")
	for i := range rows {
		row := []any{int32(i), columnstest.Members{int64(i) << 20}, columnstest.Members{int64(i)}, nil, []any{}}
		switch {
		case i%5 == 0:
			row[1] = nil
		case i%5 == 1:
			row[1] = columnstest.Members{nil}
		}
		if i%40 == 0 {
			list := make([]any, random.IntN(1000))
			for k := range list {
				n := int32(i*1000 + k)
				if i < rows/2 {
					n %= int32(l.dictionary / 16)
				}
				list[k] = columnstest.Members{n, []any{k%2 == 0, true}[:k%3%2*2]}
			}
			row[3] = list
		}
		if i%(l.rows/400) == 0 {
			row[4] = []any{columnstest.Members{strings.Repeat("x", random.IntN(l.bytes/15))}, columnstest.Members{nil}, columnstest.Members{""}}
		}
		r.Rows = append(r.Rows, row)
	}
	var out bytes.Buffer
	r.writeTo(t, &out, Options{Codec: snappyCodec{}, lower: l}, [][]int{{rows / 40, rows - rows/40 - 100}, {100}})
	data := out.Bytes()
	r.checkByLibrary(t, data)
	f := parquettest.Open(t, data)
	for i, least := range []int{2, 2, 2, 4, 4, 4} {
		offsets, err := f.RowGroups()[0].ColumnChunks()[i].OffsetIndex()
		if err != nil {
			t.Fatal(err)
		}
		if n := offsets.NumPages(); n < least {
			t.Errorf("leaf %v: %d pages, want %d or more", f.Schema().Columns()[i], n, least)
		}
	}
	if stats := f.Metadata().RowGroups[0].Columns[3].MetaData.EncodingStats; len(stats) != 3 { // some pages have no dictionary
		t.Errorf("leaf %v: %+v", f.Schema().Columns()[3], stats)
	}
}

// TestDepth writes structs of the greatest depth, and rejects deeper ones.
func TestDepth(t *testing.T) {
	for _, list := range []bool{false, true} {
		r := testRows{columnstest.Deep(schema.MaxDepth, list)}
		r.checkByLibrary(t, r.bytes(t, "none", [][]int{{20, 14}}))
	}
	for name, c := range map[string]schema.Column{
		"too deep": columnstest.DeepColumn(schema.MaxDepth+1, false), "no member": columnstest.Struct("a", false, false, columnstest.Struct("b", true, false)),
	} {
		if _, err := NewFile(io.Discard, &schema.Table{Name: "t", Columns: []schema.Column{c}}, Options{Codec: snappyCodec{}}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestStructCheck checks that structs with inconsistent members are rejected.
func TestStructCheck(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{columnstest.Struct("s", true, true,
		schema.Column{Name: "a", Type: schema.Int32}, schema.Column{Name: "b", Type: schema.Int32, Nullable: true})}}
	for name, test := range map[string]struct {
		fill func(s *columns.Column)
		ok   bool
	}{
		"right": {func(s *columns.Column) {
			s.At(0).BeginStruct()
			s.Members[0].Int32(1)
			s.Members[1].At(0).Int32(1)
			s.EndList()
		}, true},
		"null":                   {func(*columns.Column) {}, true},
		"empty":                  {func(s *columns.Column) { s.At(0).EndList() }, true},
		"missing member":         {func(s *columns.Column) { s.At(0).BeginStruct(); s.EndList() }, false},
		"surplus member":         {func(s *columns.Column) { s.At(0).EndList(); s.Members[0].Int32(1) }, false},
		"member without a value": {func(s *columns.Column) { s.At(0).BeginStruct(); s.Members[0].Int32(1); s.Members[1].At(0); s.EndList() }, false},
		"member without a row": {func(s *columns.Column) {
			s.At(0).BeginStruct()
			s.Members[0].Int32(1)
			s.Members[1].At(1).Int32(1)
			s.EndList()
		}, false},
		"list without end":   {func(s *columns.Column) { s.At(0).BeginStruct(); s.Members[0].Int32(1) }, false},
		"element in no list": {func(s *columns.Column) { s.At(0).EndList(); s.BeginStruct(); s.Members[0].Int32(1) }, false},
	} {
		b := columns.NewBatch(table)
		b.Rows = 1
		test.fill(&b.Columns[0])
		if err := b.Check(); (err == nil) != test.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestStructMemory checks that memory of members is counted and reused.
func TestStructMemory(t *testing.T) {
	r := columnstest.Nestings().Fill(testenv.Seeded("memory"), 50, 0.3, 3, 100)
	b := columns.NewBatch(r.Table)
	empty := b.Memory()
	for _, row := range r.Rows {
		columnstest.Append(b, row)
	}
	full := b.Memory()
	if least := empty + int64(50*len(r.Table.Columns)*4); full < least {
		t.Errorf("%d bytes, want %d or more", full, least)
	}
	b.Reset()
	if got := b.Memory(); got != empty {
		t.Errorf("%d bytes after a reset, want %d", got, empty)
	}
	if allocations := testing.AllocsPerRun(3, func() {
		b.Reset()
		for n := range 50 {
			s := b.Columns[0].BeginStruct()
			b.Columns[0].Members[0].Int32(int32(n))
			b.Columns[0].Members[2].At(s).Blob(nil)
		}
	}); allocations > 0 {
		t.Errorf("%v allocations for rows that fit in reused memory", allocations)
	}
}

// FuzzNested checks that the rows of any table are read back unchanged.
func FuzzNested(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, uint16(seed*13), byte(seed*31), byte(seed%5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, rows uint16, nulls, longest byte) {
		random := rand.New(rand.NewPCG(seed, 1))
		r := testRows{&columnstest.Data{Table: columnstest.RandomTable(random)}}
		n := int(rows % 600)
		r.Fill(random, n, float64(nulls)/255, int(longest%6), []int64{1, 3, 1000, 1 << 40}[random.IntN(4)])
		r.checkByLibrary(t, r.bytes(t, libraryReads[seed%3], randomGroups(random, n, 3)))
	})
}
