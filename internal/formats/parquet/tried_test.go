package parquet

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/schema"
)

// countingCodec counts how often it compresses each page.
type countingCodec struct {
	compress.Codec
	pages map[string]int
}

func (c countingCodec) Encode(dst, src []byte) ([]byte, error) {
	c.pages[string(src)]++
	return c.Codec.Encode(dst, src)
}

// TestTriedOnce checks that no column of few values compresses the same bytes twice: first as a
// sample, to choose an encoding, and then as a page.
func TestTriedOnce(t *testing.T) {
	sampled := 0
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 3))
		r := &columnstest.Data{Table: columnstest.RandomTable(random)}
		r.Fill(random, 20+random.IntN(400), random.Float64(), random.IntN(5), []int64{1, 3, 1000, 1 << 40}[random.IntN(4)])
		b := columns.NewBatch(r.Table)
		for _, row := range r.Rows {
			columnstest.Append(b, row)
		}
		codec := countingCodec{zstdCodec{&fastest}, make(map[string]int)}
		f, err := NewFile(io.Discard, r.Table, Options{Codec: codec})
		if err != nil {
			t.Fatal(err)
		}
		g := f.RowGroup()
		if err := g.Write(b); err != nil {
			t.Fatal(err)
		}
		for i := range f.leaves {
			clear(codec.pages)
			chunk := g.newChunk(&f.leaves[i])
			if err := g.encoder.encode(g, &f.leaves[i], &chunk); err != nil {
				t.Fatal(err)
			}
			for page, n := range codec.pages {
				if n > 1 {
					t.Errorf("seed %d, column %v: a page of %d bytes is compressed %d times", seed, f.leaves[i].path, len(page), n)
				}
			}
			sampled += g.encoder.triedNow
		}
	}
	if sampled == 0 {
		t.Error("no column has tried a sample of all its values")
	}
}

// TestOnly checks that an only row group stores chunks as they are that compression does not make
// smaller, and describes the pages of large chunks only.
func TestOnly(t *testing.T) {
	table := &schema.Table{Name: "t", Columns: []schema.Column{
		{Name: "few", Type: schema.Int64, Nullable: true},
		{Name: "alike", Type: schema.String, Encoding: schema.Varied},
		{Name: "noise", Type: schema.Binary, Encoding: schema.Varied},
		{Name: "names", Type: schema.String},
	}}
	random := rand.New(rand.NewPCG(1, 4))
	for _, test := range []struct {
		name  string
		sizes groupSizes
		size  int // of names
		want  []format.CompressionCodec
		stats int // entries of names
	}{
		{"only", groupSizes{{4}}, 6, []format.CompressionCodec{format.Uncompressed, format.Zstd, format.Uncompressed, format.Uncompressed}, 0},
		{"large", groupSizes{{40}}, 9000, []format.CompressionCodec{format.Uncompressed, format.Zstd, format.Zstd, format.Zstd}, 2},
		{"first of two", groupSizes{{4}, {4}}, 6, []format.CompressionCodec{format.Zstd, format.Zstd, format.Zstd, format.Zstd}, 0},
	} {
		rows := make([][]cell, total(test.sizes))
		for i := range rows {
			noise := make([]byte, 300)
			for k := range noise {
				noise[k] = byte(random.Uint32())
			}
			name := make([]byte, test.size)
			for k := range name {
				name[k] = 'a' + byte(random.IntN(26))
			}
			rows[i] = []cell{nil, {strings.Repeat("alike", 40)}, {string(noise)}, {string(name)}}
			if i > 0 && i%2 == 0 {
				rows[i][0], rows[i][3] = cell{int64(i)}, rows[i-1][3]
			}
		}
		data := writeCells(t, table, "zstd", test.sizes, rows)
		f := parquettest.Open(t, data)
		compareCells(t, readCells(t, table, f), rows)
		for i := range table.Columns {
			meta := &f.Metadata().RowGroups[0].Columns[i].MetaData
			if meta.Codec != test.want[i] {
				t.Errorf("%s: column %d has the codec %v, want %v", test.name, i, meta.Codec, test.want[i])
			}
			if i == 3 && len(meta.EncodingStats) != test.stats {
				t.Errorf("%s: %+v, want %d", test.name, meta.EncodingStats, test.stats)
			}
		}
	}
}
