package convert

import (
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/lz4"
	"github.com/parquet-go/parquet-go/compress/uncompressed"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// Compressions are the codecs that Options.Compression may name.
var Compressions = []string{"zstd", "snappy", "lz4", "none"}

// DefaultCompression is zstd at its fastest level: a fifth smaller than
// snappy, and read nearly as fast.
const DefaultCompression = "zstd"

func codec(name string) (compress.Codec, error) {
	switch name {
	case "zstd", "":
		return &zstd.Codec{Level: zstd.SpeedFastest}, nil
	case "snappy":
		return snappyCodec{}, nil
	case "lz4":
		return &lz4.Codec{Level: lz4.Fastest}, nil
	case "none":
		return &uncompressed.Codec{}, nil
	}
	return nil, fmt.Errorf("unknown compression %q; there are %v", name, Compressions)
}

// snappyCodec writes Snappy with the fast encoder; the library's own takes a
// third longer for 6 % less.
type snappyCodec struct{}

func (snappyCodec) String() string { return "SNAPPY" }

func (snappyCodec) CompressionCodec() format.CompressionCodec { return format.Snappy }

func (snappyCodec) Encode(dst, src []byte) ([]byte, error) {
	return s2.EncodeSnappy(dst[:cap(dst)], src), nil
}

func (snappyCodec) Decode(dst, src []byte) ([]byte, error) { return s2.Decode(dst[:cap(dst)], src) }

const (
	pageSize        = 256 << 10 // of values in memory; larger pages gain 3 %, for four times the memory
	writeBufferSize = 256 << 10
	createdBy       = "etl2parquet"
)

// parquetFile writes one Parquet file. Row groups are encoded by any
// goroutine, each in an encoder of its own, and committed in order.
type parquetFile struct {
	table  *schema.Table
	writer *parquet.Writer
	rows   int64

	mu   sync.Mutex
	idle []*rowGroup
}

func newParquetFile(w io.Writer, t *schema.Table, c compress.Codec) (*parquetFile, error) {
	var sorting []parquet.SortingColumn
	for _, name := range t.SortBy {
		sorting = append(sorting, parquet.Ascending(name))
	}
	config, err := parquet.NewWriterConfig(
		parquetSchema(t),
		parquet.Compression(c),
		parquet.CreatedBy(createdBy, "1", ""),
		parquet.PageBufferSize(pageSize),
		parquet.WriteBufferSize(writeBufferSize),
		parquet.DataPageVersion(1),
		parquet.DataPageStatistics(false),
		parquet.SortingWriterConfig(parquet.SortingColumns(sorting...)),
	)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name, err)
	}
	return &parquetFile{table: t, writer: parquet.NewWriter(w, config)}, nil
}

// rowGroup returns an encoder, new or used before.
func (f *parquetFile) rowGroup() *rowGroup {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.idle); n > 0 {
		g := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return g
	}
	return &rowGroup{file: f, encoder: f.writer.BeginRowGroup()}
}

// close writes the footer; it does not close the underlying writer.
func (f *parquetFile) close() error {
	if err := f.writer.Close(); err != nil {
		return fmt.Errorf("table %s: %w", f.table.Name, err)
	}
	return nil
}

// rowGroup is one row group on its way into a file.
type rowGroup struct {
	file    *parquetFile
	encoder *parquet.ConcurrentRowGroupWriter
	rows    int
	values  valueWriter
}

// write encodes the rows of a batch. The batch is free when it returns.
func (g *rowGroup) write(b *Batch) error {
	if err := b.check(); err != nil {
		return err
	}
	g.values.of = nil // a batch may come again with other contents
	for i, w := range g.encoder.ColumnWriters() {
		if err := g.values.column(w, b, &b.columns[i], i); err != nil {
			return fmt.Errorf("table %s: column %s: %w", b.Table.Name, b.columns[i].spec.Name, err)
		}
	}
	g.rows += b.Rows
	return nil
}

// finish encodes what is still buffered, so that commit has only to write.
func (g *rowGroup) finish() error { return g.encoder.Flush() }

// commit writes the row group to the file. Calls for one file must be made one
// after another, in the order of the rows. The encoder is then used again.
func (g *rowGroup) commit() error {
	n, err := g.encoder.Commit()
	if err != nil {
		return fmt.Errorf("table %s: %w", g.file.table.Name, err)
	}
	if n != int64(g.rows) {
		return fmt.Errorf("table %s: %d rows became %d", g.file.table.Name, g.rows, n)
	}
	g.file.mu.Lock()
	defer g.file.mu.Unlock()
	g.file.rows += n
	g.rows = 0
	g.file.idle = append(g.file.idle, g)
	return nil
}
