package convert

import (
	"fmt"

	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/schema"
)

// rowGroup is one row group on its way into a file.
type rowGroup struct {
	file    *parquetFile
	batches []*Batch
	rows    int
	out     []byte // the encoded pages of all columns
	chunks  []columnChunk
	encoder chunkEncoder
}

// columnChunk is one column of a row group, encoded. Its positions are from the
// start of the row group.
type columnChunk struct {
	meta          format.ColumnMetaData
	hasDictionary bool
	pages         chunkPages
}

// write adds the rows of a batch, which must stay as it is until finish.
func (g *rowGroup) write(b *Batch) error {
	if err := b.check(); err != nil {
		return err
	}
	g.batches = append(g.batches, b)
	g.rows += b.Rows
	return nil
}

// finish encodes the rows. The batches are free when it returns.
func (g *rowGroup) finish() error {
	for i := range g.file.table.Columns {
		c, err := g.encoder.encode(g, i)
		if err != nil {
			return fmt.Errorf("table %s: column %s: %w", g.file.table.Name, g.file.table.Columns[i].Name, err)
		}
		g.chunks = append(g.chunks, c)
	}
	g.batches = g.batches[:0]
	return nil
}

// commit writes the row group to the file. Calls for one file must be made one
// after another, in the order of the rows. The encoder is then used again.
func (g *rowGroup) commit() error { return g.file.commit(g) }

func (g *rowGroup) reset() {
	clear(g.batches[:cap(g.batches)])
	g.batches, g.rows, g.out, g.chunks = g.batches[:0], 0, g.out[:0], g.chunks[:0]
}

// newChunk describes the chunk of a column before anything is in it.
func (g *rowGroup) newChunk(spec *schema.Column) columnChunk {
	c := columnChunk{meta: format.ColumnMetaData{
		Type:         parquetTypes[spec.Type].physical,
		PathInSchema: columnPath(spec),
		Codec:        g.file.codec.CompressionCodec(),
	}}
	if maxDefinition(spec) > 0 {
		c.meta.Encoding = append(c.meta.Encoding, format.RLE)
	}
	return c
}
