package parquet

import (
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The structures of a footer, as far as this package writes them, from FileMetaData down to
// Statistics. Those of package format (parquet-go v0.32.0) have no place for the fields 7 and 8 of
// Statistics, which say that bounds are cut. Numbers are the field ids of parquet.thrift.

// fileMeta is a FileMetaData.
type fileMeta struct {
	Version          int32                              `thrift:"1,required"`
	Schema           thrift.Slice[format.SchemaElement] `thrift:"2,required"`
	NumRows          int64                              `thrift:"3,required"`
	RowGroups        thrift.Slice[rowGroupMeta]         `thrift:"4,required"`
	KeyValueMetadata thrift.Slice[format.KeyValue]      `thrift:"5,optional"`
	CreatedBy        string                             `thrift:"6,optional"`
	ColumnOrders     thrift.Slice[format.ColumnOrder]   `thrift:"7,optional"`
}

// rowGroupMeta is a RowGroup.
type rowGroupMeta struct {
	Columns             thrift.Slice[chunkMeta]            `thrift:"1,required"`
	TotalByteSize       int64                              `thrift:"2,required"`
	NumRows             int64                              `thrift:"3,required"`
	SortingColumns      thrift.Slice[format.SortingColumn] `thrift:"4,optional"`
	FileOffset          int64                              `thrift:"5,optional"`
	TotalCompressedSize int64                              `thrift:"6,optional"`
	Ordinal             int16                              `thrift:"7,optional,writezero"` // some readers require that of the first group
}

// chunkMeta is a ColumnChunk.
type chunkMeta struct {
	FileOffset        int64      `thrift:"2,required"`
	MetaData          columnMeta `thrift:"3,optional"`
	OffsetIndexOffset int64      `thrift:"4,optional"`
	OffsetIndexLength int32      `thrift:"5,optional"`
	ColumnIndexOffset int64      `thrift:"6,optional"`
	ColumnIndexLength int32      `thrift:"7,optional"`
}

// columnMeta is a ColumnMetaData.
type columnMeta struct {
	Type                  format.Type                            `thrift:"1,required"`
	Encoding              thrift.Slice[format.Encoding]          `thrift:"2,required"`
	PathInSchema          thrift.Slice[string]                   `thrift:"3,required"`
	Codec                 format.CompressionCodec                `thrift:"4,required"`
	NumValues             int64                                  `thrift:"5,required"`
	TotalUncompressedSize int64                                  `thrift:"6,required"`
	TotalCompressedSize   int64                                  `thrift:"7,required"`
	DataPageOffset        int64                                  `thrift:"9,required"`
	DictionaryPageOffset  int64                                  `thrift:"11,optional"`
	Statistics            statistics                             `thrift:"12,optional,writezero"`
	EncodingStats         thrift.Slice[format.PageEncodingStats] `thrift:"13,optional"`
}

// statistics is a Statistics. The flags are set if one of the bounds is cut.
type statistics struct {
	NullCount       int64             `thrift:"3,writezero"`
	MaxValue        []byte            `thrift:"5"`
	MinValue        []byte            `thrift:"6"`
	IsMaxValueExact thrift.Null[bool] `thrift:"7,optional"`
	IsMinValueExact thrift.Null[bool] `thrift:"8,optional"`
}

// groupMeta is the encoded metadata of a row group for the end of the file. A large trace has very
// many chunks, and as structs their metadata would take five times the memory.
type groupMeta struct {
	rowGroupMeta         // without chunks
	chunks        []byte // the encoded columnMeta of each leaf
	ends          []int  // of each of them
	columnIndexes []byte // of all leaves in order
	offsetIndexes []byte
	sizes         []indexSize // by leaf; nil if there are no indexes
}

// indexSize has the sizes of a chunk's page indexes.
type indexSize struct{ column, offset int32 }

// indexPlaces has the places of a chunk's page indexes in the file. They are 0 if there are none.
type indexPlaces struct{ column, offset indexPlace }

type indexPlace struct {
	at   int64
	size int32
}
