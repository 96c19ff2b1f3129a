package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/etl2parquet/etl2parquet/facts"
	"github.com/etl2parquet/etl2parquet/tools/testenv"
)

// TestInfoCounts compares info --json with the counts of an independent reader for every
// real trace.
func TestInfoCounts(t *testing.T) {
	text := testenv.ReadFile(t, testenv.Shared(t, "survey/counts.json"))
	type counts struct {
		Size              int64            `json:"size"`
		Buffers           int64            `json:"buffers"`
		CompressedBuffers int64            `json:"compressed_buffers"`
		UncompressedBytes int64            `json:"uncompressed_bytes"`
		Events            int64            `json:"total"`
		ByHeader          map[string]int64 `json:"by_header"`
	}
	var want map[string]counts
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if len(want) == 0 {
		t.Fatal("counts.json names no trace")
	}
	var stdout, stderr bytes.Buffer
	if status := run(t.Context(), []string{"info", "--json", testenv.Shared(t, "traces")}, nil, &stdout, &stderr); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	type summary struct {
		counts
		File     string           `json:"file"`
		Events   int64            `json:"events"`
		ByHeader map[string]int64 `json:"events_by_header"`
		Start    *time.Time       `json:"start"`
		End      *time.Time       `json:"end"`
		Problems []facts.Problem
	}
	for line := range bytes.Lines(stdout.Bytes()) {
		var got summary
		if err := json.Unmarshal(line, &got); err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(got.File), func(t *testing.T) {
			w, ok := want[filepath.Base(got.File)]
			if !ok {
				t.Skip("counts.json does not have this trace")
			}
			delete(want, filepath.Base(got.File))
			if got.Size != w.Size || got.Buffers != w.Buffers || got.CompressedBuffers != w.CompressedBuffers ||
				got.UncompressedBytes != w.UncompressedBytes || got.Events != w.Events || !maps.Equal(got.ByHeader, w.ByHeader) {
				t.Errorf("got %+v\nwant %+v", got, w)
			}
			if got.Start == nil || got.End != nil && got.End.Before(*got.Start) {
				t.Errorf("from %v to %v", got.Start, got.End)
			}
		})
	}
	if len(want) > 0 {
		t.Errorf("not reported: %v", slices.Sorted(maps.Keys(want)))
	}
}
