package parquettest

import (
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/schema"
)

// LibraryFile writes tables with the Parquet library's own writer, column by column,
// which PERFORMANCE.md found to be fastest.
type LibraryFile struct{ writer *parquet.GenericWriter[any] }

// NewLibraryFile returns a file that is written to w.
func NewLibraryFile(w io.Writer, t *schema.Table, c compress.Codec) (*LibraryFile, error) {
	config, err := parquet.NewWriterConfig(
		librarySchema(t),
		parquet.Compression(c),
		parquet.PageBufferSize(1<<20),
		parquet.WriteBufferSize(256<<10),
		parquet.DataPageVersion(1),
		parquet.DataPageStatistics(false),
	)
	if err != nil {
		return nil, err
	}
	return &LibraryFile{parquet.NewGenericWriter[any](w, config)}, nil
}

// LibraryRowGroup is an encoder of the library, which reuses it.
type LibraryRowGroup struct {
	encoder *parquet.ConcurrentRowGroupWriter
	values  valueWriter
}

// RowGroup returns an encoder for row groups, one at a time.
func (f *LibraryFile) RowGroup() *LibraryRowGroup {
	return &LibraryRowGroup{encoder: f.writer.BeginRowGroup()}
}

// Write adds the rows of a batch.
func (g *LibraryRowGroup) Write(b *columns.Batch) error {
	g.values.of = nil // the same batch may return with other contents
	for i, w := range g.encoder.ColumnWriters() {
		if err := g.values.column(w, b, &b.Columns[i], i); err != nil {
			return err
		}
	}
	return nil
}

// Commit writes the row group.
func (g *LibraryRowGroup) Commit() error {
	if err := g.encoder.Flush(); err != nil {
		return err
	}
	_, err := g.encoder.Commit()
	return err
}

// librarySchema returns the schema of a table for the library.
func librarySchema(t *schema.Table) *parquet.Schema {
	root := orderedGroup{}
	for i := range t.Columns {
		c := &t.Columns[i]
		root.fields = append(root.fields, orderedField{Node: parquetNode(c), name: c.Name})
	}
	return parquet.NewSchema(t.Name, root)
}

func parquetNode(c *schema.Column) parquet.Node {
	node := parquet.Encoded(leafNode(c), leafEncoding(c))
	if c.List {
		node = parquet.List(node)
	}
	if c.Nullable {
		node = parquet.Optional(node)
	}
	return node
}

func leafNode(c *schema.Column) parquet.Node {
	switch c.Type {
	case schema.Boolean:
		return parquet.Leaf(parquet.BooleanType)
	case schema.Int32:
		return parquet.Leaf(parquet.Int32Type)
	case schema.Int64:
		return parquet.Leaf(parquet.Int64Type)
	case schema.Uint64:
		return parquet.Uint(64)
	case schema.Float:
		return parquet.Leaf(parquet.FloatType)
	case schema.Double:
		return parquet.Leaf(parquet.DoubleType)
	case schema.Timestamp:
		return parquet.Timestamp(parquet.Microsecond)
	case schema.Binary:
		return parquet.Leaf(parquet.ByteArrayType)
	}
	return parquet.String()
}

// leafEncoding chooses the encoding by the kind of the values (measured in
// PERFORMANCE.md, section 3).
func leafEncoding(c *schema.Column) encoding.Encoding {
	isBytes := c.Type == schema.String || c.Type == schema.Binary
	switch {
	case c.Type == schema.Boolean:
		return &parquet.Plain
	case c.Encoding == schema.Repeating:
		return &parquet.RLEDictionary
	case isBytes:
		return &parquet.DeltaLengthByteArray
	case c.Encoding == schema.Rising:
		return &parquet.DeltaBinaryPacked
	case c.Type == schema.Int64 && !c.List:
		return &parquet.DeltaBinaryPacked // offsets and sizes: short differences
	}
	return &parquet.Plain
}

// orderedGroup is a group whose fields stay in their order; parquet.Group
// sorts them by name.
type orderedGroup struct {
	parquet.Group
	fields []orderedField
}

func (g orderedGroup) Fields() []parquet.Field {
	fields := make([]parquet.Field, len(g.fields))
	for i := range g.fields {
		fields[i] = &g.fields[i]
	}
	return fields
}

type orderedField struct {
	parquet.Node
	name string
}

func (f *orderedField) Name() string { return f.name }

// Value is only for rows of Go values, which this package does not write.
func (f *orderedField) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// valueWriter passes columns to the Parquet library, which takes a struct for each
// value with its definition level: 0 for null, else the largest.
type valueWriter struct {
	chunk [1024]parquet.Value
	texts []parquet.Value // the texts of a batch, by code
	of    *columns.Batch  // the batch of texts
}

// column writes a column of a batch. A loop per type keeps the work per value
// to a few ns.
func (v *valueWriter) column(w *parquet.ColumnWriter, b *columns.Batch, c *columns.Column, index int) error {
	if c.Spec.List {
		return v.lists(w, b, c, index)
	}
	s := valueSource{b: b, c: c, v: v, index: index}
	if c.Spec.Nullable {
		s.definition = 1
	}
	if coded(c) {
		v.loadTexts(b)
	}
	next := 0 // index of the next value
	for row := 0; row < b.Rows; {
		n := min(len(v.chunk), b.Rows-row)
		chunk := v.chunk[:n]
		if c.Spec.Nullable {
			next += s.nullable(chunk, row, next)
		} else {
			s.fill(chunk, next)
			next += n
		}
		if _, err := w.WriteRowValues(chunk); err != nil {
			return err
		}
		row += n
	}
	return nil
}

// coded reports whether the values are codes of texts.
func coded(c *columns.Column) bool {
	return (c.Spec.Type == schema.String || c.Spec.Type == schema.Binary) && c.Spec.Encoding != schema.Varied
}

// loadTexts makes the values of the codes of a batch.
func (v *valueWriter) loadTexts(b *columns.Batch) {
	if v.of == b && len(v.texts) == b.Texts.Len() {
		return
	}
	v.of = b
	v.texts = v.texts[:0]
	for code := range b.Texts.Len() {
		v.texts = append(v.texts, parquet.ByteArrayValue(b.Texts.At(uint32(code))))
	}
}

// valueSource turns the values of one column into those of the library.
type valueSource struct {
	b          *columns.Batch
	c          *columns.Column
	v          *valueWriter
	index      int // of the column in the file
	definition int // level of a value that is not null
}

// nullable fills the chunk from a row on and returns the number of values used.
func (s *valueSource) nullable(chunk []parquet.Value, row, next int) (taken int) {
	null := parquet.Value{}.Level(0, 0, s.index)
	for i := 0; i < len(chunk); {
		run := i
		for run < len(chunk) && s.c.Valid.Has(row+run) {
			run++
		}
		if run > i {
			s.fill(chunk[i:run], next+taken)
			taken += run - i
			i = run
		}
		for i < len(chunk) && !s.c.Valid.Has(row+i) {
			chunk[i] = null
			i++
		}
	}
	return taken
}

// fill makes values from index next on.
func (s *valueSource) fill(chunk []parquet.Value, next int) {
	c, d, index := s.c, s.definition, s.index
	switch c.Spec.Type {
	case schema.Int32:
		for i, v := range c.Small[next : next+len(chunk)] {
			chunk[i] = parquet.Int32Value(v).Level(0, d, index)
		}
	case schema.Boolean:
		for i, v := range c.Bools[next : next+len(chunk)] {
			chunk[i] = parquet.BooleanValue(v).Level(0, d, index)
		}
	case schema.Float:
		for i, v := range c.Floats[next : next+len(chunk)] {
			chunk[i] = parquet.FloatValue(v).Level(0, d, index)
		}
	case schema.Double:
		for i, v := range c.Reals[next : next+len(chunk)] {
			chunk[i] = parquet.DoubleValue(v).Level(0, d, index)
		}
	case schema.String, schema.Binary:
		if coded(c) {
			for i, code := range c.Codes[next : next+len(chunk)] {
				chunk[i] = s.v.texts[code].Level(0, d, index)
			}
			return
		}
		start := uint32(0)
		if next > 0 {
			start = c.Ends[next-1]
		}
		for i, end := range c.Ends[next : next+len(chunk)] {
			chunk[i] = parquet.ByteArrayValue(c.Bytes[start:end]).Level(0, d, index)
			start = end
		}
	default:
		for i, v := range c.Ints[next : next+len(chunk)] {
			chunk[i] = parquet.Int64Value(v).Level(0, d, index)
		}
	}
}

// lists writes a LIST column. The levels of a nullable list are 0 for null, 1 for
// empty and 2 for an element; other lists have each level less 1. The library takes
// whole rows at a time, so the values are gathered row by row.
func (v *valueWriter) lists(w *parquet.ColumnWriter, b *columns.Batch, c *columns.Column, index int) error {
	empty := 0
	if c.Spec.Nullable {
		empty = 1
	}
	if coded(c) {
		v.loadTexts(b)
	}
	s := valueSource{b: b, c: c, v: v, index: index, definition: empty + 1}
	chunk := v.chunk[:0]
	list, element := 0, 0
	for row := range b.Rows {
		switch {
		case !c.Has(row):
			chunk = append(chunk, parquet.Value{}.Level(0, 0, index))
		default:
			end := int(c.Lists[list])
			list++
			if end == element {
				chunk = append(chunk, parquet.Value{}.Level(0, empty, index))
				break
			}
			first := len(chunk)
			chunk = append(chunk, make([]parquet.Value, end-element)...)
			s.fill(chunk[first:], element)
			for i := first + 1; i < len(chunk); i++ {
				chunk[i] = chunk[i].Level(1, s.definition, index)
			}
			element = end
		}
		if len(chunk) >= len(v.chunk)/2 || row == b.Rows-1 {
			if _, err := w.WriteRowValues(chunk); err != nil {
				return err
			}
			chunk = v.chunk[:0]
		}
	}
	return nil
}
