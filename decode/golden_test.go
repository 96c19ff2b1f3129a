package decode_test

import (
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/decodetest"
	"github.com/etl2parquet/etl2parquet/decode/etltest"
)

func goldens(t testing.TB) []decodetest.Golden { return decodetest.Goldens(t, "trace", 80) }

// TestGolden decodes the traces in testdata/golden. The file expect holds the
// dump or, after FAILURE, the error of NewFile.
func TestGolden(t *testing.T) {
	decodetest.RunGoldens(t, goldens(t), func(trace []byte) string {
		got, err := dump(etltest.MustParse(t, string(trace)))
		if err != nil {
			return "FAILURE\n" + err.Error() + "\n"
		}
		return got
	})
}
