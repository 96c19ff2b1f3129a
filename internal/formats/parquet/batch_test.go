package parquet

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/columns"
	"github.com/etl2parquet/etl2parquet/internal/engine/columns/columnstest"
)

// TestJoinedBatches checks that joined batches are written to the same bytes as one
// batch of all rows.
func TestJoinedBatches(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 2))
		r := &columnstest.Data{Table: columnstest.RandomTable(random)}
		r.Fill(random, 1+random.IntN(200), random.Float64(), random.IntN(5), []int64{1, 3, 1000}[random.IntN(3)])
		whole, joined, part := columns.NewBatch(r.Table), columns.NewBatch(r.Table), columns.NewBatch(r.Table)
		for _, row := range r.Rows {
			columnstest.Append(whole, row)
			columnstest.Append(part, row)
			if random.IntN(10) == 0 {
				joined.Append(part)
				part.Reset()
			}
		}
		joined.Append(part)
		if want, got := writeBatch(t, whole), writeBatch(t, joined); !bytes.Equal(want, got) {
			t.Fatalf("seed %d, %d rows: the joined batches give other bytes", seed, len(r.Rows))
		}
	}
}

func writeBatch(t *testing.T, b *columns.Batch) []byte {
	t.Helper()
	var file bytes.Buffer
	f, err := NewFile(&file, b.Table, Options{Codec: snappyCodec{}})
	if err != nil {
		t.Fatal(err)
	}
	g := f.RowGroup()
	for _, step := range []func() error{func() error { return g.Write(b) }, g.Finish, g.Commit, f.Close} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes()
}
