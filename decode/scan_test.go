package decode_test

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestScanReads checks that the scan for buffers reads the header of each buffer once: over a
// network every read costs a round trip.
func TestScanReads(t *testing.T) {
	data := testenv.ReadFile(t, "../testdata/sample.etl")
	r := &countingReader{file: data}
	f, err := decode.NewFile(r, int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	const header = 2 // reads of the trace header
	if most := int64(f.Buffers() + header); r.calls > most {
		t.Errorf("%d reads for %d buffers, want at most %d", r.calls, f.Buffers(), most)
	}
}
