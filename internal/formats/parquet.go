package formats

import (
	"io"
	"sync"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet"
	"github.com/etl2parquet/etl2parquet/schema"
)

// Parquet is a Parquet file. Its columns and row groups are those of the table's file in a dataset,
// without the column trace.
var Parquet = &Format{Name: "parquet", Binary: true, Single: true, large: true, write: newParquetWriter}

// parquetWriter writes a Parquet file.
type parquetWriter struct {
	file     *parquet.File
	encoders sync.Pool // of *parquet.RowGroup
}

func newParquetWriter(w io.Writer, t *schema.Table, o *Options) (Writer, error) {
	codec, err := parquet.NewCodec(parquet.DefaultCompression)
	if err != nil {
		return nil, err
	}
	file, err := parquet.NewFile(w, t, parquet.Options{Codec: codec, CreatedBy: o.CreatedBy})
	if err != nil {
		return nil, err
	}
	return &parquetWriter{file: file, encoders: sync.Pool{New: func() any { return file.RowGroup() }}}, nil
}

// Table implements [pipeline.Sink].
func (w *parquetWriter) Table(*schema.Table) (pipeline.Writer, error) { return w, nil }

// Encode implements [pipeline.Writer].
func (w *parquetWriter) Encode(g *pipeline.Group) (pipeline.Encoded, error) {
	defer g.Done()
	encoder := w.encoders.Get().(*parquet.RowGroup)
	for _, b := range g.Batches {
		if err := encoder.Write(b); err != nil {
			return nil, err
		}
	}
	return &parquetGroup{w, encoder}, encoder.Finish()
}

// Close implements [Writer].
func (w *parquetWriter) Close(pass error) error {
	if pass != nil {
		return nil // without a footer, so that readers notice
	}
	return w.file.Close()
}

// Rows implements [Writer].
func (w *parquetWriter) Rows() int64 { return w.file.Rows }

// parquetGroup is a row group that waits for its turn.
type parquetGroup struct {
	of      *parquetWriter
	encoder *parquet.RowGroup
}

// Commit implements [pipeline.Encoded].
func (g *parquetGroup) Commit() error {
	if err := g.encoder.Commit(); err != nil {
		return err
	}
	g.of.encoders.Put(g.encoder)
	return nil
}
