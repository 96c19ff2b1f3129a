package parquet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/etl2parquet/etl2parquet/schema"
)

// The types in which files have unsigned 64-bit columns, as options name them.
const (
	DefaultUnsigned = "uint64"
	UnsignedInt64   = "int64" // Options.SignedInts
)

// UnsignedTypes are the types in which files have unsigned 64-bit columns, the default first.
var UnsignedTypes = []string{DefaultUnsigned, UnsignedInt64}

// SignedInts returns Options.SignedInts for a type in UnsignedTypes; "" is DefaultUnsigned.
func SignedInts(unsigned string) (bool, error) {
	switch cmp.Or(unsigned, DefaultUnsigned) {
	case DefaultUnsigned:
		return false, nil
	case UnsignedInt64:
		return true, nil
	}
	return false, fmt.Errorf("unknown type %q of unsigned 64-bit columns; supported are %v", unsigned, UnsignedTypes)
}

// Signed returns a table as files with Options.SignedInts have it: its unsigned 64-bit columns are
// Int64, with the same bits, and are compared as such. It returns t itself if t has none.
func Signed(t *schema.Table) *schema.Table {
	if !slices.ContainsFunc(t.Columns, hasUnsigned) {
		return t
	}
	signed := *t
	signed.Columns = signedColumns(t.Columns)
	return &signed
}

func hasUnsigned(c schema.Column) bool {
	return c.Type == schema.Uint64 || slices.ContainsFunc(c.Fields, hasUnsigned)
}

func signedColumns(columns []schema.Column) []schema.Column {
	columns = slices.Clone(columns)
	for i := range columns {
		c := &columns[i]
		if c.Type == schema.Uint64 {
			c.Type, c.Unsigned = schema.Int64, false // some are negative
		}
		c.Fields = signedColumns(c.Fields)
	}
	return columns
}
