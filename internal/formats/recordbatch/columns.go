package recordbatch

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Columns returns the columns of which s is the schema, all of them nullable. Types that no column
// has are an error.
func Columns(s *arrow.Schema) ([]schema.Column, error) { return columnsOf(s.Fields(), 0) }

func columnsOf(fields []arrow.Field, depth int) ([]schema.Column, error) {
	list := make([]schema.Column, len(fields))
	for i := range fields {
		if err := columnOf(&list[i], &fields[i], depth); err != nil {
			return nil, fmt.Errorf("%s: %w", fields[i].Name, err)
		}
	}
	return list, nil
}

func columnOf(c *schema.Column, f *arrow.Field, depth int) (err error) {
	c.Name, c.Nullable = f.Name, true
	kind := f.Type
	if list, ok := kind.(*arrow.ListType); ok {
		c.List, kind = true, list.Elem()
	}
	if s, ok := kind.(*arrow.StructType); ok {
		if depth == schema.MaxDepth || s.NumFields() == 0 {
			return fmt.Errorf("no column has the type %s", f.Type)
		}
		c.Type = schema.Struct
		c.Fields, err = columnsOf(s.Fields(), depth+1)
		return err
	}
	at := slices.IndexFunc(types[:], func(t arrow.DataType) bool { return t != nil && arrow.TypeEqual(t, kind) })
	if at < 0 {
		return fmt.Errorf("no column has the type %s", f.Type)
	}
	if c.Type = schema.Type(at); c.Type == schema.Binary {
		c.Encoding = schema.Varied
	}
	return nil
}
