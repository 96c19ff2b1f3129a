package parquettest

import (
	"fmt"
	"strings"

	"github.com/etl2parquet/etl2parquet/schema"
)

// EngineTypes maps the types of the schema to each engine's names for them.
var EngineTypes = map[string]map[schema.Type]string{
	"duckdb": {schema.Boolean: "BOOLEAN", schema.Int32: "INTEGER", schema.Int64: "BIGINT", schema.Uint64: "UBIGINT", schema.Float: "FLOAT", schema.Double: "DOUBLE",
		schema.String: "VARCHAR", schema.Binary: "BLOB", schema.Timestamp: "TIMESTAMP WITH TIME ZONE"},
	"pyarrow": {schema.Boolean: "bool", schema.Int32: "int32", schema.Int64: "int64", schema.Uint64: "uint64", schema.Float: "float", schema.Double: "double",
		schema.String: "string", schema.Binary: "binary", schema.Timestamp: "timestamp[us, tz=UTC]"},
	"polars": {schema.Boolean: "Boolean", schema.Int32: "Int32", schema.Int64: "Int64", schema.Uint64: "UInt64", schema.Float: "Float32", schema.Double: "Float64",
		schema.String: "String", schema.Binary: "Binary", schema.Timestamp: "Datetime(time_unit='us', time_zone='UTC')"},
	"spark": {schema.Boolean: "boolean", schema.Int32: "int", schema.Int64: "bigint", schema.Uint64: "decimal(20,0)", schema.Float: "float", schema.Double: "double",
		schema.String: "string", schema.Binary: "binary", schema.Timestamp: "timestamp"},
}

var engineLists = map[string]string{"duckdb": "%s[]", "pyarrow": "list<element: %s not null>", "polars": "List(%s)", "spark": "array<%s>"}

// engineStructs has each engine's notation for the type of a struct and of a
// member.
var engineStructs = map[string][2]string{
	"duckdb": {"STRUCT(%s)", "%s %s"}, "pyarrow": {"struct<%s>", "%s: %s"}, "polars": {"Struct({%s})", "'%s': %s"}, "spark": {"struct<%s>", "%s:%s"},
}

// EngineType returns the engine's name for the type of a column.
func EngineType(engine string, c *schema.Column) string {
	name := EngineTypes[engine][c.Type]
	if c.Type == schema.Struct {
		var list []string
		for i := range c.Fields {
			member := fmt.Sprintf(engineStructs[engine][1], c.Fields[i].Name, EngineType(engine, &c.Fields[i]))
			if engine == "pyarrow" && !c.Fields[i].Nullable {
				member += " not null"
			}
			list = append(list, member)
		}
		separator := ", "
		if engine == "spark" {
			separator = ","
		}
		name = fmt.Sprintf(engineStructs[engine][0], strings.Join(list, separator))
	}
	if c.List {
		return fmt.Sprintf(engineLists[engine], name)
	}
	return name
}
