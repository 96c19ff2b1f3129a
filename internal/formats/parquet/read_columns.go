package parquet

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Bounds of the schema in a footer, beyond those of any table.
const (
	maxNodes    = 1 << 16
	maxNodeName = 1 << 12
)

// ReadColumns reads the columns of a file that this package wrote: their names, types, units, and
// whether they may be null. It does not read their sentences, which only large files have.
func ReadColumns(r io.ReaderAt, size int64) (columns []schema.Column, err error) {
	var units string
	err = readFooter(r, size, func(t *thriftReader) error {
		return t.structure(func(id int64, kind byte) error {
			if id == 5 && kind == thriftList { // key_value_metadata
				return t.list(func(kind byte) error {
					text, err := t.units(kind)
					units += text
					return err
				})
			}
			if id != 2 || kind != thriftList { // schema
				return t.skip(kind)
			}
			var nodes []schemaNode
			err := t.list(func(kind byte) error {
				if len(nodes) == maxNodes {
					return errThrift
				}
				n, err := t.schemaNode(kind)
				nodes = append(nodes, n)
				return err
			})
			if err == nil {
				columns, err = columnsOf(nodes)
			}
			return err
		})
	})
	switch {
	case err != nil:
		return nil, err // even if the schema was complete
	case columns == nil:
		return nil, errors.New("the footer has no columns")
	}
	if err := setUnits(columns, units); err != nil {
		return nil, err
	}
	return columns, nil
}

// schemaNode is a SchemaElement of a footer; missing numbers are -1.
type schemaNode struct {
	name                                        string
	physical, repetition, children, convertedAs int64
}

// schemaNode reads a SchemaElement.
func (t *thriftReader) schemaNode(kind byte) (schemaNode, error) {
	n := schemaNode{"", -1, -1, -1, -1}
	if kind != thriftStruct {
		return n, errThrift
	}
	numbers := map[int64]*int64{1: &n.physical, 3: &n.repetition, 5: &n.children, 6: &n.convertedAs}
	err := t.structure(func(id int64, kind byte) (err error) {
		switch number := numbers[id]; {
		case number != nil && kind == thriftInt32:
			*number, err = t.integer()
		case id == 4 && kind == thriftBinary:
			n.name, err = t.text(maxNodeName)
		default:
			err = t.skip(kind)
		}
		return err
	})
	return n, err
}

// text reads a text of at most most bytes.
func (t *thriftReader) text(most int) (string, error) {
	n, err := t.varint()
	if err != nil || n > uint64(most) {
		return "", errors.Join(err, errThrift)
	}
	text := make([]byte, n)
	_, err = io.ReadFull(t.r, text)
	return string(text), unexpectedEnd(err)
}

// columnsOf returns the columns of a schema: the tree of its nodes, parents first.
func columnsOf(nodes []schemaNode) ([]schema.Column, error) {
	if len(nodes) == 0 {
		return nil, errThrift
	}
	columns, rest, err := columnList(nodes[1:], nodes[0].children, 0)
	if err == nil && len(rest) > 0 {
		err = errThrift
	}
	return columns, err
}

// columnList takes n columns from the start of nodes.
func columnList(nodes []schemaNode, n int64, depth int) (columns []schema.Column, rest []schemaNode, err error) {
	if n <= 0 || depth > schema.MaxDepth {
		return nil, nil, errThrift
	}
	rest = nodes
	for range n {
		var c schema.Column
		if c, rest, err = cutColumn(rest, depth); err != nil {
			return nil, nil, err
		}
		columns = append(columns, c)
	}
	return columns, rest, nil
}

func cutColumn(nodes []schemaNode, depth int) (c schema.Column, rest []schemaNode, err error) {
	if len(nodes) == 0 {
		return c, nil, errThrift
	}
	n := &nodes[0]
	if n.name == "" || strings.ContainsFunc(n.name, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }) {
		return c, nil, fmt.Errorf("column %.80q: a name that this program does not write", n.name)
	}
	c.Name, c.Nullable = n.name, n.repetition == int64(format.Optional)
	if n.convertedAs != int64(deprecated.List) {
		return cutValue(c, nodes, depth)
	}
	if len(nodes) < 3 || n.children != 1 || nodes[1].children != 1 || nodes[1].name != listGroup {
		return c, nil, fmt.Errorf("column %q: a list that this program does not write", n.name)
	}
	c.List = true
	return cutValue(c, nodes[2:], depth)
}

// cutValue sets the type of a column from the node of its value or element.
func cutValue(c schema.Column, nodes []schemaNode, depth int) (schema.Column, []schemaNode, error) {
	n := &nodes[0]
	if n.children > 0 {
		c.Type = schema.Struct
		var err error
		c.Fields, nodes, err = columnList(nodes[1:], n.children, depth+1)
		return c, nodes, err
	}
	for t := range types {
		own := &types[t]
		as := int64(-1)
		if own.converted.Valid {
			as = int64(own.converted.V)
		}
		if schema.Type(t) >= schema.Boolean && int64(own.physical) == n.physical && as == n.convertedAs {
			c.Type = schema.Type(t)
			return c, nodes[1:], nil
		}
	}
	return c, nil, fmt.Errorf("column %q: a type that this program does not write", n.name)
}
