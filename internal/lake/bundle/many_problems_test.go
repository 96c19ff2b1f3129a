package bundle

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/problems"
)

// TestManyProblems converts a trace with more damaged buffers than are listed, in several
// chunks of the index.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	const buffers = 3 * problems.ProblemsPerCode
	trace := etltest.Trace{BufferSize: 32 << 10}
	for i := range buffers {
		trace.Buffers = append(trace.Buffers, etltest.Buffer{Events: []etltest.Event{
			{Kind: etltest.Event64, Time: int64(i), Payload: make([]byte, 30000)},
			{Kind: etltest.Event64, Time: int64(i), Set: etltest.Fields{"marker": 0}},
		}})
	}
	x := indextest.Data(t, trace.MustBytes(t))
	if indextest.Chunks(x) < 3 {
		t.Fatalf("%d chunks", indextest.Chunks(x))
	}
	list := x.Problems.All()
	if len(list) != problems.ProblemsPerCode+1 || list[problems.ProblemsPerCode].Count != buffers-problems.ProblemsPerCode || x.Problems.Serious() != buffers {
		t.Errorf("%d problems, the last %+v", len(list), list[len(list)-1])
	}
	for i, p := range list[:problems.ProblemsPerCode] {
		if p.Buffer != int64(i+1) {
			t.Fatalf("problem %d is in buffer %d", i, p.Buffer)
		}
	}
}
