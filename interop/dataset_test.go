package interop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/schema"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// scratch is the folder of what several tests use: the program, and the dataset of the real traces.
var scratch string

func TestMain(m *testing.M) {
	os.Setenv("ETL2PARQUET_CACHE", "none") // programs that tests run keep nothing
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "etl2parquet-interop-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		return interop.Main(m)
	}())
}

// buildProgram builds etl2parquet once per process.
var buildProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "etl2parquet.exe")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/etl2parquet").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return path, nil
})

// builtProgram returns the path of etl2parquet, built from this repository.
func builtProgram(t testing.TB) string {
	t.Helper()
	testenv.Slow(t, "a build of the program")
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// traceCounts is an entry of ../../shared/survey/counts.json: the counts of an
// independent reader for a real trace.
type traceCounts struct {
	Buffers           int64            `json:"buffers"`
	CompressedBuffers int64            `json:"compressed_buffers"`
	UncompressedBytes int64            `json:"uncompressed_bytes"`
	ByHeader          map[string]int64 `json:"by_header"`
	Total             int64            `json:"total"`
}

// realCounts returns the counts of the real traces by name, or skips the test.
func realCounts(t testing.TB) map[string]traceCounts {
	t.Helper()
	text := testenv.ReadFile(t, testenv.Shared(t, "survey/counts.json"))
	var byFile, byTrace = map[string]traceCounts{}, map[string]traceCounts{}
	if err := json.Unmarshal(text, &byFile); err != nil {
		t.Fatal(err)
	}
	for file, counts := range byFile {
		byTrace[strings.TrimSuffix(file, ".etl")] = counts
	}
	return byTrace
}

// real is the dataset of the real traces, made once per process.
var real struct {
	sync.Once
	err error
}

// convertAll converts traces into a dataset, with little memory, so that the larger ones
// take several slabs and row groups.
func convertAll(root string, inputs []string) error {
	d, err := bundle.OpenDataset(root)
	if err != nil {
		return err
	}
	names := partname.OfTraces(inputs)
	for i, input := range inputs {
		report, err := convertFile(d, input, names[i], bundle.Options{Options: pipeline.Options{Workers: 2, Memory: 48 << 20, Messages: catalog.MessagesAll}})
		if err != nil {
			return fmt.Errorf("%s: %w", input, err)
		}
		if report.Rows != report.Events {
			return fmt.Errorf("%s: %d events, %d rows", input, report.Events, report.Rows)
		}
	}
	return views.Write(context.Background(), d.Dataset)
}

// realDataset returns the folder of the dataset of all real traces.
func realDataset(t testing.TB) string {
	t.Helper()
	inputs := testenv.SharedFiles(t, "traces/*.etl")
	root := filepath.Join(scratch, "real")
	real.Do(func() {
		real.err = convertAll(root, inputs)
	})
	if real.err != nil {
		t.Fatal(real.err)
	}
	return root
}

func headerTables() (names []string) {
	for _, t := range schema.HeaderTables() {
		names = append(names, t.Name)
	}
	return names
}

// convertFile converts the trace in a file.
func convertFile(d *bundle.Dataset, path, trace string, o bundle.Options) (*bundle.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	in := pipeline.Input{Name: path, ModTime: info.ModTime(), Size: info.Size(), Trace: file}
	return d.Convert(context.Background(), in, trace, o)
}
