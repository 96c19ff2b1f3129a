package parquet

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// sameAsLibrary compares what is written with what parquet-go's encoder writes of a value.
func sameAsLibrary(t *testing.T, name string, got []byte, value any) {
	t.Helper()
	want, err := thrift.Marshal(new(thrift.CompactProtocol), value)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%x, want\n%x", name, got, want)
	}
}

// TestPageHeaders reads headers of pages with parquet-go's decoder. They have no statistics, which
// that library always writes: its count of nulls would be 0, but a page may have nulls.
func TestPageHeaders(t *testing.T) {
	for _, h := range []format.PageHeader{
		{Type: format.DataPage, UncompressedPageSize: 7, CompressedPageSize: 1 << 30, CRC: -5, DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: 1 << 20, Encoding: format.DeltaLengthByteArray, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})},
		{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{Encoding: format.Plain, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})},
		{Type: format.DictionaryPage, CRC: 1, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: 300, Encoding: format.Plain})},
	} {
		var w thriftWriter
		w.pageHeader(&h)
		var got format.PageHeader
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), w.out, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, h) {
			t.Errorf("got %+v, want %+v", got, h)
		}
		with, err := thrift.Marshal(new(thrift.CompactProtocol), h)
		if err != nil {
			t.Fatal(err)
		}
		statistics := 0
		if h.Type == format.DataPage {
			statistics = len("\x1c\x36\x00\x00") // the field, its one field with the number 0, and its end
		}
		if got, want := len(w.out), len(with)-statistics; got != want {
			t.Errorf("%s: %d bytes, want %d", h.Type, got, want)
		}
	}
}

// TestFooters compares footers of random structures with those of parquet-go's encoder.
func TestFooters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() int64 { return (r.Int64() >> r.IntN(64)) * int64(r.IntN(3)) }
	table := &schema.Table{Name: "t", Columns: []schema.Column{{Name: strings.Repeat("n", 200), Type: schema.Struct, List: true, Nullable: true, Fields: []schema.Column{{Name: "x", Type: schema.Uint64}}}}}
	for kind := range types {
		if kind > 0 {
			table.Columns = append(table.Columns, schema.Column{Name: "c", Type: schema.Type(kind), Nullable: kind%2 == 0, List: kind%3 == 0})
		}
	}
	for n := range 40 {
		meta := fileMeta{Version: 2, Schema: schemaElements(table, n%2 == 0), NumRows: number(), CreatedBy: "me", RowGroups: thrift.Slice[rowGroupMeta]{}}
		for i := range r.IntN(20) {
			meta.KeyValueMetadata = append(meta.KeyValueMetadata, format.KeyValue{Key: strings.Repeat("k", i), Value: strings.Repeat("v", i*i)})
			meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
		}
		meta.ColumnOrders = append(meta.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
		var groups []groupMeta
		var places [][]indexPlaces
		for range r.IntN(4) {
			g := rowGroupMeta{TotalByteSize: number(), NumRows: number(), FileOffset: number(), TotalCompressedSize: number(), Ordinal: int16(number())}
			for range r.IntN(3) {
				g.SortingColumns = append(g.SortingColumns, format.SortingColumn{ColumnIdx: int32(number()), Descending: r.IntN(2) == 0, NullsFirst: r.IntN(2) == 0})
			}
			m := groupMeta{rowGroupMeta: g}
			var at []indexPlaces
			for i := range 1 + r.IntN(20) {
				c := chunkMeta{OffsetIndexOffset: number(), OffsetIndexLength: int32(number()), ColumnIndexOffset: number(), ColumnIndexLength: int32(number()), MetaData: columnMeta{
					Type: format.Type(r.IntN(8)), Encoding: thrift.Slice[format.Encoding]{format.RLE, format.DeltaByteArray}, PathInSchema: strings.Split(strings.Repeat("a.", i), "."),
					Codec: format.Zstd, NumValues: number(), TotalUncompressedSize: number(), TotalCompressedSize: number(), DataPageOffset: number(), DictionaryPageOffset: number(),
					Statistics: statistics{NullCount: number()},
				}}
				if s := &c.MetaData.Statistics; r.IntN(2) == 0 {
					s.MinValue, s.MaxValue = []byte{}, []byte(strings.Repeat("m", int(number()&255)))
					s.IsMinValueExact, s.IsMaxValueExact = thrift.New(r.IntN(2) == 0), thrift.New(r.IntN(2) == 0)
				}
				for range r.IntN(3) {
					c.MetaData.EncodingStats = append(c.MetaData.EncodingStats, format.PageEncodingStats{PageType: format.DictionaryPage, Encoding: format.Plain, Count: int32(number())})
				}
				g.Columns = append(g.Columns, c)
				w := thriftWriter{out: m.chunks}
				w.columnMeta(&c.MetaData)
				m.chunks, m.ends = w.out, append(m.ends, len(w.out))
				at = append(at, indexPlaces{indexPlace{c.ColumnIndexOffset, c.ColumnIndexLength}, indexPlace{c.OffsetIndexOffset, c.OffsetIndexLength}})
			}
			groups, places, meta.RowGroups = append(groups, m), append(places, at), append(meta.RowGroups, g)
		}
		var w thriftWriter
		err := w.footer(&meta, len(groups), func() {
			for i := range groups {
				w.group(&groups[i], places[i])
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		sameAsLibrary(t, "footer", w.out, meta)
	}
	var w thriftWriter
	if err := w.schemaElement(&format.SchemaElement{LogicalType: format.LogicalType{Value: new(format.DateType)}}); err == nil {
		t.Error("no error for a type that no column has")
	}
}
