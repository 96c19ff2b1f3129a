package parquet

import (
	"encoding/binary"
	"fmt"

	"github.com/parquet-go/parquet-go/format"
)

// thriftWriter writes structures in the compact protocol, as thrift.Marshal does. In small files that
// took a tenth of the time of a conversion, by reflection. The numbers of fields are those of
// parquet.thrift.
type thriftWriter struct {
	out  []byte
	last int // number of the field before in this structure
}

// field begins a field. Its number is greater than that of the field before.
func (t *thriftWriter) field(id int, kind byte) {
	t.out = append(t.out, byte(id-t.last)<<4|kind) // no structure leaves out 15 numbers
	t.last = id
}

func (t *thriftWriter) varint(n int64) { t.out = binary.AppendVarint(t.out, n) }

// integer writes a field of a kind of integer of at least 16 bits.
func (t *thriftWriter) integer(id int, kind byte, n int64) {
	t.field(id, kind)
	t.varint(n)
}

// optional writes an integer unless it is 0.
func (t *thriftWriter) optional(id int, kind byte, n int64) {
	if n != 0 {
		t.integer(id, kind, n)
	}
}

func (t *thriftWriter) boolean(id int, value bool) {
	kind := byte(thriftFalse)
	if value {
		kind = thriftTrue
	}
	t.field(id, kind)
}

// text writes a field of bytes.
func (t *thriftWriter) text(id int, text string) {
	t.field(id, thriftBinary)
	t.rawText(text)
}

func (t *thriftWriter) rawText(text string) {
	t.out = append(binary.AppendUvarint(t.out, uint64(len(text))), text...)
}

// list begins a field that is a list, whose elements follow.
func (t *thriftWriter) list(id int, element byte, n int) {
	t.field(id, thriftList)
	if n < 15 {
		t.out = append(t.out, byte(n)<<4|element)
		return
	}
	t.out = binary.AppendUvarint(append(t.out, 0xf0|element), uint64(n))
}

// structure writes a field that is a structure.
func (t *thriftWriter) structure(id int, write func()) {
	t.field(id, thriftStruct)
	t.element(write)
}

// element writes a structure that is an element of a list.
func (t *thriftWriter) element(write func()) {
	outer := t.last
	t.last = 0
	write()
	t.out = append(t.out, 0)
	t.last = outer
}

// pageHeader writes the header of a page of data or of a dictionary.
func (t *thriftWriter) pageHeader(h *format.PageHeader) {
	t.element(func() {
		t.integer(1, thriftInt32, int64(h.Type))
		t.integer(2, thriftInt32, int64(h.UncompressedPageSize))
		t.integer(3, thriftInt32, int64(h.CompressedPageSize))
		t.optional(4, thriftInt32, int64(h.CRC))
		if d := &h.DataPageHeader; d.Valid {
			t.structure(5, func() {
				t.integer(1, thriftInt32, int64(d.V.NumValues))
				t.integer(2, thriftInt32, int64(d.V.Encoding))
				t.integer(3, thriftInt32, int64(d.V.DefinitionLevelEncoding))
				t.integer(4, thriftInt32, int64(d.V.RepetitionLevelEncoding))
			})
		}
		if d := &h.DictionaryPageHeader; d.Valid {
			t.structure(7, func() {
				t.integer(1, thriftInt32, int64(d.V.NumValues))
				t.integer(2, thriftInt32, int64(d.V.Encoding))
			})
		}
	})
}

// columnMeta writes the description of a chunk.
func (t *thriftWriter) columnMeta(m *columnMeta) {
	t.element(func() {
		t.integer(1, thriftInt32, int64(m.Type))
		t.list(2, thriftInt32, len(m.Encoding))
		for _, e := range m.Encoding {
			t.varint(int64(e))
		}
		t.list(3, thriftBinary, len(m.PathInSchema))
		for _, name := range m.PathInSchema {
			t.rawText(name)
		}
		t.integer(4, thriftInt32, int64(m.Codec))
		t.integer(5, thriftInt64, m.NumValues)
		t.integer(6, thriftInt64, m.TotalUncompressedSize)
		t.integer(7, thriftInt64, m.TotalCompressedSize)
		t.integer(9, thriftInt64, m.DataPageOffset)
		t.optional(11, thriftInt64, m.DictionaryPageOffset)
		t.structure(12, func() { t.statistics(&m.Statistics) })
		if len(m.EncodingStats) > 0 {
			t.list(13, thriftStruct, len(m.EncodingStats))
		}
		for _, s := range m.EncodingStats {
			t.element(func() {
				t.integer(1, thriftInt32, int64(s.PageType))
				t.integer(2, thriftInt32, int64(s.Encoding))
				t.integer(3, thriftInt32, int64(s.Count))
			})
		}
	})
}

// statistics writes the fields of the statistics of a chunk.
func (t *thriftWriter) statistics(s *statistics) {
	t.integer(3, thriftInt64, s.NullCount)
	if s.MaxValue != nil {
		t.text(5, string(s.MaxValue))
	}
	if s.MinValue != nil {
		t.text(6, string(s.MinValue))
	}
	if s.IsMaxValueExact.Valid {
		t.boolean(7, s.IsMaxValueExact.V)
	}
	if s.IsMinValueExact.Valid {
		t.boolean(8, s.IsMinValueExact.V)
	}
}

// chunk writes a chunk with its encoded description and the places of its page indexes.
func (t *thriftWriter) chunk(meta []byte, at *indexPlaces) {
	t.element(func() {
		t.integer(2, thriftInt64, 0) // file_offset: nothing is there
		t.field(3, thriftStruct)
		t.out = append(t.out, meta...)
		t.optional(4, thriftInt64, at.offset.at)
		t.optional(5, thriftInt32, int64(at.offset.size))
		t.optional(6, thriftInt64, at.column.at)
		t.optional(7, thriftInt32, int64(at.column.size))
	})
}

// group writes a row group, of which m has the chunks.
func (t *thriftWriter) group(m *groupMeta, at []indexPlaces) {
	t.element(func() {
		t.list(1, thriftStruct, len(m.ends))
		start := 0
		for i, end := range m.ends {
			t.chunk(m.chunks[start:end], &at[i])
			start = end
		}
		t.groupRest(&m.rowGroupMeta)
	})
}

// groupRest writes the fields of a row group after its chunks.
func (t *thriftWriter) groupRest(g *rowGroupMeta) {
	t.integer(2, thriftInt64, g.TotalByteSize)
	t.integer(3, thriftInt64, g.NumRows)
	if len(g.SortingColumns) > 0 {
		t.list(4, thriftStruct, len(g.SortingColumns))
	}
	for _, s := range g.SortingColumns {
		t.element(func() {
			t.integer(1, thriftInt32, int64(s.ColumnIdx))
			t.boolean(2, s.Descending)
			t.boolean(3, s.NullsFirst)
		})
	}
	t.optional(5, thriftInt64, g.FileOffset)
	t.optional(6, thriftInt64, g.TotalCompressedSize)
	t.integer(7, thriftInt16, int64(g.Ordinal))
}

// schemaElement writes a node of a schema.
func (t *thriftWriter) schemaElement(e *format.SchemaElement) error {
	var err error
	t.element(func() {
		if e.Type.Valid {
			t.integer(1, thriftInt32, int64(e.Type.V))
		}
		if e.RepetitionType.Valid {
			t.integer(3, thriftInt32, int64(e.RepetitionType.V))
		}
		t.text(4, e.Name)
		if e.NumChildren.Valid {
			t.integer(5, thriftInt32, int64(e.NumChildren.V))
		}
		if e.ConvertedType.Valid {
			t.integer(6, thriftInt32, int64(e.ConvertedType.V))
		}
		t.optional(9, thriftInt32, int64(e.FieldID))
		if e.LogicalType.Value != nil {
			t.structure(10, func() { err = t.logicalType(e.LogicalType.Value) })
		}
	})
	return err
}

// logicalType writes one of the types in [types], or a list.
func (t *thriftWriter) logicalType(value format.LogicalTypeValue) error {
	empty := func() {}
	switch v := value.(type) {
	case *format.StringType:
		t.structure(1, empty)
	case *format.ListType:
		t.structure(3, empty)
	case *format.TimestampType: // in us
		t.structure(8, func() {
			t.boolean(1, v.IsAdjustedToUTC)
			t.structure(2, func() { t.structure(2, empty) })
		})
	case *format.IntType:
		t.structure(10, func() {
			t.field(1, thriftInt8)
			t.out = append(t.out, byte(v.BitWidth))
			t.boolean(2, v.IsSigned)
		})
	default:
		return fmt.Errorf("no logical type of a column: %T", value)
	}
	return nil
}

// footer writes a FileMetaData. write writes its row groups.
func (t *thriftWriter) footer(m *fileMeta, groups int, write func()) error {
	var err error
	t.element(func() {
		t.integer(1, thriftInt32, int64(m.Version))
		t.list(2, thriftStruct, len(m.Schema))
		for i := range m.Schema {
			if failed := t.schemaElement(&m.Schema[i]); failed != nil {
				err = failed
			}
		}
		t.integer(3, thriftInt64, m.NumRows)
		t.list(4, thriftStruct, groups)
		write()
		if len(m.KeyValueMetadata) > 0 {
			t.list(5, thriftStruct, len(m.KeyValueMetadata))
		}
		for _, kv := range m.KeyValueMetadata {
			t.element(func() {
				t.text(1, kv.Key)
				t.text(2, kv.Value)
			})
		}
		t.text(6, m.CreatedBy)
		t.list(7, thriftStruct, len(m.ColumnOrders))
		for range m.ColumnOrders { // all are TYPE_ORDER
			t.element(func() { t.structure(1, func() {}) })
		}
	})
	return err
}
