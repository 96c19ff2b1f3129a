package columnstest

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Struct returns a column of structs.
func Struct(name string, list, nullable bool, fields ...schema.Column) schema.Column {
	return schema.Column{Name: name, Type: schema.Struct, List: list, Nullable: nullable, Fields: fields}
}

// Documents returns the documents of the Dremel paper (Melnik et al., 2010,
// figure 2), with lists as groups, and an empty one.
func Documents() *Data {
	list := func(v ...any) []any { return v }
	return &Data{
		Table: &schema.Table{Name: "document", Columns: []schema.Column{
			{Name: "id", Type: schema.Int64},
			Struct("links", false, true,
				schema.Column{Name: "backward", Type: schema.Int64, List: true},
				schema.Column{Name: "forward", Type: schema.Int64, List: true}),
			Struct("name", true, false,
				Struct("language", true, false,
					schema.Column{Name: "code", Type: schema.String},
					schema.Column{Name: "country", Type: schema.String, Nullable: true}),
				schema.Column{Name: "url", Type: schema.String, Nullable: true}),
		}},
		Rows: [][]any{
			{int64(10), Members{list(), list(int64(20), int64(40), int64(60))}, list(
				Members{list(Members{"en-us", "us"}, Members{"en", nil}), "http://A"},
				Members{list(), "http://B"},
				Members{list(Members{"en-gb", "gb"}), nil})},
			{int64(20), Members{list(int64(10), int64(30)), list(int64(80))}, list(Members{list(), "http://C"})},
			{int64(30), nil, list()},
		},
	}
}

// EveryType returns a table with columns of every type and encoding, nullable and
// not.
func EveryType() *Data {
	var (
		utf8   = "Zürich \u202e 日本 \U0001F600\uFFFD"
		large  = bytes.Repeat([]byte{0, 0xff, 7, 0x80}, 16<<10)
		list   = func(v ...any) []any { return v }
		values = []struct {
			columnType schema.Type
			list       bool
			values     []any
		}{
			{schema.Boolean, false, list(true, false, true)},
			{schema.Int32, false, list(int32(math.MinInt32), int32(math.MaxInt32), int32(0), int32(-1))},
			{schema.Int64, false, list(int64(math.MinInt64), int64(math.MaxInt64), int64(0), int64(-1), int64(1)<<53+1)},
			{schema.Uint64, false, list(uint64(0), uint64(math.MaxUint64), uint64(1)<<63, uint64(math.MaxInt64), uint64(0xfffffa8003e92010))},
			{schema.Float, false, list(float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), float32(0), float32(math.Copysign(0, -1)),
				float32(math.MaxFloat32), float32(math.SmallestNonzeroFloat32), float32(0.1))},
			{schema.Double, false, list(math.NaN(), math.Inf(1), math.Inf(-1), 0.0, math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64, 0.1)},
			{schema.String, false, list("", utf8, "a\x00b", "\x00", "'\"\\%\n", strings.Repeat("x", 200))},
			{schema.Binary, false, list([]byte{}, []byte{0}, large, bytes.Repeat([]byte{0xff}, 40), []byte("text"))},
			// 1969, the epoch, 2024, the last second before year 2262 ends an int64 of ns, 1899, FILETIME 0.
			{schema.Timestamp, false, list(int64(-1), int64(0), int64(1714564800123456), int64(9223372036854775), int64(-2208988800000001), int64(-11644473600000000))},
			{schema.Uint64, true, list(list(), list(uint64(math.MaxUint64)), list(uint64(0), uint64(1)<<63, uint64(7)))},
			{schema.String, true, list(list(), list(""), list(utf8, "", "a\x00b", utf8))},
			{schema.Int64, true, list(list(), list(int64(math.MinInt64)), list(int64(math.MaxInt64), int64(-1), int64(0)))},
		}
	)
	r := &Data{Table: &schema.Table{Name: "every_type"}, Rows: make([][]any, 20)}
	for _, v := range values {
		for _, nullable := range []bool{false, true} {
			for _, encoding := range []schema.Encoding{schema.Repeating, schema.Rising, schema.Varied} {
				isBytes := v.columnType == schema.String || v.columnType == schema.Binary
				if isBytes && encoding == schema.Rising || v.list && encoding == schema.Rising {
					continue // no table has such a column
				}
				name := fmt.Sprintf("c%d", len(r.Table.Columns))
				r.Table.Columns = append(r.Table.Columns, schema.Column{Name: name, Type: v.columnType, List: v.list, Nullable: nullable, Encoding: encoding})
				for i := range r.Rows {
					value := v.values[i%len(v.values)]
					if nullable && i%3 == 1 {
						value = nil
					}
					r.Rows[i] = append(r.Rows[i], value)
				}
			}
		}
	}
	return r
}

// Nestings is a table with every nesting of lists, structs and nulls, and rows
// with a null, an empty list or a value at every level.
func Nestings() *Data {
	r := &Data{Table: &schema.Table{Name: "nestings", SortBy: []string{"row_number"}}}
	add := func(c schema.Column) { r.Table.Columns = append(r.Table.Columns, c) }
	number := schema.Column{Name: "number", Type: schema.Int32}
	text := schema.Column{Name: "text", Type: schema.String, Nullable: true}
	blob := schema.Column{Name: "blob", Type: schema.Binary, Nullable: true, Encoding: schema.Varied}
	list := schema.Column{Name: "list", Type: schema.Uint64, List: true, Encoding: schema.Varied}
	listOrNull := schema.Column{Name: "list_or_null", Type: schema.String, List: true, Nullable: true}
	for form := range 4 {
		isList, nullable := form&1 != 0, form&2 != 0
		name := [...]string{"one", "list", "one_or_null", "list_or_null"}[form]
		add(Struct(name+"_flat", isList, nullable, number, text, blob))
		add(Struct(name+"_required", isList, nullable, number))
		add(Struct(name+"_lists", isList, nullable, list, listOrNull, number))
		for inner := range 4 {
			add(Struct(fmt.Sprintf("%s_%d", name, inner), isList, nullable,
				Struct("inner", inner&1 != 0, inner&2 != 0, number, listOrNull, Struct("innermost", inner&2 == 0, true, text, list)), text))
		}
	}
	// Sorted by a column whose index differs from the index of its leaf.
	add(schema.Column{Name: "row_number", Type: schema.Int64, Encoding: schema.Rising})
	return r
}

// Deep returns nested structs, or nested lists of structs, with a null at every
// depth.
func Deep(depth int, list bool) *Data {
	r := &Data{Table: &schema.Table{Name: "deep", Columns: []schema.Column{{Name: "first", Type: schema.Int32}, DeepColumn(depth, list)}}}
	for end := range depth + 2 {
		r.Rows = append(r.Rows, []any{int32(end), deepValue(depth, end-1, list)})
	}
	return r
}

// DeepColumn returns a column of nested structs, each the only member of the outer one.
func DeepColumn(depth int, list bool) schema.Column {
	if depth == 0 {
		return schema.Column{Name: "n", Type: schema.Int32, Nullable: true}
	}
	return Struct(fmt.Sprintf("s%d", depth), list, true, DeepColumn(depth-1, list))
}

// deepValue is null, or an empty list, at a depth.
func deepValue(depth, end int, list bool) any {
	switch {
	case depth == end && depth > 0 && list && depth%2 == 0:
		return []any{}
	case depth == end:
		return nil
	case depth == 0:
		return int32(7)
	case list:
		return []any{Members{deepValue(depth-1, end, true)}, Members{nil}}
	}
	return Members{deepValue(depth-1, end, false)}
}
