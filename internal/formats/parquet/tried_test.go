package parquet

import (
	"io"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go/compress"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
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
			if _, err := g.encoder.encode(g, &f.leaves[i]); err != nil {
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
