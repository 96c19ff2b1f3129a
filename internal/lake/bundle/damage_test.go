package bundle

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/etl2parquet/etl2parquet/decode"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/internal/engine/pipeline"
	"github.com/etl2parquet/etl2parquet/internal/formats/parquet/parquettest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestDamagedDataset converts damaged traces to files, and checks that --strict rejects
// them.
func TestDamagedDataset(t *testing.T) {
	t.Parallel()
	data := indextest.RandomTrace(t, testenv.Seeded("strict"), indextest.Shape{Buffers: 12, Events: 30, Processors: 3, Time: indextest.Shapes["in order"].Time})
	x := indextest.Data(t, data)
	cut := data[:x.File.BufferInfo(8).Offset+1000]
	marker := slices.Clone(data)
	copy(marker[x.File.BufferInfo(5).Offset+decode.BufferHeaderSize:], []byte{1, 2, 3, 4})
	for name, damaged := range map[string][]byte{"cut": cut, "marker": marker} {
		t.Run(name, func(t *testing.T) {
			path := indextest.Write(t, "t.etl", damaged)
			root := t.TempDir()
			report := convertTo(t, root, path, testOptions)
			rows := rowsByTable(t, root, "t")
			if len(rows["problems"]) == 0 || len(rows["problems"]) != len(report.Problems) || report.Rows != report.Events {
				t.Errorf("%d problems in the table, %d reported; %d rows of %d events", len(rows["problems"]), len(report.Problems), report.Rows, report.Events)
			}
			if !slices.ContainsFunc(rows["buffers"], func(row parquettest.Row) bool { return row["damaged"] == "true" }) {
				t.Error("no buffer is marked as damaged")
			}
			strict := t.TempDir()
			d := openDataset(t, strict)
			o := testOptions
			o.Strict = true
			if _, err := convertFile(context.Background(), d, path, "t", o); !errors.Is(err, pipeline.ErrStrict) {
				t.Errorf("error %v, want %v", err, pipeline.ErrStrict)
			}
			if files := testenv.Files(t, strict); len(files) > 0 {
				t.Errorf("files left: %v", sums(files))
			}
		})
	}
	o := testOptions
	o.Strict = true
	convertTo(t, t.TempDir(), indextest.Write(t, "t.etl", data), o)
}
