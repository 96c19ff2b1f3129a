package parquet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/parquet-go/parquet-go/format"
)

// RowGroup encodes one row group of a file.
type RowGroup struct {
	File    *File
	batches []*columns.Batch
	encoder chunkEncoder
	// Only says that the file will have no other row group. It is set before Finish. Chunks that zstd
	// does not make smaller are then stored as they are: with several row groups, parquet-go reads
	// the chunks of a column by the codec of the first.
	Only bool
	EncodedGroup
}

// EncodedGroup is an encoded row group. Its positions are relative to its start.
type EncodedGroup struct {
	Rows     int
	out      []byte // the encoded pages of all columns
	chunks   []columnChunk
	Unsorted bool // the rows are not in the sort order of the table
}

// Size returns the size of the pages in bytes.
func (g *EncodedGroup) Size() int64 { return int64(len(g.out)) }

// columnChunk is an encoded leaf of a row group. Its positions are relative to the start of the row
// group.
type columnChunk struct {
	meta          columnMeta
	hasDictionary bool
	pages         chunkPages
}

// Begin prepares the encoder for a file, without rows.
func (g *RowGroup) Begin(f *File) { g.File = f }

// Write adds the rows of a batch, which must not change until Finish.
func (g *RowGroup) Write(b *columns.Batch) error {
	if got, want := len(b.Columns), len(g.File.Table.Columns); got != want {
		return fmt.Errorf("table %s: a batch has %d columns, want %d", g.File.Table.Name, got, want)
	}
	if err := b.Check(); err != nil {
		return err
	}
	g.batches = append(g.batches, b)
	g.Rows += b.Rows
	return nil
}

// Finish encodes the rows. The batches can be reused when it returns.
func (g *RowGroup) Finish() error {
	g.chunks = slices.Grow(g.chunks, len(g.File.leaves))
	for i := range g.File.leaves {
		l := &g.File.leaves[i]
		g.chunks = append(g.chunks, g.newChunk(l))
		if err := g.encoder.encode(g, l, &g.chunks[i]); err != nil {
			return fmt.Errorf("table %s: column %s: %w", g.File.Table.Name, strings.Join(l.path, "."), err)
		}
	}
	clear(g.batches) // a waiting group would keep them alive
	g.encoder.dictionary.forget()
	g.batches = g.batches[:0]
	return nil
}

// Commit writes the row group to the file. Calls for one file must be sequential, in the order of
// the rows. The encoder can then be reused.
func (g *RowGroup) Commit() error {
	if err := g.File.Commit(&g.EncodedGroup); err != nil {
		return err
	}
	g.reset()
	return nil
}

// Detach removes the encoded row group from the encoder, which can then be reused.
func (g *RowGroup) Detach() *EncodedGroup {
	e := &EncodedGroup{Rows: g.Rows, out: slices.Clone(g.out), chunks: slices.Clone(g.chunks), Unsorted: g.Unsorted}
	g.reset()
	return e
}

func (g *RowGroup) reset() {
	clear(g.batches[:cap(g.batches)])
	g.batches, g.Only = g.batches[:0], false
	g.EncodedGroup = EncodedGroup{out: g.out[:0], chunks: g.chunks[:0]}
}

// mostEncodings is the number of encodings of most chunks: of levels, a dictionary, and its indices.
const mostEncodings = 3

// newChunk returns the description of an empty chunk of a leaf.
func (g *RowGroup) newChunk(l *leaf) columnChunk {
	c := columnChunk{meta: columnMeta{
		Type:         types[l.spec.Type].physical,
		PathInSchema: l.path,
		Codec:        g.File.options.Codec.CompressionCodec(),
		Encoding:     make([]format.Encoding, 0, mostEncodings),
	}}
	if l.definition > 0 {
		c.meta.Encoding = append(c.meta.Encoding, format.RLE)
	}
	return c
}
