package bundle

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode/etltest"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestStackOverflow checks that stacks whose frames or ids exceed the memory are the same as
// stacks that fit, for any number of workers, and that no temporary file is left.
func TestStackOverflow(t *testing.T) {
	t.Parallel()
	inputs := map[string][]byte{"hand-written": indextest.TraceIn(t, rowGoldens+"/attribution/stack-keys.txtar")}
	if !testing.Short() {
		for _, path := range testenv.SharedOr(t, "traces/net.4.5.2.x86.etl") {
			real := testenv.ReadFile(t, path)
			inputs["net.4.5.2.x86"] = real
		}
	}
	for name, data := range inputs {
		t.Run(name, func(t *testing.T) {
			path := indextest.Write(t, "t.etl", data)
			var want map[string]string
			for i, engine := range []pipeline.Options{{Workers: 2}, {Workers: 1, Limits: pipeline.Limits{Frames: 1, Stacks: 2}}, {Workers: 3, Limits: pipeline.Limits{Frames: 1, Stacks: 1000}}} {
				o := Options{Options: engine}
				o.Memory, o.Compression, o.TempDir = 48<<20, testOptions.Compression, t.TempDir()
				root := t.TempDir()
				convertTo(t, root, path, o)
				if left, err := os.ReadDir(o.TempDir); err != nil || len(left) > 0 {
					t.Errorf("left: %v, %v", left, err)
				}
				got := testenv.Files(t, root)
				if i == 0 {
					want = got
				}
				for name, contents := range want {
					if got[name] != contents {
						t.Errorf("%d workers, %d bytes and %d stacks in memory: %s is another", o.Workers, o.Limits.Frames, o.Limits.Stacks, name)
					}
				}
				if want[partPath("stacks", "t")] == "" || len(got) != len(want) {
					t.Errorf("%d files, want %d", len(got), len(want))
				}
			}
		})
	}
}

// TestStackOverflowFails checks that a missing temporary file is an error, and does not give a
// dataset without stacks.
func TestStackOverflowFails(t *testing.T) {
	t.Parallel()
	trace := etltest.MustParse(t, "trace ptr=64 buffersize=4096\nbuffer cpu=0\nperfinfo64 hook=0x1824 ver=2 payload=u64:1|2|3\n")
	root := t.TempDir()
	d := openDataset(t, root)
	o := testOptions
	o.Limits.Frames, o.TempDir = 1, filepath.Join(root, "none")
	if _, err := convertFile(context.Background(), d, indextest.Write(t, "t.etl", trace), "t", o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if left := testenv.Files(t, root); len(left) > 0 {
		t.Errorf("left: %v", sums(left))
	}
}
