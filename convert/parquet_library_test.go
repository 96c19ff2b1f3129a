package convert

import (
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/etl2parquet/etl2parquet/schema"
)

// libraryFile writes the same tables with the Parquet library's own writer,
// column by column as PERFORMANCE.md found it to be fastest. It is what the
// writer of this package is compared with, in contents and in speed.
type libraryFile struct{ writer *parquet.GenericWriter[any] }

func newLibraryFile(w io.Writer, t *schema.Table, c compress.Codec) (*libraryFile, error) {
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
	return &libraryFile{parquet.NewGenericWriter[any](w, config)}, nil
}

// libraryRowGroup is an encoder of the library, which it uses again.
type libraryRowGroup struct {
	encoder *parquet.ConcurrentRowGroupWriter
	values  valueWriter
}

func (f *libraryFile) rowGroup() *libraryRowGroup {
	return &libraryRowGroup{encoder: f.writer.BeginRowGroup()}
}

func (g *libraryRowGroup) write(b *Batch) error {
	g.values.of = nil // a batch may come again with other contents
	for i, w := range g.encoder.ColumnWriters() {
		if err := g.values.column(w, b, &b.columns[i], i); err != nil {
			return err
		}
	}
	return nil
}

func (g *libraryRowGroup) commit() error {
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

// leafEncoding chooses the encoding that the values' kind asks for
// (measured: PERFORMANCE.md, section 3).
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

// Value is for rows as Go values, which this package does not write.
func (f *orderedField) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// valueWriter hands columns to the Parquet library, which takes values one
// struct each, with their definition levels: 0 for null, else the largest.
type valueWriter struct {
	chunk [1024]parquet.Value
	texts []parquet.Value // of the batch that textsOf names, by code
	of    *Batch
}

// column writes a column of a batch. A loop per type keeps the work per value
// to a few ns.
func (v *valueWriter) column(w *parquet.ColumnWriter, b *Batch, c *column, index int) error {
	if c.spec.List {
		return v.lists(w, b, c, index)
	}
	s := valueSource{b: b, c: c, v: v, index: index}
	if c.spec.Nullable {
		s.definition = 1
	}
	if c.coded() {
		v.loadTexts(b)
	}
	next := 0 // value to be written
	for row := 0; row < b.Rows; {
		n := min(len(v.chunk), b.Rows-row)
		chunk := v.chunk[:n]
		if c.spec.Nullable {
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
func (c *column) coded() bool {
	return (c.spec.Type == schema.String || c.spec.Type == schema.Binary) && c.spec.Encoding != schema.Varied
}

// loadTexts makes the values that the codes of a batch stand for.
func (v *valueWriter) loadTexts(b *Batch) {
	if v.of == b && len(v.texts) == b.texts.len() {
		return
	}
	v.of = b
	v.texts = v.texts[:0]
	for code := range b.texts.len() {
		v.texts = append(v.texts, parquet.ByteArrayValue(b.texts.at(uint32(code))))
	}
}

// valueSource turns the values of one column into those of the library.
type valueSource struct {
	b          *Batch
	c          *column
	v          *valueWriter
	index      int // of the column in the file
	definition int // level of a value that is there
}

// nullable fills the chunk from a row on and returns how many values it took.
func (s *valueSource) nullable(chunk []parquet.Value, row, next int) (taken int) {
	valid := s.c.valid[min(row, len(s.c.valid)):]
	null := parquet.Value{}.Level(0, 0, s.index)
	for i := 0; i < len(chunk); {
		run := i
		for run < len(chunk) && run < len(valid) && valid[run] {
			run++
		}
		if run > i {
			s.fill(chunk[i:run], next+taken)
			taken += run - i
			i = run
		}
		for i < len(chunk) && (i >= len(valid) || !valid[i]) {
			chunk[i] = null
			i++
		}
	}
	return taken
}

// fill makes values from the one at next on.
func (s *valueSource) fill(chunk []parquet.Value, next int) {
	c, d, index := s.c, s.definition, s.index
	switch c.spec.Type {
	case schema.Int32:
		for i, v := range c.small[next : next+len(chunk)] {
			chunk[i] = parquet.Int32Value(v).Level(0, d, index)
		}
	case schema.Boolean:
		for i, v := range c.bools[next : next+len(chunk)] {
			chunk[i] = parquet.BooleanValue(v).Level(0, d, index)
		}
	case schema.Float:
		for i, v := range c.floats[next : next+len(chunk)] {
			chunk[i] = parquet.FloatValue(v).Level(0, d, index)
		}
	case schema.Double:
		for i, v := range c.reals[next : next+len(chunk)] {
			chunk[i] = parquet.DoubleValue(v).Level(0, d, index)
		}
	case schema.String, schema.Binary:
		if c.coded() {
			for i, code := range c.codes[next : next+len(chunk)] {
				chunk[i] = s.v.texts[code].Level(0, d, index)
			}
			return
		}
		start := uint32(0)
		if next > 0 {
			start = c.ends[next-1]
		}
		for i, end := range c.ends[next : next+len(chunk)] {
			chunk[i] = parquet.ByteArrayValue(c.bytes[start:end]).Level(0, d, index)
			start = end
		}
	default:
		for i, v := range c.ints[next : next+len(chunk)] {
			chunk[i] = parquet.Int64Value(v).Level(0, d, index)
		}
	}
}

// lists writes a LIST column. The levels of a nullable list are: 0 null,
// 1 empty, 2 an element; of one that is not, each less by 1. The library takes
// whole rows at a time, so the values are gathered row by row.
func (v *valueWriter) lists(w *parquet.ColumnWriter, b *Batch, c *column, index int) error {
	empty := 0
	if c.spec.Nullable {
		empty = 1
	}
	if c.coded() {
		v.loadTexts(b)
	}
	s := valueSource{b: b, c: c, v: v, index: index, definition: empty + 1}
	chunk := v.chunk[:0]
	list, element := 0, 0
	for row := range b.Rows {
		switch {
		case c.spec.Nullable && (row >= len(c.valid) || !c.valid[row]):
			chunk = append(chunk, parquet.Value{}.Level(0, 0, index))
		default:
			end := int(c.lists[list])
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
