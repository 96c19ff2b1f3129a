package parquet

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/lz4"
	"github.com/parquet-go/parquet-go/compress/uncompressed"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Compressions are the names of the codecs.
var Compressions = []string{"zstd", "snappy", "lz4", "none"}

// DefaultCompression is zstd at its fastest level: a fifth smaller than snappy, and nearly as fast
// to read.
const DefaultCompression = "zstd"

// NewCodec returns the codec with a name in Compressions; "" is DefaultCompression.
func NewCodec(name string) (compress.Codec, error) {
	switch cmp.Or(name, DefaultCompression) {
	case "zstd":
		return zstdCodec{&fastest}, nil
	case "snappy":
		return snappyCodec{}, nil
	case "lz4":
		return &lz4.Codec{Level: lz4.Fastest}, nil
	case "none":
		return &uncompressed.Codec{}, nil
	}
	return nil, fmt.Errorf("unknown compression %q; supported are %v", name, Compressions)
}

// snappyCodec writes Snappy with the fast encoder. The library's own codec takes a third longer for
// 6 % smaller output.
type snappyCodec struct{}

func (snappyCodec) String() string { return "SNAPPY" }

func (snappyCodec) CompressionCodec() format.CompressionCodec { return format.Snappy }

func (snappyCodec) Encode(dst, src []byte) ([]byte, error) {
	return s2.EncodeSnappy(dst[:cap(dst)], src), nil
}

func (snappyCodec) Decode(dst, src []byte) ([]byte, error) { return s2.Decode(dst[:cap(dst)], src) }

const (
	magic         = "PAR1"
	formatVersion = 2
)

// Options say how a file is written.
type Options struct {
	Codec compress.Codec
	// CreatedBy names the program and its version, as package version does; "" names the program.
	CreatedBy string
	// SignedInts writes the columns of type Uint64, in lists and structures too, as Int64 of the same
	// bits, and no field ids: see [Signed].
	SignedInts bool

	lower *pageLimits // in tests; nil for the defaults
}

func (o *Options) limits() *pageLimits {
	if o.lower != nil {
		return o.lower
	}
	return &defaultLimits
}

// File writes one Parquet file. Any goroutine can encode row groups, each with its own encoder;
// they are committed in order.
//
// Pages are made here, with the encodings of the Parquet library. The library's own writer is half
// as fast: it takes every value in a struct of 24 bytes, and hashes texts that already have a code.
type File struct {
	Table   *schema.Table // of the batches
	written *schema.Table // as it is in the file
	leaves  []leaf
	w       io.Writer
	options Options

	Rows int64 // committed so far

	offset int64
	sum    Checksum // of the bytes written
	groups []groupMeta
}

// castagnoli is the polynomial of CRC-32C, for which processors have an instruction: it takes a
// thousandth of the time of a conversion.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is a CRC-32C.
type Checksum uint32

// Add returns the checksum extended by the following bytes.
func (c Checksum) Add(p []byte) Checksum { return Checksum(crc32.Update(uint32(c), castagnoli, p)) }

// String returns the checksum in the form of commit records.
func (c Checksum) String() string { return fmt.Sprintf("%08x", uint32(c)) }

// Checksum returns the checksum of the bytes written so far.
func (f *File) Checksum() Checksum { return f.sum }

// Size returns the number of bytes written so far.
func (f *File) Size() int64 { return f.offset }

// NewFile returns a new file of a table. Without a writer, row groups can be encoded for it, but
// not committed.
func NewFile(w io.Writer, t *schema.Table, o Options) (*File, error) {
	written := t
	if o.SignedInts {
		written = Signed(t)
	}
	leaves, err := leavesOf(written)
	if err != nil {
		return nil, err
	}
	return &File{Table: t, written: written, leaves: leaves, w: w, options: o}, nil
}

// Written returns the table with the types that its columns have in the file.
func (f *File) Written() *schema.Table { return f.written }

// SetWriter sets the writer of a file that was made without one. It must be called before the first
// commit.
func (f *File) SetWriter(w io.Writer) { f.w = w }

// HasWriter reports whether the file has a writer.
func (f *File) HasWriter() bool { return f.w != nil }

// Columns returns the number of columns in the file. Each member of a struct counts as one.
func (f *File) Columns() int { return len(f.leaves) }

// writeHeader writes the start of the file, before the first row group.
func (f *File) writeHeader() error {
	if f.offset > 0 {
		return nil
	}
	return f.write([]byte(magic))
}

func (f *File) write(p []byte) error {
	n, err := f.w.Write(p)
	f.offset += int64(n)
	f.sum = f.sum.Add(p[:n])
	if err != nil {
		return fmt.Errorf("table %s: %w", f.Table.Name, err)
	}
	return nil
}

// RowGroup returns an encoder for one row group.
func (f *File) RowGroup() *RowGroup { return &RowGroup{File: f} }

// Commit writes a row group, one at a time. The positions of its chunks are relative to its start.
func (f *File) Commit(g *EncodedGroup) error {
	if err := f.writeHeader(); err != nil {
		return err
	}
	start := f.offset
	if err := f.write(g.out); err != nil {
		return err
	}
	group := rowGroupMeta{
		NumRows: int64(g.Rows), FileOffset: start, TotalCompressedSize: int64(len(g.out)), Ordinal: int16(len(f.groups)),
	}
	for _, name := range f.Table.SortBy {
		if g.Unsorted {
			break
		}
		column := f.Table.Column(name)
		i := slices.IndexFunc(f.leaves, func(l leaf) bool { return l.column == column })
		if name == schema.TimeColumn && g.chunks[i].pages.nulls() > 0 {
			break // an event without a time has a place between those of others
		}
		group.SortingColumns = append(group.SortingColumns, format.SortingColumn{ColumnIdx: int32(i), NullsFirst: f.leaves[i].spec.Nullable})
	}
	for i := range g.chunks {
		c := &g.chunks[i]
		c.meta.DataPageOffset += start
		if c.hasDictionary {
			c.meta.DictionaryPageOffset += start
		}
		for p := range c.pages.list {
			c.pages.list[p].location.Offset += start
		}
		group.TotalByteSize += c.meta.TotalUncompressedSize
	}
	meta, err := g.meta(&group)
	if err != nil {
		return fmt.Errorf("table %s: %w", f.Table.Name, err)
	}
	f.groups = append(f.groups, meta)
	f.Rows += int64(g.Rows)
	return nil
}

// meta encodes the metadata of a row group for the end of the file.
func (g *EncodedGroup) meta(group *rowGroupMeta) (m groupMeta, err error) {
	m.rowGroupMeta = *group
	t := thriftWriter{out: make([]byte, 0, chunkRoom*len(g.chunks))}
	m.ends = make([]int, 0, len(g.chunks))
	for i := range g.chunks {
		t.columnMeta(&g.chunks[i].meta)
		m.ends = append(m.ends, len(t.out))
	}
	m.chunks = slices.Clone(t.out) // without the room that it grew by
	if !g.paged() {
		return m, nil
	}
	m.sizes = make([]indexSize, len(g.chunks))
	add := func(dst *[]byte, value any) (size int32) {
		var text []byte
		if err == nil {
			text, err = thrift.Marshal(new(thrift.CompactProtocol), value)
		}
		*dst = append(*dst, text...)
		return int32(len(text))
	}
	for i := range g.chunks {
		pages := &g.chunks[i].pages
		if index := pages.columnIndex(); index != nil {
			m.sizes[i].column = add(&m.columnIndexes, index)
		}
		m.sizes[i].offset = add(&m.offsetIndexes, pages.offsetIndex())
	}
	return m, err
}

// paged reports whether a chunk has several pages. With one page, page indexes would only repeat
// the footer.
func (g *EncodedGroup) paged() bool {
	return slices.ContainsFunc(g.chunks, func(c columnChunk) bool { return len(c.pages.list) > 1 })
}

// writeIndexes writes the page indexes, and returns their places, by row group and leaf.
func (f *File) writeIndexes() ([][]indexPlaces, error) {
	places := make([][]indexPlaces, len(f.groups))
	// Readers expect all column indexes together, followed by all offset indexes.
	for i := range f.groups {
		places[i] = make([]indexPlaces, len(f.groups[i].ends))
		at := f.offset
		for n, size := range f.groups[i].sizes {
			if size.column > 0 {
				places[i][n].column = indexPlace{at, size.column}
				at += int64(size.column)
			}
		}
		if err := f.write(f.groups[i].columnIndexes); err != nil {
			return nil, err
		}
	}
	for i := range f.groups {
		at := f.offset
		for n, size := range f.groups[i].sizes {
			if size.offset > 0 {
				places[i][n].offset = indexPlace{at, size.offset}
				at += int64(size.offset)
			}
		}
		if err := f.write(f.groups[i].offsetIndexes); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// The bytes that most parts of a footer take, so that its memory is allocated once.
const (
	chunkRoom  = 128 // the description of a chunk
	placesRoom = 24  // the rest of a chunk: the places of its page indexes
	columnRoom = 64  // a node of a schema, and its order
	fileRoom   = 256 // the rest
)

// footerRoom estimates the bytes of a footer.
func (f *File) footerRoom(m *fileMeta) int {
	n := fileRoom + columnRoom*len(m.Schema)
	for i := range f.groups {
		n += len(f.groups[i].chunks) + placesRoom*len(f.groups[i].ends)
	}
	for _, kv := range m.KeyValueMetadata {
		n += len(kv.Key) + len(kv.Value)
	}
	return n
}

// Close writes the page indexes and the footer; it does not close the
// underlying writer.
func (f *File) Close() error {
	if err := f.writeHeader(); err != nil {
		return err
	}
	pages := f.offset
	places, err := f.writeIndexes()
	if err != nil {
		return err
	}
	meta := fileMeta{
		Version: formatVersion, Schema: schemaElements(f.written, !f.options.SignedInts), NumRows: f.Rows,
		CreatedBy: cmp.Or(f.options.CreatedBy, creator), KeyValueMetadata: append(unitMetadata(f.Table), docMetadata(f.Table, pages)...),
		ColumnOrders: make([]format.ColumnOrder, len(f.leaves)),
	}
	t := thriftWriter{out: make([]byte, 0, f.footerRoom(&meta))}
	err = t.footer(&meta, len(f.groups), func() {
		for i := range f.groups {
			t.group(&f.groups[i], places[i])
		}
	})
	if err != nil {
		return fmt.Errorf("table %s: %w", f.Table.Name, err)
	}
	f.groups = nil
	footer := binary.LittleEndian.AppendUint32(t.out, uint32(len(t.out)))
	return f.write(append(footer, magic...))
}
