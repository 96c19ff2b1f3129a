package columnstest

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Data is a table and its rows. A value is nil (null), bool, int32, int64
// (also of TIMESTAMP), uint64, float32, float64, string, []byte, Members, or
// []any for a LIST.
type Data struct {
	Table *schema.Table
	Rows  [][]any
}

// Members is a struct: the values of its members.
type Members []any

// Append adds a row to a batch in the same way as the fills of package rows.
func Append(b *columns.Batch, row []any) {
	for i, value := range row {
		appendCell(b, &b.Columns[i], b.Rows, value)
	}
	b.Rows++
}

func appendCell(b *columns.Batch, c *columns.Column, row int, value any) {
	if value == nil {
		return
	}
	if c.Spec.Nullable {
		c.At(row)
	}
	if list, ok := value.([]any); ok {
		for _, element := range list {
			appendValue(b, c, element)
		}
		c.EndList()
		return
	}
	appendValue(b, c, value)
}

func appendValue(b *columns.Batch, c *columns.Column, value any) {
	switch v := value.(type) {
	case Members:
		n := c.BeginStruct()
		for i, value := range v {
			appendCell(b, &c.Members[i], n, value)
		}
	case bool:
		c.Bool(v)
	case int32:
		c.Int32(v)
	case int64:
		c.Int64(v)
	case uint64:
		c.Uint64(v)
	case float32:
		c.Float32(v)
	case float64:
		c.Float64(v)
	case string:
		appendValue(b, c, []byte(v))
	case []byte:
		if c.Spec.Encoding == schema.Repeating {
			c.Code(b.Texts.Blob(v))
		} else {
			c.Blob(v)
		}
	}
}

// Plain returns a value as the interop scripts print it.
func Plain(value any) any {
	switch v := value.(type) {
	case int32:
		return strconv.FormatInt(int64(v), 10)
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float32:
		if math.IsNaN(float64(v)) {
			return "nan"
		}
		return fmt.Sprintf("%08x", math.Float32bits(v))
	case float64:
		if math.IsNaN(v) {
			return "nan"
		}
		return fmt.Sprintf("%016x", math.Float64bits(v))
	case []byte:
		return hex.EncodeToString(v)
	case Members:
		return Plain([]any(v))
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = Plain(v[i])
		}
		return list
	}
	return value
}
