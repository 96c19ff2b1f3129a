package bundle

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// BenchmarkConvert converts the trace $TRACE, or a real one, with one worker.
func BenchmarkConvert(b *testing.B) {
	path := cmp.Or(os.Getenv("TRACE"), testenv.Shared(b, benchSource))
	d := openDataset(b, filepath.Join(b.TempDir(), "out"))
	o := Options{Options: pipeline.Options{Workers: 1, Memory: pipeline.DefaultMemory}, Force: true}
	for b.Loop() {
		if _, err := convertFile(b.Context(), d, path, "trace", o); err != nil {
			b.Fatal(err)
		}
	}
}
