package interop_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/etl2parquet/etl2parquet/internal/engine/catalog"
	"github.com/etl2parquet/etl2parquet/internal/engine/partname"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/lake/bundle"
	"github.com/etl2parquet/etl2parquet/internal/lake/views"
	"github.com/etl2parquet/etl2parquet/interop"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// bundleAll converts traces into a dataset in which they share files.
func bundleAll(ctx context.Context, root string, target int64, inputs []string, o bundle.Options) error {
	d, err := bundle.OpenDataset(root)
	if err != nil {
		return err
	}
	b, err := d.Bundle(ctx, target)
	if err != nil {
		return err
	}
	names := partname.OfTraces(inputs)
	var failed []error
	for i, input := range inputs {
		done := func(report *bundle.Report, err error) {
			if err == nil && report.Rows != report.Events {
				err = fmt.Errorf("%d events, %d rows", report.Events, report.Rows)
			}
			if err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", input, err))
			}
		}
		if err := addFile(ctx, b, input, names[i], o, done); err != nil {
			return err
		}
	}
	if err := b.Flush(ctx); err != nil {
		return err
	}
	return errors.Join(append(failed, views.Write(ctx, d.Dataset))...)
}

func addFile(ctx context.Context, b *bundle.Bundler, path, trace string, o bundle.Options, done bundle.Done) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	p := b.Prepare(ctx, pipeline.Input{Name: path, ModTime: info.ModTime(), Size: info.Size(), Trace: file}, trace, o)
	defer p.Close()
	return b.Add(ctx, p, done)
}

// TestBundled checks that DuckDB finds the same rows in all views, whether traces share
// files or have separate ones. It uses all real traces, some larger than the memory limit.
func TestBundled(t *testing.T) {
	testenv.All(t, "all real traces, with and without bundles")
	python := interop.NewPython(t)
	apart := realDataset(t)
	inputs := testenv.SharedFiles(t, "traces/*.etl")
	const target = 1 << 20
	together := filepath.Join(t.TempDir(), "together")
	o := bundle.Options{Options: pipeline.Options{Workers: 2, Memory: 48 << 20, Messages: catalog.MessagesAll}}
	if err := bundleAll(t.Context(), together, target, inputs, o); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Views, Rows int64
		Different   [][2]string
	}
	question := map[string]string{"apart": filepath.Join(apart, "views.sql"), "together": filepath.Join(together, "views.sql")}
	python.Run(t, "bundled.py", question, &answer)
	for _, d := range answer.Different {
		t.Errorf("%s: %s", d[0], d[1])
	}
	if answer.Views < 100 || answer.Rows < 322_056 {
		t.Errorf("%d views with %d rows were compared", answer.Views, answer.Rows)
	}
	t.Logf("SCORE bundled: %d views, %d rows, the same", answer.Views, answer.Rows)
}
