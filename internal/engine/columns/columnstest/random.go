package columnstest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Fill adds rows of random values: nulls is the share of nullable values that are null, longest the
// greatest length of lists, and distinct the number of different values. A column row_number has
// the number of the row.
func (r *Data) Fill(random *rand.Rand, rows int, nulls float64, longest int, distinct int64) *Data {
	for i := range rows {
		row := make([]any, len(r.Table.Columns))
		for k := range row {
			c := &r.Table.Columns[k]
			row[k] = randomTree(random, c, nulls, longest, distinct)
			if c.Name == "row_number" {
				row[k] = int64(len(r.Rows) + i)
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func randomTree(r *rand.Rand, c *schema.Column, nulls float64, longest int, distinct int64) any {
	if c.Nullable && r.Float64() < nulls {
		return nil
	}
	element := func() any {
		if c.Type != schema.Struct {
			return RandomValue(r, c, distinct)
		}
		v := make(Members, len(c.Fields))
		for i := range v {
			v[i] = randomTree(r, &c.Fields[i], nulls, longest, distinct)
		}
		return v
	}
	if !c.List {
		return element()
	}
	list := make([]any, r.IntN(longest+1))
	for i := range list {
		list[i] = element()
	}
	return list
}

// RandomValue returns one of distinct different values.
func RandomValue(r *rand.Rand, c *schema.Column, distinct int64) any {
	edge := r.IntN(500) == 0
	wide := func() int64 { // spread over all of int64
		v := r.Int64N(distinct) * 0x1e3779b97f4a7c15
		if edge {
			v = []int64{0, -1, math.MinInt64, math.MaxInt64}[r.IntN(4)]
		}
		return v
	}
	switch c.Type {
	case schema.Boolean:
		return wide()%2 == 0
	case schema.Int32:
		return int32(wide() >> 32)
	case schema.Int64:
		return wide()
	case schema.Uint64:
		return uint64(wide())
	case schema.Float:
		return float32(r.Int64N(1<<20)-1<<19) / 1024
	case schema.Double:
		return float64(r.Int64N(1<<40)-1<<39) / 1024
	case schema.Timestamp:
		return 1_700_000_000_000_000 + wide()>>16
	}
	text := strconv.FormatInt(r.Int64N(distinct), 36)
	switch {
	case edge && c.Type == schema.Binary:
		text = strings.Repeat([]string{"\x00", "\xff"}[r.IntN(2)], []int{0, 15, 16, 17, 40, 64 << 10}[r.IntN(6)])
	case edge:
		text = strings.Repeat("é", []int{0, 1, 8, 63, 64, 65, 300}[r.IntN(7)]) // up to the greatest length with bounds, and beyond
	case r.IntN(20) == 0:
		text = ""
	}
	if c.Type == schema.Binary {
		return []byte(text)
	}
	return text
}

// RandomTable returns a table of columns that are random trees.
func RandomTable(r *rand.Rand) *schema.Table {
	table := &schema.Table{Name: "random", Columns: []schema.Column{{Name: "first", Type: schema.Int32}}}
	for i := range 1 + r.IntN(3) {
		table.Columns = append(table.Columns, randomNode(r, fmt.Sprintf("c%d", i), 1+r.IntN(4)))
	}
	return table
}

func randomNode(r *rand.Rand, name string, depth int) schema.Column {
	c := schema.Column{Name: name, List: r.IntN(2) == 0, Nullable: r.IntN(2) == 0}
	if depth > 0 && r.IntN(4) > 0 {
		c.Type = schema.Struct
		for i := range 1 + r.IntN(3) {
			c.Fields = append(c.Fields, randomNode(r, fmt.Sprintf("m%d", i), depth-1))
		}
		return c
	}
	c.Type = schema.Boolean + schema.Type(r.IntN(int(schema.Struct-schema.Boolean)))
	switch c.Type {
	case schema.Boolean, schema.Float, schema.Double:
	case schema.String, schema.Binary:
		c.Encoding = []schema.Encoding{schema.Repeating, schema.Varied}[r.IntN(2)]
	default:
		c.Encoding = schema.Encoding(r.IntN(int(schema.Varied) + 1))
	}
	return c
}
