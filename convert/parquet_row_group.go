package convert

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/format"
)

// rowGroup is one row group on its way into a file.
type rowGroup struct {
	file    *parquetFile
	batches []*Batch
	encoder chunkEncoder
	encodedGroup
}

// encodedGroup is a row group that is encoded. Its positions are from its own
// start.
type encodedGroup struct {
	rows     int
	out      []byte // the encoded pages of all columns
	chunks   []columnChunk
	unsorted bool // the rows are not in the order of the table
}

// columnChunk is one leaf of a row group, encoded. Its positions are from the
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
	for i := range g.file.leaves {
		l := &g.file.leaves[i]
		c, err := g.encoder.encode(g, l)
		if err != nil {
			return fmt.Errorf("table %s: column %s: %w", g.file.table.Name, strings.Join(l.path, "."), err)
		}
		g.chunks = append(g.chunks, c)
	}
	g.batches = g.batches[:0]
	return nil
}

// commit writes the row group to the file. Calls for one file must be made one
// after another, in the order of the rows. The encoder is then used again.
func (g *rowGroup) commit() error {
	if err := g.file.commit(&g.encodedGroup); err != nil {
		return err
	}
	g.reset()
	return nil
}

// detach takes what is encoded out of the encoder, which is then used again.
func (g *rowGroup) detach() *encodedGroup {
	e := &encodedGroup{rows: g.rows, out: slices.Clone(g.out), chunks: slices.Clone(g.chunks), unsorted: g.unsorted}
	g.reset()
	return e
}

func (g *rowGroup) reset() {
	clear(g.batches[:cap(g.batches)])
	g.batches = g.batches[:0]
	g.encodedGroup = encodedGroup{out: g.out[:0], chunks: g.chunks[:0]}
}

// newChunk describes the chunk of a leaf before anything is in it.
func (g *rowGroup) newChunk(l *leaf) columnChunk {
	c := columnChunk{meta: format.ColumnMetaData{
		Type:         parquetTypes[l.spec.Type].physical,
		PathInSchema: l.path,
		Codec:        g.file.codec.CompressionCodec(),
	}}
	if l.definition > 0 {
		c.meta.Encoding = append(c.meta.Encoding, format.RLE)
	}
	return c
}
