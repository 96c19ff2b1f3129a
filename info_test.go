package etl2parquet_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/etl2parquet/etl2parquet"
	"github.com/etl2parquet/etl2parquet/internal/engine/index/indextest"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestInfoIsWhole checks that Info has everything that the command info prints, in the same JSON:
// each of the two has its own types.
func TestInfoIsWhole(t *testing.T) {
	for _, path := range append(testenv.SharedTraces(t), sample, "testdata/sample-compressed.etl") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := testenv.ReadFile(t, path)
			info, err := etl2parquet.ReadInfo(t.Context(), bytes.NewReader(data), int64(len(data)), path, etl2parquet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			printed := indextest.Summary(t, indextest.Data(t, data), path)
			texts := make([]string, 2)
			for i, v := range []any{printed, info} {
				text, err := json.MarshalIndent(v, "", " ")
				if err != nil {
					t.Fatal(err)
				}
				texts[i] = string(text)
			}
			if diff := cmp.Diff(texts[0], texts[1]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOnIndexed checks that the parts that are read add up to the buffers and events of a trace.
func TestOnIndexed(t *testing.T) {
	data := testenv.ReadFile(t, sample)
	var bytesRead, events atomic.Int64
	o := etl2parquet.Options{OnIndexed: func(b, e int64) { bytesRead.Add(b); events.Add(e) }}
	info, err := etl2parquet.ReadInfo(t.Context(), bytes.NewReader(data), int64(len(data)), sample, o)
	if err != nil {
		t.Fatal(err)
	}
	if bytesRead.Load() != info.Size || events.Load() != info.Events {
		t.Errorf("%d bytes and %d events, want %d and %d", bytesRead.Load(), events.Load(), info.Size, info.Events)
	}
}
