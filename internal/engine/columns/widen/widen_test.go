package widen_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/widen"
	"github.com/etl2parquet/etl2parquet/internal/formats/lines"
	"github.com/etl2parquet/etl2parquet/schema"
)

// column returns a nullable column c of a type.
func column(t *testing.T, kind string) schema.Column {
	t.Helper()
	c, ok := schema.ParseType(kind)
	if !ok {
		t.Fatalf("no type: %s", kind)
	}
	c.Name = "c"
	setNullable(&c)
	return c
}

func setNullable(c *schema.Column) {
	c.Nullable = true
	for i := range c.Fields {
		setNullable(&c.Fields[i])
	}
}

// TestBatch checks the values of types that differ, in the wider column, as they are written in JSON.
func TestBatch(t *testing.T) {
	type list = []any
	type members = columnstest.Members
	for _, test := range []struct {
		from, to string
		values   list
		want     string
	}{
		{"BOOLEAN", "INT32", list{false, nil, true}, `0 NULL 1`},
		{"BOOLEAN", "UINT64", list{true}, `1`},
		{"BOOLEAN", "STRING", list{nil, false, true}, `NULL "false" "true"`},
		{"BOOLEAN", "DOUBLE", list{true}, `1`},
		{"INT32", "INT64", list{int32(-1), int32(7)}, `-1 7`},
		{"INT32", "DOUBLE", list{int32(-1)}, `-1`},
		{"INT32", "STRING", list{int32(-1), nil, int32(-1)}, `"-1" NULL "-1"`},
		{"INT64", "STRING", list{int64(1) << 62}, `"4611686018427387904"`},
		{"UINT64", "STRING", list{uint64(1<<64 - 1)}, `"18446744073709551615"`},
		{"INT64", "UINT64", list{int64(1) << 32}, `4294967296`},
		{"FLOAT", "DOUBLE", list{float32(0.5), float32(-3)}, `0.5 -3`},
		{"FLOAT", "STRING", list{float32(0.1), float32(math.NaN())}, `"0.1" "NaN"`},
		{"DOUBLE", "STRING", list{0.25, math.Inf(-1)}, `"0.25" "-Inf"`},
		{"TIMESTAMP", "STRING", list{int64(1714564800_123456), int64(-1)}, `"2024-05-01T12:00:00.123456Z" "1969-12-31T23:59:59.999999Z"`},
		{"BINARY", "STRING", list{"\x00\xff", ""}, `"00ff" ""`},
		{"STRING", "LIST<STRING>", list{`"a"`, nil, ""}, `["\"a\""] NULL [""]`},
		{"LIST<INT32>", "LIST<STRING>", list{list{}, list{int32(1), int32(2)}, nil, list{int32(3)}}, `[] ["1","2"] NULL ["3"]`},
		{"INT32", "LIST<INT64>", list{nil, int32(5)}, `NULL [5]`},
		{"STRUCT<a INT32>", "STRUCT<b STRING, a INT64>", list{members{int32(1)}, nil, members{nil}}, `{"a":1} NULL {}`},
		{"STRUCT<a STRING>", "STRING", list{members{"\"x"}, nil, members{nil}}, `"{\"a\":\"\\\"x\"}" NULL "{}"`},
		{"STRUCT<a INT32, b BINARY>", "LIST<STRUCT<a STRING, b BINARY>>", list{members{int32(1), "\x01"}, members{nil, nil}}, `[{"a":"1","b":"01"}] [{}]`},
		{"LIST<STRUCT<a LIST<INT32>, t TIMESTAMP>>", "LIST<STRUCT<z INT32, t STRING, a LIST<INT64>>>",
			list{list{}, list{members{list{int32(1)}, int64(0)}, members{list{}, nil}}}, `[] [{"t":"1970-01-01T00:00:00.000000Z","a":[1]},{"a":[]}]`},
	} {
		from := &schema.Table{Name: "t", Columns: []schema.Column{column(t, test.from)}}
		to := &schema.Table{Name: "t", Columns: []schema.Column{{Name: "other", Type: schema.Boolean, Nullable: true}, column(t, test.to)}}
		b := columns.NewBatch(from)
		for _, value := range test.values {
			columnstest.Append(b, list{value})
		}
		wide := widen.Batch(b, to)
		if err := wide.Check(); err != nil {
			t.Errorf("%s to %s: %v", test.from, test.to, err)
			continue
		}
		if got := valuesOf(wide); got != test.want {
			t.Errorf("%s to %s: %s, want %s", test.from, test.to, got, test.want)
		}
		b.Reset() // as the maker of the batch does
		columnstest.Append(b, list{test.values[len(test.values)-1]})
		if got := valuesOf(widen.Batch(b, to)); !strings.HasSuffix(test.want, got) {
			t.Errorf("%s to %s, again: %s, want the end of %s", test.from, test.to, got, test.want)
		}
	}
}

// valuesOf returns the values of the column c in JSON.
func valuesOf(b *columns.Batch) string {
	var values []string
	for line := range strings.Lines(string(lines.NewMaker(b.Table, lines.NDJSON, []string{"c"}).Append(nil, b))) {
		value := strings.TrimSuffix(strings.TrimPrefix(line, `{"c":`), "}\n")
		if line == "{}\n" {
			value = "NULL"
		}
		values = append(values, value)
	}
	return strings.Join(values, " ")
}

// TestBatchOfAnything checks that a batch of any table, widened by any other, has consistent columns,
// and that the values of columns that stay are the same.
func TestBatchOfAnything(t *testing.T) {
	same := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		a, b := columnstest.RandomTable(r), columnstest.RandomTable(r)
		b.Columns = append(b.Columns, a.Columns[r.IntN(len(a.Columns)):]...) // some columns stay
		seen := make(map[string]bool)
		b.Columns = slices.DeleteFunc(b.Columns, func(c schema.Column) bool {
			twice := seen[c.Name]
			seen[c.Name] = true
			return twice
		})
		d := &columnstest.Data{Table: a}
		d.Fill(r, 40, 0.3, 3, 20)
		from := columns.NewBatch(a)
		for _, row := range d.Rows {
			columnstest.Append(from, row)
		}
		var names []string
		for i := range a.Columns {
			names = append(names, a.Columns[i].Name)
		}
		before := string(lines.NewMaker(a, lines.NDJSON, names).Append(nil, from))
		wide := widen.Batch(from, a.Widen(b))
		if err := wide.Check(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if slices.ContainsFunc(a.Columns, func(c schema.Column) bool { return !wide.Table.Columns[wide.Table.Column(c.Name)].SameType(&c) }) {
			continue
		}
		same++
		if after := string(lines.NewMaker(wide.Table, lines.NDJSON, names).Append(nil, wide)); after != before {
			t.Errorf("seed %d: %s, want %s", seed, after, before)
		}
	}
	if same == 0 {
		t.Error("no table kept its types")
	}
}
